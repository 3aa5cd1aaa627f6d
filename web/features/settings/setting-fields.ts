import type { SettingName, SettingValues } from '#contract/admin/settings.ts';

export type SettingField = {
  name: SettingName;
  label: string;
  hint: string;
  /** Prices are entered in rand and stored in cents. */
  kind: 'text' | 'number' | 'rand' | 'weekday';
};

export type SettingGroup = { title: string; fields: SettingField[] };

export const settingGroups: SettingGroup[] = [
  {
    title: 'General',
    fields: [
      {
        name: 'siteName',
        label: 'Site name',
        hint: 'Shown on every page, in e-mails and in the installed app.',
        kind: 'text',
      },
      {
        name: 'timeZone',
        label: 'Time zone',
        hint: 'Sets when days and weeks start, e.g. Africa/Johannesburg. Past figures aren’t recalculated.',
        kind: 'text',
      },
    ],
  },
  {
    title: 'Prices',
    fields: [
      {
        name: 'monthlyPrice',
        label: 'Monthly price (R)',
        hint: 'For new subscriptions. Existing subscribers keep their price.',
        kind: 'rand',
      },
      {
        name: 'annualPrice',
        label: 'Annual price (R)',
        hint: 'For new subscriptions. Existing subscribers keep their price.',
        kind: 'rand',
      },
      {
        name: 'trialDays',
        label: 'Free trial (days)',
        hint: 'For people who’ve never paid. 0 for no trial.',
        kind: 'number',
      },
      {
        name: 'graceDays',
        label: 'Grace period (days)',
        hint: 'How long access continues after a missed payment. Applies to everyone immediately.',
        kind: 'number',
      },
    ],
  },
  {
    title: 'Releases',
    fields: [
      {
        name: 'releaseDay',
        label: 'Release day',
        hint: 'The day of the week that mixes come out. Suggested when you schedule one.',
        kind: 'weekday',
      },
      {
        name: 'releaseHour',
        label: 'Release hour',
        hint: '0–23. Suggested when you schedule a mix; you can change it each time.',
        kind: 'number',
      },
      {
        name: 'earlyAccessHours',
        label: 'Early access (hours)',
        hint: 'How early subscribers get new releases. 0 to disable.',
        kind: 'number',
      },
    ],
  },
  {
    title: 'Privacy',
    fields: [
      {
        name: 'eventsDays',
        label: 'Keep analytics events (days)',
        hint: 'After this, individual events are deleted. Daily totals stay.',
        kind: 'number',
      },
    ],
  },
];

export const formatValue = ({ name, kind }: SettingField, values: SettingValues): string =>
  kind === 'rand' ? String(Number(values[name]) / 100) : String(values[name]);

/** The value for the contract, whose rule explains what is wrong with it. */
export function parseValue({ kind }: SettingField, typed: string): string | number {
  if (kind === 'text') return typed;
  const number = typed.trim() === '' ? Number.NaN : Number(typed);
  return kind === 'rand' ? Math.round(number * 100) : number;
}
