import { DAY } from '#contract/rules/time.ts';
import type { Charge, ProviderCheckoutState } from '../../../ports/payments/payments.ts';
import { isCouponTaken } from '../coupons/coupon-uses.ts';
import {
  buildLedgerEntry,
  isRefundedAtProvider,
  parseChargeDetail,
  parseRefusedCharge,
  type NewLedgerEntry,
} from '../ledger/ledger-entries.ts';
import type { LateFee } from '../invoices/without-invoice.ts';
import type { CheckoutRow, LedgerEntry, ProviderSubscriptionRow } from '../queries.ts';
import type { LocalState } from './local-state.ts';
import type { ProviderState, ReconcileContext } from './provider-state.ts';
import { reconcileCharges } from './reconcile-charges.ts';
import { reconcileProviderSubscriptions } from './reconcile-provider-subscriptions.ts';

/** What to write so that our database agrees with the provider; unchanged rows are left out. */
export type Outcome = {
  entries: NewLedgerEntry[];
  checkouts: CheckoutRow[];
  providerSubscriptions: ProviderSubscriptionRow[];
  /** Subscriptions to cancel because the user has another one, or never agreed to them. */
  duplicates: ProviderSubscriptionRow[];
  /** There is something to cancel or to refund. */
  hasRefunds: boolean;
  /** The cards of trials that start now. */
  trialCards: { hash: string; checkout: CheckoutRow }[];
};

/** Each charge once, merged from all the places where the provider mentions it. */
function gatherCharges({ checkouts, subscriptions }: ProviderState): Charge[] {
  const byId = new Map<string, Charge>();
  const add = (charge: Charge, providerSubscriptionId: string | null) => {
    const other = byId.get(charge.id);
    byId.set(charge.id, {
      ...other,
      ...charge,
      reference: charge.reference ?? other?.reference ?? null,
      providerSubscriptionId:
        charge.providerSubscriptionId ??
        providerSubscriptionId ??
        other?.providerSubscriptionId ??
        null,
      plan: charge.plan ?? other?.plan ?? null,
      fee: charge.fee ?? other?.fee ?? null,
      refunded: Math.max(charge.refunded, other?.refunded ?? 0),
      dispute: charge.dispute ?? other?.dispute ?? null,
    });
  };
  for (const { charge, providerSubscriptionId } of checkouts.values())
    if (charge) add(charge, providerSubscriptionId);
  for (const { providerSubscription, charges } of subscriptions)
    for (const charge of charges) add(charge, providerSubscription.id);
  return [...byId.values()].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** Some providers know their fee only some time after the payment. */
export const findLateFees = (
  ledger: readonly LedgerEntry[],
  providerState: ProviderState,
): LateFee[] =>
  gatherCharges(providerState).flatMap(({ id, fee }) =>
    fee !== null && ledger.some((entry) => isCharge(entry, id) && entry.fee === null)
      ? [{ chargeId: id, fee }]
      : [],
  );

const isCharge = ({ kind, charge_id }: LedgerEntry, id: string): boolean =>
  charge_id === id && (kind === 'charge' || kind === 'charge-refused');

/** A trial or a coupon's free days start when the checkout is complete, and count from its creation. */
function buildFreePeriod(
  row: CheckoutRow,
  ledger: readonly Pick<NewLedgerEntry, 'kind' | 'detail'>[],
  { provider }: ReconcileContext,
): NewLedgerEntry[] {
  const { plan, free_days: days, free_kind: kind, provider_subscription_id } = row;
  if (kind === null || days === 0) return [];
  const detail = kind === 'trial' ? null : JSON.stringify({ coupon: row.coupon_id });
  // One trial per user and each coupon once, even with several checkouts open.
  if (ledger.some((entry) => entry.kind === kind && entry.detail === detail)) return [];
  const because = kind === 'trial' ? `Started a ${days}-day trial.` : `Coupon: ${days} free days.`;
  const facts = { provider, provider_subscription_id, plan, days, detail };
  return [buildLedgerEntry(kind, row.created_at, because, facts)];
}

/** Providers close a checkout page within days. A later payment for it still counts. */
const CHECKOUT_MS = 7 * DAY;

/** What the payments for a checkout say about it. */
type Verdict = {
  isPaid: boolean;
  isRefused: boolean;
  isCouponTaken: boolean;
  /** Someone else has had a trial with this card. */
  isCardUsed: boolean;
};

/** `paid` after the right payment, or once a free period may start. */
function decideState(
  row: CheckoutRow,
  { state }: ProviderCheckoutState,
  verdict: Verdict,
  now: number,
): CheckoutRow['state'] {
  // A refused checkout has been cancelled and refunded: it never becomes paid.
  if (row.state === 'refused') return 'refused';
  const isFreeNow = state === 'paid' && row.free_days > 0;
  const isForbidden = verdict.isCouponTaken || verdict.isCardUsed;
  if (verdict.isPaid || (isFreeNow && !isForbidden)) return 'paid';
  if (verdict.isRefused || isFreeNow) return 'refused';
  if (row.state !== 'open') return row.state;
  if (state === 'failed') return 'failed';
  // Expires only after the provider was asked: after a month of downtime no payment is lost.
  return row.created_at <= now - CHECKOUT_MS ? 'expired' : 'open';
}

function reconcileCheckout(
  row: CheckoutRow,
  providerCheckout: ProviderCheckoutState,
  verdict: Verdict,
  now: number,
): CheckoutRow {
  const state = decideState(row, providerCheckout, verdict, now);
  const isNewlyPaid = state !== row.state && (state === 'paid' || state === 'refused');
  const customer_id = providerCheckout.customerId ?? row.customer_id;
  const provider_subscription_id =
    providerCheckout.providerSubscriptionId ?? row.provider_subscription_id;
  const isSame =
    state === row.state &&
    customer_id === row.customer_id &&
    provider_subscription_id === row.provider_subscription_id;
  // Without a subscription it stays on the list of the hourly job, until it has one or is refunded.
  const check_at = isNewlyPaid && provider_subscription_id === null ? now : row.check_at;
  return isSame
    ? row
    : {
        ...row,
        state,
        customer_id,
        provider_subscription_id,
        check_at,
        is_card_used: state === 'refused' && verdict.isCardUsed ? 1 : row.is_card_used,
        updated_at: now,
      };
}

/** A subscription that came late names its checkout, even if the checkout doesn’t name it. */
function nameSubscriptions(
  checkouts: readonly CheckoutRow[],
  providerSubscriptions: readonly ProviderSubscriptionRow[],
  now: number,
): CheckoutRow[] {
  return checkouts.map((row) => {
    if (row.check_at === null || row.provider_subscription_id !== null) return row;
    const found = providerSubscriptions.find(({ reference }) => reference === row.reference);
    if (!found) return row;
    const { provider_subscription_id } = found;
    return { ...row, provider_subscription_id, updated_at: now };
  });
}

/** A payment to refund, at least in part, or one that went back, which ends the subscription. */
const leadsToRefund = (entry: NewLedgerEntry): boolean =>
  entry.kind === 'dispute-lost' ||
  isRefundedAtProvider(entry) ||
  parseRefusedCharge(entry) !== null ||
  (parseChargeDetail(entry).agreed ?? Infinity) < (entry.amount ?? 0);

/**
 * Compares what we have with what the provider says. Running it again with the same provider state
 * changes nothing, and neither missed nor reordered webhook events make a difference.
 */
export function reconcile(
  localState: LocalState,
  providerState: ProviderState,
  context: ReconcileContext,
): Outcome {
  const charges = gatherCharges(providerState);
  const { entries, paidReferences, refusedReferences } = reconcileCharges(
    localState,
    providerState,
    charges,
    context,
  );
  const decided = localState.checkouts.map((row) => {
    const providerCheckout = providerState.checkouts.get(row.reference);
    const verdict = {
      isPaid: row.state === 'paid' || paidReferences.has(row.reference),
      isRefused: refusedReferences.has(row.reference),
      isCouponTaken: isCouponTaken(localState.coupons, row),
      isCardUsed: providerState.trialCards?.get(row.reference)?.isUsed ?? false,
    };
    return providerCheckout ? reconcileCheckout(row, providerCheckout, verdict, context.now) : row;
  });
  const { providerSubscriptions, duplicates, hasReplaced, changes } =
    reconcileProviderSubscriptions(
      { ...localState, checkouts: decided },
      providerState,
      charges,
      context,
    );
  const checkouts = nameSubscriptions(
    decided,
    [...localState.providerSubscriptions, ...providerSubscriptions],
    context.now,
  );
  const changed = checkouts.filter((row, index) => row !== localState.checkouts[index]);
  for (const row of changed) {
    const before = localState.checkouts.find(({ reference }) => reference === row.reference);
    if (row.state === 'paid' && before?.state !== 'paid')
      entries.push(...buildFreePeriod(row, [...localState.ledger, ...entries], context));
  }
  const trialCards = changed.flatMap((checkout) => {
    const card = providerState.trialCards?.get(checkout.reference);
    return card && checkout.state === 'paid' ? [{ hash: card.hash, checkout }] : [];
  });
  const isRefused = changed.some(({ state }) => state === 'refused');
  return {
    trialCards,
    entries: [...entries, ...changes],
    checkouts: changed,
    providerSubscriptions,
    duplicates,
    hasRefunds: hasReplaced || isRefused || duplicates.length > 0 || entries.some(leadsToRefund),
  };
}
