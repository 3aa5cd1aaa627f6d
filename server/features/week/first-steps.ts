import {
  FIRST_STEPS,
  SKIPPABLE_STEPS,
  type FirstStepName,
  type SkippableStep,
} from '#contract/admin/first-steps.ts';
import type { FirstSteps } from '#contract/admin/week.ts';
import { findMissingSellerData } from '#contract/admin/settings.ts';
import type { Db } from '../../db/connect.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { PRODUCT_NAME } from '../../env-settings.ts';
import { isTestKey } from '../../payments-settings.ts';
import { isLoopbackName } from '../../loopback.ts';
import { isMailTested } from '../mails/service.ts';
import { findLastRelease } from './queries.ts';

/** A row for each. */
const toName = (step: string): string => `skipped-step:${step}`;

async function listSkipped(db: Db): Promise<string[]> {
  const names = SKIPPABLE_STEPS.map(toName);
  const rows = await db.selectFrom('settings').select('name').where('name', 'in', names).execute();
  return rows.map(({ name }) => name);
}

/** What became of what an administrator bought with this provider: only that shows that paying works. */
async function findPurchase(db: Db, provider: string): Promise<FirstSteps['purchase']> {
  const paid = await db
    .selectFrom('users')
    .innerJoin('payments', 'payments.user_id', 'users.id')
    .select('payments.refunded')
    .where('users.is_admin', '=', 1)
    .where('payments.provider', '=', provider)
    .where('payments.state', '=', 'paid')
    .where('payments.kind', '<>', 'card-check')
    .orderBy('payments.refunded', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!paid) return 'none';
  return paid.refunded > 0 ? 'refunded' : 'paid';
}

async function hasMembers(db: Db): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('is_admin', '=', 0).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** What is left before the first listener, by what is really there. */
export async function readFirstSteps(deps: Deps): Promise<FirstSteps> {
  const { config, database, clock, site } = deps;
  const { db } = database;
  const now = clock.now();
  const settings = await readSettings(db, now);
  const missingSeller = findMissingSellerData(settings);
  const { payments } = config;
  const isTestMode = payments.provider === 'sandbox' || isTestKey(payments);
  const purchase = await findPurchase(db, payments.provider);
  const isNameFixed = config.fixed.includes('siteName');
  const isDone: Record<FirstStepName, boolean> = {
    look: isNameFixed || settings.siteName !== null || config.siteName !== PRODUCT_NAME,
    release: (await findLastRelease(db, now)) !== undefined,
    mail: await isMailTested(db, config),
    seller: missingSeller.length === 0,
    payments: !isTestMode,
    purchase: purchase === 'refunded',
    people: await hasMembers(db),
  };
  const skipped = await listSkipped(db);
  return {
    steps: FIRST_STEPS.map((name) => ({
      name,
      isDone: isDone[name],
      isSkipped: skipped.includes(toName(name)),
    })),
    isNameFixed,
    mailFrom: config.smtp?.from ?? null,
    missingSeller,
    provider: payments.provider,
    isTestMode,
    origin: site.origin,
    isPublic: !isLoopbackName(new URL(site.origin).hostname),
    purchase,
  };
}

/** For everyone who runs the site. */
export async function skipStep(
  deps: Deps,
  step: SkippableStep,
  isSkipped: boolean,
): Promise<FirstSteps> {
  const { db } = deps.database;
  const row = { name: toName(step), value: 'true', updated_at: deps.clock.now() };
  if (isSkipped)
    await db
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else await db.deleteFrom('settings').where('name', '=', row.name).execute();
  return readFirstSteps(deps);
}
