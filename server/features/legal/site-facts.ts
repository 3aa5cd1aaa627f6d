import type { Seller } from '#contract/paying/invoices.ts';
import { dayOf } from '#contract/rules/days.ts';
import { findOffers } from '#contract/rules/allowed-files.ts';
import { findEndOf } from '#contract/rules/file-ends.ts';
import { formatDate, formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { buildSeller, readSettings, type Settings } from '../../db/settings.ts';
import type { Config } from '../../config.ts';
import type { Deps } from '../../deps.ts';
import { findVatRate, toVatPercent } from '#contract/rules/vat.ts';

/** What a text can say in braces. */
type SiteFacts = Record<string, string>;

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);

const describeCoolingOff = ({ coolingOffDays }: Settings): string =>
  coolingOffDays === 0
    ? 'Premium starts as soon as you pay, so there is no cooling-off period beyond what the law gives you.'
    : `Within ${days(coolingOffDays)} after the first payment of a subscription you can cancel and get all of your money back.`;

const describeRenewal = ({ continueMonthly }: Settings): string =>
  continueMonthly
    ? 'Before a year ends we tell you by e-mail. If you don’t choose another year by then, your subscription continues month by month at the monthly price.'
    : 'Before a year ends we tell you by e-mail, about twelve weeks ahead and again a week ahead, with the price and the date.';

const describeTrial = ({ trialDays }: Settings): string =>
  trialDays === 0
    ? ''
    : `New members have ${days(trialDays)} free. We remind you before they end; if you cancel by then, nothing is charged.`;

/** What members may keep, and until when. */
function describeFiles(settings: Settings, now: number, timeZone: string): string {
  const { mp3, saving } = findOffers(settings, now);
  const ends = findEndOf(settings);
  const until = (end: number | null) => (end === null ? '' : ` until ${formatDate(end, timeZone)}`);
  return [
    mp3
      ? `Mixes can be downloaded${until(ends.mp3)}.`
      : 'It is for streaming: mixes are not given as files to keep.',
    ...(saving ? [`They can be saved in the app, to play offline${until(ends.saving)}.`] : []),
  ].join(' ');
}

/** Nothing as long as there is no way to reach the seller. */
function describeContact({ sellerEmail, sellerPhone, sellerAddress }: Settings): string {
  const ways = [
    ...(sellerEmail ? ['write'] : []),
    ...(sellerPhone ? ['call'] : []),
    ...(sellerAddress ? ['visit'] : []),
  ];
  if (ways.length === 0) return '';
  const list = ways.join(', ').replace(/, (?=\w+$)/, ' or ');
  return `${list.charAt(0).toUpperCase()}${list.slice(1)}: we answer within two working days. For a payment or an invoice, tell us your username and the invoice number.`;
}

function describeVat({ isVatCharged, vatRates }: Settings, today: string): string {
  const rate = isVatCharged ? findVatRate(vatRates, today) : null;
  return rate === null ? 'No VAT is charged.' : `Prices include ${toVatPercent(rate)}% VAT.`;
}

function buildFacts(
  settings: Settings,
  { siteName, eventDays, timeZone }: Pick<Config, 'siteName' | 'eventDays' | 'timeZone'>,
  now: number,
): SiteFacts {
  const money = (amount: number) => formatMoney(amount, CURRENCY);
  return {
    siteName,
    sellerName: settings.sellerName || siteName,
    sellerEmail: settings.sellerEmail || 'the address on the contact page',
    sellerPhone: settings.sellerPhone,
    sellerAddress: settings.sellerAddress.replaceAll(/\s*\n\s*/g, ', '),
    monthlyPrice: money(settings.monthlyPrice),
    annualPrice: money(settings.annualPrice),
    graceDays: String(settings.graceDays),
    eventsDays: String(eventDays),
    coolingOffRule: describeCoolingOff(settings),
    renewalRule: describeRenewal(settings),
    trialRule: describeTrial(settings),
    vatRule: describeVat(settings, dayOf(now, timeZone)),
    filesRule: describeFiles(settings, now, timeZone),
    contactRule: describeContact(settings),
  };
}

export async function readSiteFacts({ database, clock, config }: Deps): Promise<{
  facts: SiteFacts;
  seller: Seller;
}> {
  const now = clock.now();
  const settings = await readSettings(database.db, now);
  const seller = buildSeller(settings, settings.sellerName || config.siteName);
  return { facts: buildFacts(settings, config, now), seller };
}

/** Text that Markdown shows as it is. */
export const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]()#+.!|<>&~=:-]/g, String.raw`\$&`);

/** Facts are shown as they are: a name with an asterisk is no formatting. */
const fillFacts = (text: string, facts: SiteFacts): string =>
  text.replaceAll(/\{(\w{1,40})\}/g, (whole, name: string) =>
    Object.hasOwn(facts, name) ? escapeMarkdown(facts[name] ?? '') : whole,
  );

/** The HTML of a legal text. Markdown is loaded when someone first reads one. */
export async function renderText(text: string, facts: SiteFacts): Promise<string> {
  const { renderMarkdown } = await import('./render-markdown.ts');
  return renderMarkdown(fillFacts(text, facts));
}
