import { findOffers } from '#contract/rules/allowed-files.ts';
import { fillWords } from '#contract/rules/mail-words.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { toParagraphs, type MailSite } from '../../mails/service.ts';
import { countPublished } from '../../tracks/service.ts';

/** In January a year has too few to speak of. */
const MANY = 10;

/** `All 44 mixes of 2026`, or those of all years while this one is young. */
export function describeMixes(years: readonly { year: number; count: number }[], thisYear: number) {
  const ofYear = years.find(({ year }) => year === thisYear)?.count ?? 0;
  if (ofYear >= MANY) return `All ${ofYear} mixes of ${thisYear}`;
  const all = years.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return 'Every mix';
  return all === 1 ? 'The first mix' : `All ${all} mixes`;
}

/** How subscribers hear mixes now; offline only while they can keep something. */
export async function describeHearing({ database, clock }: Deps): Promise<string> {
  const now = clock.now();
  const { mp3, saving } = findOffers(await readSettings(database.db, now), now);
  return mp3 || saving ? 'in full, online or off' : 'in full';
}

/** How the mail to a new subscriber begins, in the words of the operator. */
export async function writePremiumWelcome(deps: Deps, site: MailSite): Promise<string[]> {
  const { clock, config } = deps;
  const { year } = weekOf(clock.now(), config.timeZone);
  const all = describeMixes(await countPublished(deps), year);
  // eslint-disable-next-line id-denylist -- what operators write in braces
  const values = { mixes: all, how: await describeHearing(deps), site: site.siteName };
  return toParagraphs(fillWords(site.words.premiumWelcome, values));
}
