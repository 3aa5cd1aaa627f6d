import type { Plan } from '#contract/rules/plans.ts';
import { MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import type { Payments } from '../../../ports/payments/payments.ts';

/** Other servers know a new id this much later. */
export const PLAN_IDS_CACHE_MS = MINUTE;
const loaded = new WeakMap<Db, number>();

/** The next call to the provider loads them again. */
export const forgetPlanIds = (db: Db): void => void loaded.delete(db);

async function readPlanIds(db: Db, provider: string): Promise<Record<Plan, string[]>> {
  const rows = await db
    .selectFrom('price_changes')
    .select(['plan', 'plan_id'])
    .where('provider', '=', provider)
    .where('plan_id', 'is not', null)
    .where('state', '<>', 'cancelled')
    .orderBy('created_at', 'desc')
    .execute();
  const idsOf = (plan: Plan) =>
    rows.flatMap((row) => (row.plan === plan && row.plan_id ? [row.plan_id] : []));
  return { monthly: idsOf('monthly'), annual: idsOf('annual') };
}

/** The same provider, which also knows the plans that price changes brought. */
export function loadPlanIds(
  payments: Payments,
  { database: { db }, clock }: Pick<Deps, 'database' | 'clock'>,
): Payments {
  if (payments.planIdExample === null) return payments;
  const load = async () => {
    const now = clock.now();
    const at = loaded.get(db);
    if (at !== undefined && Math.abs(now - at) < PLAN_IDS_CACHE_MS) return;
    payments.usePlanIds(await readPlanIds(db, payments.name));
    loaded.set(db, now);
  };
  const calls = Object.entries(payments)
    .filter(([name, member]) => typeof member === 'function' && name !== 'usePlanIds')
    .map(([name, call]) => [
      name,
      async (...input: unknown[]) => {
        await load();
        return (call as (...input: unknown[]) => Promise<unknown>)(...input);
      },
    ]);
  return { ...payments, ...(Object.fromEntries(calls) as Partial<Payments>) };
}
