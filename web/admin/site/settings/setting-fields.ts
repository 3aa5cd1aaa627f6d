import type { SettingName, SettingValues } from '#contract/admin/settings.ts';

export type SettingField = {
  name: SettingName;
  label: string;
  hint: string;
  /** Prices are entered in rand and stored in cents. */
  kind:
    | 'text'
    | 'lines'
    | 'number'
    | 'rand'
    | 'weekday'
    | 'month'
    | 'yes-no'
    | 'vat-rates'
    | 'vat-category';
};

export type SettingGroup = { title: string; fields: SettingField[] };

export const settingGroups: SettingGroup[] = [
  {
    title: 'Site',
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
    title: 'Prices and access',
    fields: [
      {
        name: 'monthlyPrice',
        label: 'Monthly price (R)',
        hint: 'For new subscriptions, from now on. To change it for subscribers too, use Prices.',
        kind: 'rand',
      },
      {
        name: 'annualPrice',
        label: 'Annual price (R)',
        hint: 'For new subscriptions, from now on. To change it for subscribers too, use Prices.',
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
      {
        name: 'coolingOffDays',
        label: 'Cooling-off (days)',
        hint: 'After a first payment, members can cancel and get it back for this long. 0 to disable; 7 is what the law expects.',
        kind: 'number',
      },
      {
        name: 'continueMonthly',
        label: 'Continue monthly after a year',
        hint: 'Annual subscriptions go on month by month, unless the member chooses another year.',
        kind: 'yes-no',
      },
      {
        name: 'areRenewalsOn',
        label: 'Renewals are charged',
        hint: 'Turn it off to stop every renewal within a minute. Members keep Premium for their grace period; what’s due is charged when you turn it on again.',
        kind: 'yes-no',
      },
      {
        name: 'chargesPerHour',
        label: 'At most … cards an hour',
        hint: 'A brake: renewals above this number wait for the next hour, the oldest first.',
        kind: 'number',
      },
      {
        name: 'streamsPerAccount',
        label: 'Devices at a time',
        hint: 'On how many devices one account can listen. When one more starts, the first one stops.',
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
      {
        name: 'mailsPerHour',
        label: 'At most … e-mails an hour',
        hint: 'What your mail server’s host allows, often 250 to 600; 0 for no limit. E-mails to many members spread over the hours. Password resets, receipts and confirmations go first, and a tenth is kept for them.',
        kind: 'number',
      },
    ],
  },
  {
    title: 'Seller and VAT',
    fields: [
      {
        name: 'sellerName',
        label: 'Legal name',
        hint: 'Your name or your company’s, as registered. On invoices and legal pages.',
        kind: 'text',
      },
      {
        name: 'sellerStatus',
        label: 'Legal status',
        hint: 'For example: sole proprietor, or private company.',
        kind: 'text',
      },
      {
        name: 'sellerAddress',
        label: 'Address',
        hint: 'The physical address where legal documents can be served.',
        kind: 'lines',
      },
      {
        name: 'sellerRegistration',
        label: 'Registration number',
        hint: 'Of a company. Leave it empty if you have none.',
        kind: 'text',
      },
      {
        name: 'sellerPhone',
        label: 'Phone number',
        hint: 'The law wants customers to be able to call you.',
        kind: 'text',
      },
      {
        name: 'sellerEmail',
        label: 'E-mail address',
        hint: 'Where customers reach you.',
        kind: 'text',
      },
      {
        name: 'isVatCharged',
        label: 'Charge VAT',
        hint: 'For registered VAT vendors. New invoices become tax invoices; earlier ones stay as they are.',
        kind: 'yes-no',
      },
      {
        name: 'sellerVatNumber',
        label: 'VAT number',
        hint: '10 digits, the first one a 4. Required to charge VAT.',
        kind: 'text',
      },
      {
        name: 'vatRates',
        label: 'VAT rates',
        hint: 'Included in your prices. Each holds from its first day until the next one begins; a payment has the rate of its day, and none before the first. Once you’ve issued a tax invoice, only rates that begin later can be changed.',
        kind: 'vat-rates',
      },
    ],
  },
  {
    title: 'Accounting',
    fields: [
      {
        name: 'vatCategory',
        label: 'VAT periods',
        hint: 'How often you hand in a VAT201. Offered as periods under Books.',
        kind: 'vat-category',
      },
      {
        name: 'yearEndMonth',
        label: 'Financial year ends in',
        hint: 'For the years under Books.',
        kind: 'month',
      },
      {
        name: 'salesAccount',
        label: 'Sales account',
        hint: 'Its code in your accounting program, for the files for Xero and Sage. Empty for theirs: 200 and 4000.',
        kind: 'text',
      },
      {
        name: 'vatRateName',
        label: 'Name of the VAT rate',
        hint: 'As your accounting program shows it. Empty for “Standard Rate Sales” (Xero) and “Standard” (Sage).',
        kind: 'text',
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

/** A VAT rate as it is typed. */
export type TypedRate = { percent: string; from: string };

export const parseRates = (typed: string): TypedRate[] => JSON.parse(typed) as TypedRate[];
export const formatRates = (rates: readonly TypedRate[]): string => JSON.stringify(rates);

export function formatValue({ name, kind }: SettingField, values: SettingValues): string {
  if (name === 'vatRates')
    return formatRates(
      values.vatRates.map(({ percent, from }) => ({ percent: String(percent), from })),
    );
  return kind === 'rand' ? String(Number(values[name]) / 100) : String(values[name]);
}

const parseNumber = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed));

/** The value for the contract, whose rule explains what is wrong with it. */
export function parseValue({ kind }: SettingField, typed: string): unknown {
  if (kind === 'text' || kind === 'lines' || kind === 'vat-category') return typed;
  if (kind === 'yes-no') return typed === 'true';
  if (kind === 'vat-rates')
    return parseRates(typed).map(({ percent, from }) => ({ percent: parseNumber(percent), from }));
  const number = parseNumber(typed);
  return kind === 'rand' ? Math.round(number * 100) : number;
}
