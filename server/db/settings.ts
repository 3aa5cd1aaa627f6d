import { DEFAULT_SLEEVE_STYLE } from '#contract/art/sleeve-style.ts';
import { DEFAULT_RELEASE_DAY } from '#contract/admin/release-time.ts';
import { FileEndValues } from '#contract/admin/file-ends.ts';
import { SettingValues, type SettingName } from '#contract/admin/settings.ts';
import { GRACE_MS, EARLY_ACCESS_MS } from '#contract/rules/access.ts';
import { NO_ENDS, type FileEnds } from '#contract/rules/allowed-files.ts';
import { DEFAULT_CLIP_LIMIT } from '#contract/rules/clips.ts';
import { mailWords } from '#contract/rules/mail-words.ts';
import { plans } from '#contract/rules/plans.ts';
import type { Seller } from '#contract/paying/invoices.ts';
import type { Db, Tx } from './connect.ts';
import { prepareQuery } from './prepare-query.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

/** Null until an administrator sets it; then the environment or the default decides. */
export type Settings = Omit<SettingValues, 'siteName' | 'timeZone' | 'eventsDays'> & {
  siteName: string | null;
  timeZone: string | null;
  eventsDays: number | null;
} & FileEnds;

export const defaultSettings: Settings = {
  siteName: null,
  senderName: '',
  sentence: '',
  headline: '',
  lead: '',
  aboutText: '',
  isAboutPublic: false,
  links: [],
  logo: null,
  picture: null,
  icon: null,
  sleeveFamily: DEFAULT_SLEEVE_STYLE.family,
  hemisphere: DEFAULT_SLEEVE_STYLE.hemisphere,
  greeting: mailWords.greeting.byDefault,
  releaseIntro: mailWords.releaseIntro.byDefault,
  releaseEnd: mailWords.releaseEnd.byDefault,
  premiumWelcome: mailWords.premiumWelcome.byDefault,
  timeZone: null,
  monthlyPrice: plans.monthly.amount,
  annualPrice: plans.annual.amount,
  dataPrice: null,
  graceDays: GRACE_MS / DAY,
  trialDays: 0,
  coolingOffDays: 7,
  continueMonthly: false,
  areRenewalsOn: true,
  chargesPerHour: 500,
  streamsPerAccount: 3,
  releaseDay: DEFAULT_RELEASE_DAY,
  releaseHour: 6,
  mailsPerHour: 0,
  areMomentsOn: false,
  forbiddenWords: '',
  earlyAccessHours: EARLY_ACCESS_MS / HOUR,
  isNextAnnounced: true,
  clipSeconds: DEFAULT_CLIP_LIMIT,
  eventsDays: null,
  sellerName: '',
  sellerStatus: '',
  sellerAddress: '',
  sellerRegistration: '',
  sellerVatNumber: '',
  sellerPhone: '',
  sellerEmail: '',
  isVatCharged: false,
  // South Africa's rate since then.
  vatRates: [{ percent: 15, from: '2018-04-01' }],
  vatCategory: 'B',
  yearEndMonth: 2,
  salesAccount: '',
  vatRateName: '',
  ...NO_ENDS,
};

/** What administrators set on pages of settings, and on a page of its own. */
const StoredValues = SettingValues.extend(FileEndValues.shape);
type StoredName = SettingName | keyof FileEnds;
type StoredChange = Partial<SettingValues & FileEnds>;

const names = Object.keys(defaultSettings) as StoredName[];

/** An end that can't be read has come: files that must not be given stay where they are. */
const valueIfBroken = (name: StoredName): unknown => (name in NO_ENDS ? 0 : defaultSettings[name]);

/** An invalid value, stored by hand or by another version, counts as not set. */
function readValue(name: StoredName, stored: string | undefined): unknown {
  if (stored === undefined) return defaultSettings[name];
  try {
    return StoredValues.shape[name].parse(JSON.parse(stored));
  } catch {
    return valueIfBroken(name);
  }
}

function parseSettings(rows: readonly { name: string; value: string }[]): Settings {
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    names.map((name) => [name, readValue(name, stored.get(name))]),
  ) as Settings;
}

const selectSettings = prepareQuery(
  (db) => db.selectFrom('settings').select(['name', 'value']).where('name', 'in', names),
  0,
);

/** Every request needs them, so they are cached; other servers' changes arrive this much later. */
export const CACHE_MS = 5000;
const cached = new WeakMap<Db, { settings: Settings; at: number }>();

/** Returns cached settings without a promise, because awaiting would slow down every file request. */
export function readSettings(db: Db, now: number): Settings | Promise<Settings> {
  const found = cached.get(db);
  return found && Math.abs(now - found.at) < CACHE_MS ? found.settings : readAnew(db, now);
}

/** As they are stored now, for who is about to change them. */
export const readStoredSettings = async (db: Db): Promise<Settings> =>
  parseSettings(await selectSettings(db));

async function readAnew(db: Db, now: number): Promise<Settings> {
  const settings = await readStoredSettings(db);
  cached.set(db, { settings, at: now });
  return settings;
}

/** The next caller loads them again. */
export const forgetSettings = (db: Db): void => void cached.delete(db);

export async function writeSettings(tx: Tx, change: StoredChange, now: number) {
  const parsed = StoredValues.partial().parse(change);
  for (const name of names) {
    const value = parsed[name];
    if (value === undefined) continue;
    const row = { value: JSON.stringify(value), updated_at: now };
    await tx
      .insertInto('settings')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
  }
}

/** Takes effect immediately on this server. */
export async function changeSettings(db: Db, change: StoredChange, now: number) {
  await db.transaction().execute((tx) => writeSettings(tx, change, now));
  forgetSettings(db);
}

/** Who sells: on invoices, and on the pages that the law wants. */
export const buildSeller = (settings: Settings, name = settings.sellerName): Seller => ({
  name,
  status: settings.sellerStatus,
  address: settings.sellerAddress,
  registration: settings.sellerRegistration,
  vatNumber: settings.sellerVatNumber,
  phone: settings.sellerPhone,
  email: settings.sellerEmail,
});
