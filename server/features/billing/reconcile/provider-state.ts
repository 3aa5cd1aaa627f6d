import { DAY } from '#contract/rules/time.ts';
import type { Db } from '../../../db/connect.ts';
import {
  failure,
  isNotFound,
  type Charge,
  type Payments,
  type ProviderCheckoutState,
  type ProviderName,
  type ProviderSubscriptionState,
} from '../../../ports/payments/payments.ts';
import { readTrialCards, type TrialCards } from '../coupons/trial-cards.ts';
import { isUndecided, listUsersOfCustomer } from '../queries.ts';
import { sumRefundRequests } from '../refund-charge.ts';
import type { LocalState } from './local-state.ts';

/** What the provider says now. */
export type ProviderState = {
  checkouts: ReadonlyMap<string, ProviderCheckoutState>;
  subscriptions: readonly ProviderSubscriptionState[];
  /** Ids of our provider subscriptions that the provider doesn't know, or no longer knows. */
  missing?: ReadonlySet<string>;
  /** The cards of checkouts with a trial. */
  trialCards?: TrialCards;
  /** How much of fully refunded charges the site has asked to refund. */
  refundRequests?: ReadonlyMap<string, number>;
};

export type ReconcileContext = { now: number; provider: ProviderName };

/** What a webhook event, or a user returning from the checkout, is about. */
export type Hints = {
  references?: readonly string[];
  providerSubscriptionIds?: readonly string[];
  customerIds?: readonly string[];
};

/** Limits the requests for a user who left many checkouts open. */
const MAX_OPEN = 10;
/** A payment further in the future means that the provider's clock or ours is wrong. */
const MAX_AHEAD_MS = 2 * DAY;

const distinct = (texts: readonly (string | null | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => text !== null && text !== undefined)),
];

async function readCheckouts(payments: Payments, localState: LocalState, hints: Hints) {
  const open = localState.checkouts.filter(isUndecided).slice(0, MAX_OPEN);
  const hinted = localState.checkouts.filter(({ reference }) =>
    hints.references?.includes(reference),
  );
  const states = new Map<string, ProviderCheckoutState>();
  for (const { reference, checkout_id, provider } of new Set([...open, ...hinted]))
    if (provider === payments.name)
      states.set(reference, await payments.getCheckout(reference, checkout_id));
  return states;
}

/** Null for what the provider has deleted: that must not stop us from reading the rest. */
async function askIfKnown<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

async function readSubscriptions(
  payments: Payments,
  localState: LocalState,
  checkouts: readonly ProviderCheckoutState[],
  hints: Hints,
): Promise<{ found: ProviderSubscriptionState[]; missing: Set<string> }> {
  const own = localState.providerSubscriptions.filter(({ provider }) => provider === payments.name);
  const running = own.filter(({ status }) => status !== 'ended');
  const customers = distinct([
    ...own.map(({ customer_id }) => customer_id),
    ...checkouts.map(({ customerId }) => customerId),
    ...(hints.customerIds ?? []),
  ]);
  const found = new Map<string, ProviderSubscriptionState>();
  for (const customer of customers)
    for (const state of (await askIfKnown(() => payments.listProviderSubscriptions(customer))) ??
      [])
      found.set(state.providerSubscription.id, state);
  const named = distinct([
    ...running.map((row) => row.provider_subscription_id),
    ...running.map((row) => row.replaced_by),
    ...checkouts.map(({ providerSubscriptionId }) => providerSubscriptionId),
    ...(hints.providerSubscriptionIds ?? []),
  ]);
  const missing = new Set<string>();
  for (const id of named) {
    if (found.has(id)) continue;
    const state = await askIfKnown(() => payments.getProviderSubscription(id));
    if (state) found.set(id, state);
    else missing.add(id);
  }
  return { found: [...found.values()], missing };
}

/** Those of these subscriptions that belong to another user or to a deleted account. */
async function listForeign(
  db: Db,
  provider: string,
  ids: readonly string[],
  userId: string,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('provider_subscriptions')
    .select(['provider_subscription_id', 'user_id'])
    .where('provider', '=', provider)
    .where('provider_subscription_id', 'in', ids)
    .execute();
  return rows.filter((row) => row.user_id !== userId).map((row) => row.provider_subscription_id);
}

/** Some providers identify customers by e-mail address, which may have passed to another user. */
async function dropForeign(
  db: Db,
  payments: Payments,
  { userId, localState }: { userId: string; localState: LocalState },
  {
    checkouts,
    subscriptions,
  }: {
    checkouts: ReadonlyMap<string, ProviderCheckoutState>;
    subscriptions: readonly ProviderSubscriptionState[];
  },
): Promise<ProviderSubscriptionState[]> {
  const ids = subscriptions.map(({ providerSubscription }) => providerSubscription.id);
  const foreign = await listForeign(db, payments.name, ids, userId);
  const customers = distinct(
    subscriptions.map(({ providerSubscription }) => providerSubscription.customerId),
  );
  const shared = new Set<string>();
  for (const customer of customers) {
    const users = await listUsersOfCustomer(db, payments.name, customer);
    if (users.some((id) => id !== userId)) shared.add(customer);
  }
  const own = new Set([
    ...localState.providerSubscriptions.map((row) => row.provider_subscription_id),
    ...localState.providerSubscriptions.map((row) => row.replaced_by),
    ...localState.checkouts.map((row) => row.provider_subscription_id),
    ...[...checkouts.values()].map(({ providerSubscriptionId }) => providerSubscriptionId),
  ]);
  const references = new Set(localState.checkouts.map(({ reference }) => reference));
  return subscriptions.filter(({ providerSubscription, charges }) => {
    const { id, customerId } = providerSubscription;
    // Without one of our plans it is another product on the same account, unless we know it.
    if (foreign.includes(id) || (providerSubscription.plan === null && !own.has(id))) return false;
    if (!shared.has(customerId) || own.has(id)) return true;
    return charges.some(({ reference }) => reference !== null && references.has(reference));
  });
}

const listCharges = ({ subscriptions, checkouts }: ProviderState): Charge[] => [
  ...subscriptions.flatMap((state) => state.charges),
  ...[...checkouts.values()].flatMap(({ charge }) => charge ?? []),
];

function refuseFutureCharges(providerState: ProviderState, now: number) {
  if (listCharges(providerState).every(({ at }) => at <= now + MAX_AHEAD_MS)) return;
  throw failure(
    'The provider reports a payment in the future. Nothing is recorded until the clocks agree.',
  );
}

/** Asks the provider for everything about a user. */
export async function readProviderState(
  { db, payments, now }: { db: Db; payments: Payments; now: number },
  account: { userId: string; localState: LocalState },
  hints: Hints,
): Promise<ProviderState> {
  const { localState } = account;
  const checkouts = await readCheckouts(payments, localState, hints);
  const read = await readSubscriptions(payments, localState, [...checkouts.values()], hints);
  const found = { checkouts, subscriptions: read.found };
  const subscriptions = await dropForeign(db, payments, account, found);
  const trialCards = await readTrialCards(db, localState.checkouts, checkouts);
  const providerState = { checkouts, subscriptions, missing: read.missing, trialCards };
  refuseFutureCharges(providerState, now);
  // Read after the provider was asked: each refund that it shows has been stored by then.
  const refunded = listCharges(providerState).filter((charge) => charge.refunded >= charge.amount);
  const ids = distinct(refunded.map(({ id }) => id));
  return { ...providerState, refundRequests: await sumRefundRequests(db, payments.name, ids) };
}
