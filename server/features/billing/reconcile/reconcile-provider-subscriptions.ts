import type { Charge, ProviderSubscriptionState } from '../../../ports/payments/payments.ts';
import { buildLedgerEntry, type NewLedgerEntry } from '../ledger/ledger-entries.ts';
import { isRenewing, type CheckoutRow, type ProviderSubscriptionRow } from '../queries.ts';
import {
  addAgreedPrices,
  findAgreedAmount,
  readAgreedPrices,
} from '../subscription/agreed-prices.ts';
import { findCurrentSubscription } from '../subscription/service.ts';
import type { LocalState } from './local-state.ts';
import type { ProviderState, ReconcileContext } from './provider-state.ts';

/** The checkout that created a subscription: it says so itself, a payment does, or only one fits. */
function findOrigin(
  checkouts: readonly CheckoutRow[],
  { providerSubscription }: ProviderSubscriptionState,
  charges: readonly Charge[],
): CheckoutRow | null {
  const { id, customerId, plan } = providerSubscription;
  const references = charges
    .filter(({ providerSubscriptionId }) => providerSubscriptionId === id)
    .map(({ reference }) => reference);
  const isFitting = (row: CheckoutRow) =>
    row.provider_subscription_id === null && row.customer_id === customerId && row.plan === plan;
  return (
    checkouts.find((row) => row.provider_subscription_id === id) ??
    checkouts.find(({ reference }) => references.includes(reference)) ??
    checkouts.find((row) => row.state === 'paid' && isFitting(row)) ??
    // It came after the payment was refunded, and is cancelled.
    checkouts.find((row) => row.state === 'refused' && isFitting(row)) ??
    null
  );
}

/** Since when a payment has been failing, and why. */
function findProblem(
  { providerSubscription: { id, status } }: ProviderSubscriptionState,
  charges: readonly Charge[],
  before: ProviderSubscriptionRow,
) {
  if (status !== 'late') return { problem_since: null, problem: null };
  const own = charges.filter(({ providerSubscriptionId }) => providerSubscriptionId === id);
  const lastPaid = own.findLast((charge) => charge.status === 'paid')?.at ?? 0;
  const failed = own.filter((charge) => charge.status === 'failed' && charge.at > lastPaid);
  return {
    problem_since: failed[0]?.at ?? before.problem_since ?? before.updated_at,
    problem: failed.at(-1)?.failure ?? before.problem,
  };
}

function createRow(
  { providerSubscription }: ProviderSubscriptionState,
  origin: CheckoutRow | null,
  localState: LocalState,
  charges: readonly Charge[],
  { now, provider }: ReconcileContext,
): ProviderSubscriptionRow {
  const { id, customerId, plan } = providerSubscription;
  const others = localState.providerSubscriptions;
  const agreed = others.flatMap((row) => readAgreedPrices(row.agreed_prices));
  const first = origin ? [{ plan: origin.plan, amount: origin.renewal_amount }] : [];
  const firstCharge = charges.find(({ providerSubscriptionId }) => providerSubscriptionId === id);
  return {
    id: `${provider}:${id}`,
    provider,
    provider_subscription_id: id,
    user_id: origin?.user_id ?? others[0]?.user_id ?? null,
    customer_id: customerId,
    reference: origin?.reference ?? null,
    plan: plan ?? origin?.plan ?? 'monthly',
    next_plan: null,
    status: 'active',
    agreed_prices: JSON.stringify(origin ? first : addAgreedPrices(agreed, first)),
    next_charge_at: null,
    next_amount: null,
    card: null,
    problem_since: null,
    problem: null,
    changing_to: null,
    replaced_by: null,
    is_duplicate: 0,
    started_at: firstCharge?.at ?? origin?.created_at ?? now,
    check_at: now,
    updated_at: now,
  };
}

/** It charges what the pending change wants: the plan, and the price if that changes. */
function isChanged(
  { changing_to, agreed_prices, ...row }: ProviderSubscriptionRow,
  { plan, nextPlan, nextAmount, status }: ProviderSubscriptionState['providerSubscription'],
): boolean {
  // While it still ends, a resumption is not over: another subscription may carry on.
  if (status === 'ending') return false;
  const next = nextPlan ?? plan ?? row.plan;
  const agreed = findAgreedAmount(readAgreedPrices(agreed_prices), next);
  return changing_to === next && (nextAmount === null || nextAmount === agreed);
}

function updateRow(
  row: ProviderSubscriptionRow,
  state: ProviderSubscriptionState,
  charges: readonly Charge[],
): ProviderSubscriptionRow {
  const { providerSubscription } = state;
  const plan = providerSubscription.plan ?? row.plan;
  const nextPlan =
    providerSubscription.nextPlan === providerSubscription.plan
      ? null
      : providerSubscription.nextPlan;
  return {
    ...row,
    ...findProblem(state, charges, row),
    customer_id: providerSubscription.customerId,
    plan,
    next_plan: nextPlan,
    changing_to: isChanged(row, providerSubscription) ? null : row.changing_to,
    status: providerSubscription.status,
    next_charge_at: providerSubscription.nextChargeAt,
    next_amount: providerSubscription.nextAmount,
    card: providerSubscription.card === null ? row.card : JSON.stringify(providerSubscription.card),
  };
}

/** Completes a plan change that stopped half-way: the new subscription replaces the old one. */
function markReplaced(
  rows: Map<string, ProviderSubscriptionRow>,
  created: readonly ProviderSubscriptionRow[],
): boolean {
  let hasReplaced = false;
  for (const next of created) {
    if (next.reference !== null) continue;
    const old = [...rows.values()].find(
      (row) =>
        row.id !== next.id &&
        row.provider === next.provider &&
        row.changing_to === (next.next_plan ?? next.plan),
    );
    if (!old) continue;
    rows.set(old.id, { ...old, changing_to: null, replaced_by: next.provider_subscription_id });
    hasReplaced = true;
  }
  return hasReplaced;
}

/** Subscriptions whose checkout was paid with something the user did not agree to. */
const findRefused = (rows: readonly ProviderSubscriptionRow[], checkouts: readonly CheckoutRow[]) =>
  rows.filter(
    ({ is_duplicate, reference }) =>
      is_duplicate === 0 &&
      checkouts.some((row) => row.state === 'refused' && row.reference === reference),
  );

/**
 * Subscriptions that appear after the user cancelled everything, without a later checkout or a change
 * that is still pending: they came late, or a change that stopped half-way left one at the provider.
 */
function findUnwanted(
  created: readonly ProviderSubscriptionRow[],
  { providerSubscriptions: before, ledger, checkouts }: LocalState,
  after: readonly ProviderSubscriptionRow[],
): ProviderSubscriptionRow[] {
  const last = ledger.findLast(({ kind }) =>
    ['cancelled', 'resumed', 'subscribed', 'plan-changed'].includes(kind),
  );
  if (last?.kind !== 'cancelled' || before.some(isRenewing)) return [];
  const isOlder = ({ reference, check_at }: CheckoutRow, row: ProviderSubscriptionRow) =>
    reference === row.reference && check_at !== null && row.started_at <= last.at;
  return created.filter(
    (row) =>
      (row.reference === null || checkouts.some((checkout) => isOlder(checkout, row))) &&
      !before.some(({ changing_to }) => changing_to === row.plan) &&
      !after.some(({ replaced_by }) => replaced_by === row.provider_subscription_id),
  );
}

/** A subscription that the provider no longer knows charges no one. */
function endMissing(
  rows: Map<string, ProviderSubscriptionRow>,
  missing: ReadonlySet<string> | undefined,
  provider: string,
) {
  for (const row of rows.values())
    if (
      row.provider === provider &&
      row.status !== 'ended' &&
      missing?.has(row.provider_subscription_id)
    )
      rows.set(row.id, { ...row, status: 'ended', next_charge_at: null, next_amount: null });
}

/**
 * Of several subscriptions that renew, all but one are duplicates: the oldest active one stays.
 * Subscriptions that are ending or replaced do not count.
 */
function findDuplicates(
  rows: readonly ProviderSubscriptionRow[],
  provider: string,
): ProviderSubscriptionRow[] {
  const renewing = rows
    .filter((row) => row.provider === provider && row.is_duplicate === 0)
    .filter((row) => row.replaced_by === null && isRenewing(row))
    .toSorted((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1));
  const kept = renewing.find(({ status }) => status === 'active') ?? renewing[0];
  return renewing.filter((row) => row !== kept);
}

const isRunning = (row: ProviderSubscriptionRow | null): row is ProviderSubscriptionRow =>
  row !== null && row.status !== 'ended';

/** What changed about the user's subscription as a whole, whichever provider subscription it is now. */
function* listChangeEntries(
  before: readonly ProviderSubscriptionRow[],
  after: readonly ProviderSubscriptionRow[],
  { now, provider }: ReconcileContext,
): Generator<NewLedgerEntry> {
  const old = findCurrentSubscription(before, provider);
  const current = findCurrentSubscription(after, provider);
  if (!current) return;
  const { provider_subscription_id } = current;
  const facts = { provider, provider_subscription_id, plan: current.plan };
  const build = (kind: NewLedgerEntry['kind'], because: string, at = now) =>
    buildLedgerEntry(kind, at, because, facts);
  if (isRunning(current) && !isRunning(old))
    yield build('subscribed', `Started the ${current.plan} plan.`, current.started_at);
  if (!isRunning(old)) return;
  const [wasEnding, isEnding] = [old.status === 'ending', current.status === 'ending'];
  if (isRunning(current) && !wasEnding && isEnding) yield build('cancelled', 'Won’t renew.');
  if (isRunning(current) && wasEnding && !isEnding) yield build('resumed', 'Will renew again.');
  const [oldPlan, plan] = [old.next_plan ?? old.plan, current.next_plan ?? current.plan];
  if (isRunning(current) && plan !== oldPlan)
    yield build('plan-changed', `Switches to ${plan} at the next payment.`);
  if (current.status === 'ended') yield build('ended', 'Ended by the payment provider.');
}

const isSame = (a: ProviderSubscriptionRow | undefined, b: ProviderSubscriptionRow): boolean =>
  a !== undefined && JSON.stringify(a) === JSON.stringify(b);

export function reconcileProviderSubscriptions(
  localState: LocalState,
  { subscriptions, missing }: ProviderState,
  charges: readonly Charge[],
  context: ReconcileContext,
): {
  providerSubscriptions: ProviderSubscriptionRow[];
  duplicates: ProviderSubscriptionRow[];
  hasReplaced: boolean;
  changes: NewLedgerEntry[];
} {
  const { now, provider } = context;
  const before = new Map(localState.providerSubscriptions.map((row) => [row.id, row]));
  const rows = new Map(before);
  const created: ProviderSubscriptionRow[] = [];
  for (const state of subscriptions) {
    const existing = rows.get(`${provider}:${state.providerSubscription.id}`);
    const origin = existing ? null : findOrigin(localState.checkouts, state, charges);
    // No one here agreed to it: it belongs to another user or was created by hand at the provider.
    if (!existing && !origin && before.size === 0) continue;
    const row = existing ?? createRow(state, origin, localState, charges, context);
    const updated = updateRow(row, state, charges);
    rows.set(row.id, updated);
    if (!existing) created.push(updated);
  }
  endMissing(rows, missing, provider);
  const hasReplaced = markReplaced(rows, created);
  const refused = [
    ...findRefused([...rows.values()], localState.checkouts),
    ...findUnwanted(created, localState, [...rows.values()]),
  ];
  for (const row of refused) rows.set(row.id, { ...row, is_duplicate: 1 });
  const duplicates = findDuplicates([...rows.values()], provider);
  for (const row of duplicates) rows.set(row.id, { ...row, is_duplicate: 1 });
  const after = [...rows.values()];
  const duplicateEntries = duplicates.map(({ provider_subscription_id, plan }) =>
    buildLedgerEntry('duplicate', now, 'Duplicate subscription cancelled and refunded.', {
      provider,
      provider_subscription_id,
      plan,
    }),
  );
  return {
    providerSubscriptions: after
      .filter((row) => !isSame(before.get(row.id), row))
      .map((row) => ({ ...row, updated_at: now })),
    duplicates: [...refused, ...duplicates],
    hasReplaced,
    changes: [
      ...duplicateEntries,
      ...listChangeEntries(localState.providerSubscriptions, after, context),
    ],
  };
}
