import type { SettingName, SettingValues } from '#contract/settings.ts';

export type SettingField = {
  name: SettingName;
  label: string;
  hint: string;
  /** Prices are typed in rand and kept in cents. */
  kind: 'text' | 'number' | 'rand';
};

export type SettingGroup = { title: string; fields: SettingField[] };

export const settingGroups: SettingGroup[] = [
  {
    title: 'The site',
    fields: [
      {
        name: 'siteName',
        label: 'Site name',
        hint: 'On every page, in messages and in the installed app.',
        kind: 'text',
      },
      {
        name: 'timeZone',
        label: 'Time zone',
        hint: 'Where days and weeks begin, such as Africa/Johannesburg. Days that are over stay as they were counted.',
        kind: 'text',
      },
    ],
  },
  {
    title: 'Prices',
    fields: [
      {
        name: 'monthlyPrice',
        label: 'A month, in rand',
        hint: 'For new subscriptions; who subscribed before keeps their price.',
        kind: 'rand',
      },
      {
        name: 'annualPrice',
        label: 'A year, in rand',
        hint: 'For new subscriptions; who subscribed before keeps their price.',
        kind: 'rand',
      },
      {
        name: 'trialDays',
        label: 'Trial, in days',
        hint: 'Before the first payment of who has never paid; 0 for none.',
        kind: 'number',
      },
      {
        name: 'graceDays',
        label: 'Grace, in days',
        hint: 'How long access goes on after what was paid for. Holds for everybody at once.',
        kind: 'number',
      },
    ],
  },
  {
    title: 'Releases',
    fields: [
      {
        name: 'releaseHour',
        label: 'Release hour',
        hint: 'The hour of the day, 0 to 23, that a new release is given unless its form says otherwise.',
        kind: 'number',
      },
      {
        name: 'earlyAccessHours',
        label: 'Early access, in hours',
        hint: 'How much earlier subscribers get a release; 0 for no earlier.',
        kind: 'number',
      },
    ],
  },
  {
    title: 'Privacy',
    fields: [
      {
        name: 'eventsDays',
        label: 'Keep events, in days',
        hint: 'How long it is kept who did what on the pages. The daily numbers stay.',
        kind: 'number',
      },
    ],
  },
];

export const showValue = ({ name, kind }: SettingField, values: SettingValues): string =>
  kind === 'rand' ? String(Number(values[name]) / 100) : String(values[name]);

/** As the contract wants it; what is no number stays what was typed, so that the rule says why not. */
export function readValue({ kind }: SettingField, typed: string): string | number {
  if (kind === 'text') return typed;
  const number = typed.trim() === '' ? Number.NaN : Number(typed);
  return kind === 'rand' ? Math.round(number * 100) : number;
}
