import { z } from 'zod';
import { GRACE_MS } from '#contract/rules/access.ts';
import { plans } from '#contract/rules/plans.ts';
import type { Db } from './connect.ts';
import { prepareQuery } from './prepare-query.ts';

const DAY = 24 * 60 * 60 * 1000;
const cents = z.int().min(100).max(100_000_00);
const days = (most: number) => z.int().min(0).max(most);

/** What whoever runs the site may set while it runs, and what holds until they do. */
const definitions = {
  /** Cents. Holds for new checkouts; who subscribed before keeps their price. */
  monthlyPrice: { schema: cents, otherwise: plans.monthly.amount },
  annualPrice: { schema: cents, otherwise: plans.annual.amount },
  /** Days of access after the end of what was paid for. */
  graceDays: { schema: days(60), otherwise: GRACE_MS / DAY },
  /** Days before the first payment of who has never paid; 0 for no trial. */
  trialDays: { schema: days(90), otherwise: 0 },
} as const;

export const SettingValues = z.object({
  monthlyPrice: definitions.monthlyPrice.schema,
  annualPrice: definitions.annualPrice.schema,
  graceDays: definitions.graceDays.schema,
  trialDays: definitions.trialDays.schema,
});
export type SettingValues = z.infer<typeof SettingValues>;
export type Settings = SettingValues;

const names = Object.keys(definitions) as (keyof SettingValues)[];

/** What was stored by hand or by another version and makes no sense counts as not set. */
function readValue(name: keyof SettingValues, stored: string | undefined): number {
  const { schema, otherwise } = definitions[name];
  if (stored === undefined) return otherwise;
  try {
    return schema.parse(JSON.parse(stored));
  } catch {
    return otherwise;
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
const KEPT_MS = 5000;
const kept = new WeakMap<Db, { settings: Settings; at: number }>();

export async function readSettings(db: Db, now: number): Promise<Settings> {
  const found = kept.get(db);
  if (found && Math.abs(now - found.at) < KEPT_MS) return found.settings;
  const settings = parseSettings(await selectSettings(db));
  kept.set(db, { settings, at: now });
  return settings;
}

/** Holds at once on this server. */
export async function changeSettings(db: Db, change: Partial<SettingValues>, now: number) {
  const parsed = SettingValues.partial().parse(change);
  await db.transaction().execute(async (tx) => {
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
  });
  kept.delete(db);
}
