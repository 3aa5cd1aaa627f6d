import { WEEKDAYS } from '#contract/admin/release-time.ts';
import type { SettingName, SettingValues } from '#contract/admin/settings.ts';
import {
  LOOK_IMAGES,
  LOOK_LIMITS,
  lookImagePath,
  type LookImageKind,
  type LookLink,
} from '#contract/look.ts';
import { MONTHS } from '#contract/rules/days.ts';
import { findWordsProblem, mailWords, type MailWordsName } from '#contract/rules/mail-words.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { formatMoney } from '#web/lib/format/format.ts';

type Choice = { value: string; label: string };

export type SettingField = {
  label: string;
  hint: string;
  /** Prices are entered in rand and stored in cents. */
  kind:
    | 'text'
    | 'lines'
    | 'number'
    | 'rand'
    | 'choice'
    | 'number-choice'
    | 'yes-no'
    | 'vat-rates'
    | 'links'
    | 'image';
  /** Left empty, there is no such amount. */
  isOptional?: true;
  /** The options of a select. */
  choices?: readonly Choice[];
  /** How many characters a text may have; the field counts them. */
  limit?: number;
  /** What is wrong with what is being typed. */
  findProblem?: (text: string) => string | null;
};

/** Words in e-mails, with facts in braces. */
const words = (name: MailWordsName) => ({
  limit: mailWords[name].maxLength,
  findProblem: (text: string) => findWordsProblem(name, text),
});

const listFacts = (name: MailWordsName): string =>
  `You can use ${mailWords[name].placeholders.map((fact) => `{${fact}}`).join(', ')}.`;

const numbered = (labels: readonly string[], first: number): Choice[] =>
  labels.map((label, index) => ({ value: String(index + first), label }));

const yesOrNo: Choice[] = [
  { value: 'false', label: 'No' },
  { value: 'true', label: 'Yes' },
];

/** What a setting is called, and how it is entered. Which page has it: `setting-pages.ts`. */
export const settingFields: Record<SettingName, SettingField> = {
  siteName: {
    label: 'Site name',
    hint: 'On every page, in e-mails and in the installed app.',
    kind: 'text',
    limit: LOOK_LIMITS.siteName,
  },
  sentence: {
    label: 'One sentence about the show',
    hint: 'Under your name on the About page, and where people share a link to it.',
    kind: 'text',
    limit: LOOK_LIMITS.sentence,
  },
  logo: {
    label: 'Logo',
    hint: 'SVG or PNG. Drawn in one ink, so that it fits both themes.',
    kind: 'image',
  },
  picture: {
    label: 'Picture of you',
    hint: 'JPEG, PNG or WebP. On the About page.',
    kind: 'image',
  },
  icon: {
    label: 'Icon',
    hint: 'Square, at least 512 pixels. For the installed app and browser tabs.',
    kind: 'image',
  },
  headline: {
    label: 'Headline',
    hint: 'The largest words of the landing page. Empty for ours.',
    kind: 'text',
    limit: LOOK_LIMITS.headline,
  },
  lead: {
    label: 'Text under the headline',
    hint: 'One or two sentences. Empty for ours.',
    kind: 'lines',
    limit: LOOK_LIMITS.lead,
  },
  aboutText: {
    label: 'About you',
    hint: 'Markdown: ## for a heading, * for a list, [words](https://…) for a link.',
    kind: 'lines',
    limit: LOOK_LIMITS.aboutText,
  },
  isAboutPublic: {
    label: 'Who may read the About page',
    hint: 'If everyone may, search engines list it too.',
    kind: 'yes-no',
    choices: [
      { value: 'false', label: 'Members' },
      { value: 'true', label: 'Everyone' },
    ],
  },
  links: { label: 'Links', hint: 'To your other places: at most 8.', kind: 'links' },
  sleeveFamily: {
    label: 'Drawn sleeves',
    hint: 'For mixes without a cover of their own.',
    kind: 'choice',
    choices: [
      { value: 'all', label: 'All kinds' },
      { value: 'records', label: 'Records' },
      { value: 'landscapes', label: 'Landscapes' },
      { value: 'patterns', label: 'Patterns' },
    ],
  },
  hemisphere: {
    label: 'Seasons',
    hint: 'Each week has its colour: orange in summer, blue in winter.',
    kind: 'choice',
    choices: [
      { value: 'south', label: 'Summer in December (southern hemisphere)' },
      { value: 'north', label: 'Summer in July (northern hemisphere)' },
    ],
  },
  senderName: {
    label: 'Sender of e-mails',
    hint: 'The name in people’s inboxes. Empty for the name of the site.',
    kind: 'text',
    limit: LOOK_LIMITS.senderName,
  },
  greeting: {
    label: 'Greeting',
    hint: `How e-mails begin. ${listFacts('greeting')}`,
    kind: 'text',
    ...words('greeting'),
  },
  releaseIntro: {
    label: 'Words about a new mix',
    hint: `Above the tracklist of the release e-mail. ${listFacts('releaseIntro')}`,
    kind: 'lines',
    ...words('releaseIntro'),
  },
  releaseEnd: {
    label: 'Last words about a new mix',
    hint: `Below the button of the release e-mail. ${listFacts('releaseEnd')}`,
    kind: 'lines',
    ...words('releaseEnd'),
  },
  premiumWelcome: {
    label: 'Welcome to Premium',
    hint: `The first words that a new subscriber reads. ${listFacts('premiumWelcome')}`,
    kind: 'lines',
    ...words('premiumWelcome'),
  },
  timeZone: {
    label: 'Time zone',
    hint: 'Sets when days and weeks start, e.g. Africa/Johannesburg. Past figures aren’t recalculated.',
    kind: 'text',
  },
  monthlyPrice: {
    label: 'Monthly price (R)',
    hint: 'For new subscriptions, from now on.',
    kind: 'rand',
  },
  annualPrice: {
    label: 'Annual price (R)',
    hint: 'For new subscriptions, from now on.',
    kind: 'rand',
  },
  dataPrice: {
    label: 'A gigabyte of mobile data (R)',
    hint: 'What your listeners usually pay. Then Play, the player and e-mails about new mixes say what a mix costs in data. Empty to leave that out.',
    kind: 'rand',
    isOptional: true,
  },
  trialDays: {
    label: 'Free trial (days)',
    hint: 'For people who’ve never paid. 0 for no trial.',
    kind: 'number',
  },
  coolingOffDays: {
    label: 'Cooling-off (days)',
    hint: 'After a first payment, members can cancel and get it back for this long. 0 to disable; 7 is what the law expects.',
    kind: 'number',
  },
  continueMonthly: {
    label: 'Continue monthly after a year',
    hint: 'Annual subscriptions go on month by month, unless the member chooses another year.',
    kind: 'yes-no',
  },
  streamsPerAccount: {
    label: 'Devices at a time',
    hint: 'Devices that may play at once. One more stops the first.',
    kind: 'number',
  },
  areRenewalsOn: {
    label: 'Renewals are charged',
    hint: 'No stops every renewal within a minute. Members keep Premium for their grace period; what’s due is charged when you turn it on again.',
    kind: 'yes-no',
  },
  chargesPerHour: {
    label: 'At most … cards an hour',
    hint: 'A brake: renewals above this number wait for the next hour, the oldest first.',
    kind: 'number',
  },
  graceDays: {
    label: 'Grace period (days)',
    hint: 'How long access continues after a missed payment. Applies to everyone immediately.',
    kind: 'number',
  },
  releaseDay: {
    label: 'Release day',
    hint: 'The day of the week that mixes come out. Suggested when you schedule one.',
    kind: 'number-choice',
    choices: numbered(WEEKDAYS, 0),
  },
  releaseHour: {
    label: 'Release hour',
    hint: '0–23. Suggested when you schedule a mix; you can change it each time.',
    kind: 'number',
  },
  earlyAccessHours: {
    label: 'Early access (hours)',
    hint: 'How early subscribers get new releases. 0 to disable.',
    kind: 'number',
  },
  isNextAnnounced: {
    label: 'Say when the next mix comes out',
    hint: 'Its week and hour on Home, the landing page and in a calendar at /releases.ics. Never its title or cover.',
    kind: 'yes-no',
  },
  areMomentsOn: {
    label: 'Moments',
    hint: 'Subscribers leave one line at a second of a mix, and members see it pass. Off hides all of them, and deletes none.',
    kind: 'yes-no',
    choices: [
      { value: 'false', label: 'Off' },
      { value: 'true', label: 'On' },
    ],
  },
  forbiddenWords: {
    label: 'Words that nobody can use',
    hint: 'One word or phrase per line. A line that contains one isn’t accepted. Capitals and accents make no difference, and only whole words count.',
    kind: 'lines',
  },
  clipSeconds: {
    label: 'Clips of a mix (seconds)',
    hint: 'How much of a mix all its clips together give away, beyond the preview; overlapping clips count once. 0 turns clips off, also the links that exist.',
    kind: 'number',
  },
  mailsPerHour: {
    label: 'At most … e-mails an hour',
    hint: 'What your mail server’s host allows, often 250 to 600; 0 for no limit. E-mails to many members spread over the hours. Password resets, receipts and confirmations go first, and a tenth is kept for them.',
    kind: 'number',
  },
  sellerName: {
    label: 'Legal name',
    hint: 'Your name or your company’s, as registered. On invoices and legal pages.',
    kind: 'text',
  },
  sellerStatus: {
    label: 'Legal status',
    hint: 'For example: sole proprietor, or private company.',
    kind: 'text',
  },
  sellerAddress: {
    label: 'Address',
    hint: 'The physical address where legal documents can be served.',
    kind: 'lines',
  },
  sellerRegistration: { label: 'Registration number', hint: 'Companies only.', kind: 'text' },
  sellerPhone: {
    label: 'Phone number',
    hint: 'Required by law: customers must be able to phone you.',
    kind: 'text',
  },
  sellerEmail: { label: 'E-mail address', hint: 'Where customers reach you.', kind: 'text' },
  isVatCharged: {
    label: 'Charge VAT',
    hint: 'For registered VAT vendors. New invoices become tax invoices; earlier ones stay as they are.',
    kind: 'yes-no',
  },
  sellerVatNumber: {
    label: 'VAT number',
    hint: '10 digits, starting with 4. Required to charge VAT.',
    kind: 'text',
  },
  vatRates: {
    label: 'VAT rates',
    hint: 'Included in your prices. Each holds from its first day until the next one begins; a payment has the rate of its day, and none before the first. Once you’ve issued a tax invoice, only rates that begin later can be changed.',
    kind: 'vat-rates',
  },
  vatCategory: {
    label: 'VAT periods',
    hint: 'How often you hand in a VAT201. Offered as periods above.',
    kind: 'choice',
    choices: [
      { value: 'A', label: 'Two months, ending in odd months (category A)' },
      { value: 'B', label: 'Two months, ending in even months (category B)' },
      { value: 'C', label: 'Every month (category C)' },
    ],
  },
  yearEndMonth: {
    label: 'Financial year ends in',
    hint: 'For the years above.',
    kind: 'number-choice',
    choices: numbered(MONTHS, 1),
  },
  salesAccount: {
    label: 'Sales account',
    hint: 'Its code in your accounting program, for the files for Xero and Sage. Empty for theirs: 200 and 4000.',
    kind: 'text',
  },
  vatRateName: {
    label: 'Name of the VAT rate',
    hint: 'As your accounting program shows it. Empty for “Standard Rate Sales” (Xero) and “Standard” (Sage).',
    kind: 'text',
  },
  eventsDays: {
    label: 'Keep analytics events (days)',
    hint: 'After this, individual events are deleted. Daily totals stay.',
    kind: 'number',
  },
};

/** A VAT rate as it is typed. */
export type TypedRate = { percent: string; from: string };

/** A picture that is set or was just uploaded; `preview` is an address, or the picture itself. */
export type ChosenImage = { name: string; preview: string };

/** All settings as they are typed: most as texts. */
export type TypedSettings = Record<
  Exclude<SettingName, 'vatRates' | 'links' | LookImageKind>,
  string
> & { vatRates: TypedRate[]; links: LookLink[] } & Record<LookImageKind, ChosenImage | null>;

export const isImage = (name: SettingName): name is LookImageKind =>
  LOOK_IMAGES.some((kind) => kind === name);

function formatValue(name: SettingName, values: SettingValues): TypedSettings[SettingName] {
  if (name === 'vatRates')
    return values.vatRates.map(({ percent, from }) => ({ percent: String(percent), from }));
  if (name === 'links') return values.links;
  if (isImage(name)) {
    const image = values[name];
    return image && { name: image, preview: lookImagePath({ name: image }) };
  }
  const value = values[name];
  if (value === null) return '';
  return settingFields[name].kind === 'rand' ? String(Number(value) / 100) : String(value);
}

export const toTyped = (values: SettingValues): TypedSettings =>
  Object.fromEntries(
    (Object.keys(settingFields) as SettingName[]).map((name) => [name, formatValue(name, values)]),
  ) as TypedSettings;

const parseNumber = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed));

/** The value for the contract, whose rule explains what is wrong with it. */
export function parseValue(name: SettingName, typed: TypedSettings): unknown {
  if (name === 'vatRates')
    return typed.vatRates.map(({ percent, from }) => ({ percent: parseNumber(percent), from }));
  if (name === 'links') return typed.links;
  if (isImage(name)) return typed[name]?.name ?? null;
  const text = typed[name];
  const { kind, isOptional } = settingFields[name];
  if (isOptional && text.trim() === '') return null;
  if (kind === 'yes-no') return text === 'true';
  if (kind === 'number' || kind === 'number-choice') return parseNumber(text);
  return kind === 'rand' ? Math.round(parseNumber(text) * 100) : text;
}

export const listChoices = ({ kind, choices }: SettingField): readonly Choice[] | undefined =>
  choices ?? (kind === 'yes-no' ? yesOrNo : undefined);

const MAX_QUOTED = 32;

/** In a few words; null for what takes more. */
function describeValue(name: SettingName, typed: TypedSettings): string | null {
  if (name === 'vatRates' || name === 'links') return null;
  if (isImage(name)) return null;
  const text = typed[name].trim();
  const field = settingFields[name];
  if (text === '') return 'empty';
  if (field.kind === 'rand' && Number.isFinite(Number(text)))
    return formatMoney(Math.round(Number(text) * 100), CURRENCY);
  const choice = listChoices(field)?.find(({ value }) => value === text);
  if (choice) return choice.label;
  return text.length > MAX_QUOTED || text.includes('\n') ? null : text;
}

/** `Release hour: 6 → 7`, or `Address changed` */
export function describeChange(
  name: SettingName,
  before: TypedSettings,
  after: TypedSettings,
): string {
  const label = settingFields[name].label.replace(/ \(R\)$/, '');
  if (isImage(name) && after[name] === null) return `${label} removed`;
  const [from, to] = [describeValue(name, before), describeValue(name, after)];
  return from === null || to === null ? `${label} changed` : `${label}: ${from} → ${to}`;
}
