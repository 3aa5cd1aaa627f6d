import { SettingValues, type SettingName } from '#contract/settings.ts';
import { GRACE_MS } from '#contract/rules/access.ts';
import { plans } from '#contract/rules/plans.ts';
import { EARLY_ACCESS_MS } from '#contract/rules/release.ts';
import type { Db, Tx } from './connect.ts';
import { prepareQuery } from './prepare-query.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

/** Null where the server's own settings decide until somebody sets it here. */
export type Settings = Omit<SettingValues, 'siteName' | 'timeZone' | 'eventsDays'> & {
  siteName: string | null;
  timeZone: string | null;
  eventsDays: number | null;
};

const defaults: Settings = {
  siteName: null,
  timeZone: null,
  monthlyPrice: plans.monthly.amount,
  annualPrice: plans.annual.amount,
  graceDays: GRACE_MS / DAY,
  trialDays: 0,
  releaseHour: 6,
  earlyAccessHours: EARLY_ACCESS_MS / HOUR,
  eventsDays: null,
};

const names = Object.keys(defaults) as SettingName[];

/** What was stored by hand or by another version and makes no sense counts as not set. */
function readValue(name: SettingName, stored: string | undefined): unknown {
  if (stored === undefined) return defaults[name];
  try {
    return SettingValues.shape[name].parse(JSON.parse(stored));
  } catch {
    return defaults[name];
  }
}

export function parseSettings(rows: readonly { name: string; value: string }[]): Settings {
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    names.map((name) => [name, readValue(name, stored.get(name))]),
  ) as Settings;
}

const selectSettings = prepareQuery(
  (db) => db.selectFrom('settings').select(['name', 'value']).where('name', 'in', names),
  0,
);

/** Every request asks; another server's change is seen this much later. */
export const KEPT_MS = 5000;
const kept = new WeakMap<Db, { settings: Settings; at: number }>();

/** At once while they are kept: waiting for what is there takes longer than a file's check of access. */
export function readSettings(db: Db, now: number): Settings | Promise<Settings> {
  const found = kept.get(db);
  return found && Math.abs(now - found.at) < KEPT_MS ? found.settings : readAnew(db, now);
}

async function readAnew(db: Db, now: number): Promise<Settings> {
  const settings = parseSettings(await selectSettings(db));
  kept.set(db, { settings, at: now });
  return settings;
}

/** The next to ask reads them anew. */
export const forgetSettings = (db: Db): void => void kept.delete(db);

export async function writeSettings(tx: Tx, change: Partial<SettingValues>, now: number) {
  const parsed = SettingValues.partial().parse(change);
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

/** Holds at once on this server. */
export async function changeSettings(db: Db, change: Partial<SettingValues>, now: number) {
  await db.transaction().execute((tx) => writeSettings(tx, change, now));
  forgetSettings(db);
}
