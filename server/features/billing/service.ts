import type { Plans, Subscription } from '#contract/billing.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import type { Viewer } from '../../http/guards.ts';
import { readGraceMs } from '../../http/access-policy.ts';
import { presentSubscription } from './present-subscription.ts';
import { findPaidThroughOf, listAgreementsOf, listCheckoutsOf, listLedger } from './queries.ts';

export { endAccess, firstGrant, grantUntil } from './grants.ts';
export { findPaidThrough } from './paid-through.ts';
export { noteNewLedgers, stopPaying } from './paid-history.ts';
export { endSubscription, refundPayment } from './admin-payments.ts';
export { readInvoicesOf } from './invoices.ts';
export { exportBilling, forgetBilling } from './privacy.ts';

export async function readPlans({ database, clock }: Deps): Promise<Plans> {
  const { monthlyPrice, annualPrice, trialDays } = await readSettings(database.db, clock.now());
  return {
    currency: CURRENCY,
    monthly: { amount: monthlyPrice },
    annual: { amount: annualPrice },
    trialDays,
  };
}

export const readSubscription = (deps: Deps, viewer: Viewer): Promise<Subscription> =>
  readSubscriptionOf(deps, viewer.user.id);

export async function readSubscriptionOf(deps: Deps, id: string): Promise<Subscription> {
  const { db } = deps.database;
  const state = {
    paidThrough: await findPaidThroughOf(db, id),
    ledger: await listLedger(db, id),
    agreements: await listAgreementsOf(db, id),
    checkouts: await listCheckoutsOf(db, id),
  };
  return presentSubscription(state, {
    now: deps.clock.now(),
    graceMs: await readGraceMs(deps),
    calendar: deps.payments.calendar,
    provider: deps.payments.name,
  });
}
