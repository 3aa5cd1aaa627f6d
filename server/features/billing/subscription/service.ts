import type { Plans, Subscription } from '#contract/billing.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import { readSettings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { readGraceMs } from '../../../http/access-policy.ts';
import type { Viewer } from '../../../http/guards.ts';
import {
  findPaidThroughOf,
  listCheckoutsOf,
  listLedgerEntries,
  listProviderSubscriptionsOf,
} from '../queries.ts';
import { presentSubscription } from './present-subscription.ts';

export async function getPlans({ database, clock }: Deps): Promise<Plans> {
  const { monthlyPrice, annualPrice, trialDays } = await readSettings(database.db, clock.now());
  return {
    currency: CURRENCY,
    monthly: { amount: monthlyPrice },
    annual: { amount: annualPrice },
    trialDays,
  };
}

export const getSubscription = (deps: Deps, viewer: Viewer): Promise<Subscription> =>
  getSubscriptionOf(deps, viewer.user.id);

export async function getSubscriptionOf(deps: Deps, userId: string): Promise<Subscription> {
  const { db } = deps.database;
  const state = {
    paidThrough: await findPaidThroughOf(db, userId),
    ledger: await listLedgerEntries(db, userId),
    providerSubscriptions: await listProviderSubscriptionsOf(db, userId),
    checkouts: await listCheckoutsOf(db, userId),
  };
  return presentSubscription(state, {
    now: deps.clock.now(),
    graceMs: await readGraceMs(deps),
    calendar: deps.payments.calendar,
    provider: deps.payments.name,
  });
}
