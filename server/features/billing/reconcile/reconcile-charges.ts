import { formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Charge } from '../../../ports/payments/payments.ts';
import { isCouponSpent, spendCoupon } from '../coupons/coupon-uses.ts';
import {
  buildLedgerEntry,
  formatChargeDetail,
  formatDisputeDetail,
  formatRefusedCharge,
  parseChargeDetail,
  REFUNDED_AT_PROVIDER,
  type NewLedgerEntry,
} from '../ledger/ledger-entries.ts';
import { findDisputeState, type DisputeState } from '../ledger/disputes.ts';
import type { CheckoutRow, LedgerEntry } from '../queries.ts';
import {
  addAgreedPrices,
  findClosestAgreedAmount,
  isAgreed,
  readAgreedPrices,
  type AgreedPrice,
} from '../subscription/agreed-prices.ts';
import type { LocalState } from './local-state.ts';
import type { ProviderState, ReconcileContext } from './provider-state.ts';

/** What the ledger says about a charge. */
type RecordedCharge = {
  isRecorded: boolean;
  /** Why it was refused: it stays refused. */
  refusal: LedgerEntry | null;
  isFailureRecorded: boolean;
  refunded: number;
  dispute: DisputeState;
};

function readRecordedCharge(ledger: readonly LedgerEntry[], id: string): RecordedCharge {
  const entries = ledger.filter((entry) => entry.charge_id === id);
  const count = (kind: LedgerEntry['kind']) =>
    entries.filter((entry) => entry.kind === kind).length;
  const refunds = entries.filter(({ kind }) => kind === 'refund').map(({ amount }) => amount ?? 0);
  return {
    isRecorded: count('charge') + count('charge-refused') > 0,
    refusal: entries.find(({ kind }) => kind === 'charge-refused') ?? null,
    isFailureRecorded: count('charge-failed') > 0,
    // The last entry counts: a refund may fail after it was reported.
    refunded: refunds.at(-1) ?? 0,
    dispute: findDisputeState(entries),
  };
}

/** The checkout that created a provider subscription. */
const findOrigin = (
  { checkouts }: LocalState,
  providerState: ProviderState,
  id: string,
): CheckoutRow | null =>
  checkouts.find(
    ({ reference, provider_subscription_id }) =>
      provider_subscription_id === id ||
      providerState.checkouts.get(reference)?.providerSubscriptionId === id,
  ) ?? null;

/** Every price this user may be charged, also on a subscription that a plan change created. */
function findAgreedPrices(
  { providerSubscriptions }: LocalState,
  origin: CheckoutRow | null,
): AgreedPrice[] {
  const agreed = providerSubscriptions.flatMap((row) => readAgreedPrices(row.agreed_prices));
  const first = origin ? [{ plan: origin.plan, amount: origin.renewal_amount }] : [];
  return addAgreedPrices(agreed, first);
}

type Agreed = {
  /** The checkout that the charge names, or that created its subscription if nothing is paid yet. */
  checkout: CheckoutRow | null;
  prices: readonly AgreedPrice[];
  /** The coupon behind the checkout's price is used up, by this user or by everyone together. */
  isCouponSpent: boolean;
};

/** Whether a payment counts. */
type Verdict =
  | { is: 'agreed' }
  /** A renewal at another amount than the user agreed to: it counts, and what is above is refunded. */
  | { is: 'honoured'; agreed: number }
  | { is: 'refused'; because: string };

function judgeCharge(
  { amount, currency, plan, reference, at }: Charge,
  { checkout, prices, isCouponSpent: isSpent }: Agreed,
): Verdict {
  const charged = `${formatMoney(amount, currency)} was charged`;
  const refuse = (because: string): Verdict => ({ is: 'refused', because });
  const isOfCheckout =
    checkout?.plan === plan && checkout.amount === amount && checkout.currency === currency;
  if (isOfCheckout)
    return isSpent ? refuse(`${charged} using a coupon that was already used.`) : { is: 'agreed' };
  if (currency !== CURRENCY) return refuse(`${charged}, which is not in ${CURRENCY}.`);
  if (plan === null) return refuse(`${charged} for something that is not one of our plans.`);
  if (reference !== null && !checkout)
    return refuse(`${charged} for a checkout that this member didn’t start.`);
  if (reference === null) {
    // The first payment of a coupon's price: the full price is agreed for later ones only.
    const isReduced = checkout?.plan === plan && checkout.amount < checkout.renewal_amount;
    if (isReduced && !isSpent) return { is: 'honoured', agreed: checkout.amount };
    if (isAgreed(prices, { plan, amount }, at)) return { is: 'agreed' };
    const first = checkout ? [{ plan: checkout.plan, amount: checkout.amount }] : [];
    const agreed = findClosestAgreedAmount([...prices, ...first], { plan, amount }, at);
    if (agreed !== null) return { is: 'honoured', agreed };
  }
  const expected = checkout
    ? `${formatMoney(checkout.amount, checkout.currency)} (${checkout.plan})`
    : prices.map((price) => `${formatMoney(price.amount, CURRENCY)} (${price.plan})`).join(' or ');
  return refuse(`${charged} for the ${plan} plan; expected ${expected || 'nothing'}.`);
}

const toFacts = (charge: Charge, provider: string): Partial<NewLedgerEntry> => ({
  provider,
  charge_id: charge.id,
  provider_subscription_id: charge.providerSubscriptionId,
  plan: charge.plan,
  amount: charge.amount,
  currency: charge.currency,
  actor: 'provider',
});

/** A full refund of a payment that counted, which the site has not asked for, or only for a part. */
function isMadeAtProvider(
  { id, amount, refunded, dispute, providerSubscriptionId }: Charge,
  isCounted: boolean,
  { providerSubscriptions }: LocalState,
  { refundRequests }: ProviderState,
): boolean {
  const isDuplicate = providerSubscriptions.some(
    (row) =>
      row.is_duplicate === 1 && row.provider_subscription_id === (providerSubscriptionId ?? ''),
  );
  return (
    isCounted &&
    !isDuplicate &&
    dispute?.state !== 'lost' &&
    refunded >= amount &&
    (refundRequests?.get(id) ?? 0) < amount
  );
}

function explainRefund(
  { amount, refunded, currency }: Charge,
  recorded: RecordedCharge,
  isAtProvider: boolean,
): string {
  const [all, back] = [formatMoney(amount, currency), formatMoney(refunded, currency)];
  if (refunded < recorded.refunded)
    return `A refund failed: ${back} of ${all} is refunded, and the payment counts for the rest.`;
  if (isAtProvider)
    return `${back} refunded at the payment provider, not here; the period it covered was removed.`;
  return refunded >= amount
    ? `${back} refunded; the period it covered was removed.`
    : `${back} of ${all} refunded; the period stays.`;
}

function explainCharge({ amount, currency, plan }: Charge, verdict: Verdict): string {
  const paid = `${formatMoney(amount, currency)} paid for the ${plan} plan`;
  if (verdict.is !== 'honoured') return `${paid}.`;
  const { agreed } = verdict;
  const instead = `${paid} instead of ${formatMoney(agreed, currency)}`;
  return amount > agreed
    ? `${instead}; ${formatMoney(amount - agreed, currency)} is refunded.`
    : `${instead}; the period counts.`;
}

/** The payment itself, or that it was refused or failed. */
function* listPaymentEntries(
  charge: Charge,
  recorded: RecordedCharge,
  { verdict, detail }: { verdict: Verdict; detail: string | null },
  provider: string,
): Generator<NewLedgerEntry> {
  const facts = toFacts(charge, provider);
  if (charge.status === 'failed' && !recorded.isFailureRecorded)
    yield buildLedgerEntry(
      'charge-failed',
      charge.at,
      charge.failure ?? 'The payment failed.',
      facts,
    );
  if (charge.status !== 'paid' || recorded.isRecorded) return;
  const paid = { ...facts, detail, fee: charge.fee };
  yield verdict.is === 'refused'
    ? buildLedgerEntry('charge-refused', charge.at, verdict.because, paid)
    : buildLedgerEntry('charge', charge.at, explainCharge(charge, verdict), paid);
}

/** What happened to a payment since: a refund, or a dispute and how it ended. */
function* listReversalEntries(
  charge: Charge,
  recorded: RecordedCharge,
  isAtProvider: boolean,
  { now, provider }: ReconcileContext,
): Generator<NewLedgerEntry> {
  if (charge.status !== 'paid') return;
  const facts = toFacts(charge, provider);
  const amount = formatMoney(charge.amount, charge.currency);
  const { dispute } = charge;
  if (charge.refunded !== recorded.refunded)
    yield buildLedgerEntry('refund', now, explainRefund(charge, recorded, isAtProvider), {
      ...facts,
      amount: charge.refunded,
      detail: isAtProvider ? REFUNDED_AT_PROVIDER : null,
    });
  if (dispute && recorded.dispute === 'none')
    yield buildLedgerEntry('dispute', now, `${amount} charged back; the period was removed.`, {
      ...facts,
      detail: formatDisputeDetail({ respondBy: dispute.respondBy }),
    });
  if (dispute?.state === 'lost' && recorded.dispute !== 'lost')
    yield buildLedgerEntry(
      'dispute-lost',
      now,
      `The dispute over ${amount} was decided against us.`,
      facts,
    );
  if (!dispute && recorded.dispute !== 'none')
    yield buildLedgerEntry(
      'dispute-won',
      now,
      `Chargeback reversed; ${amount} counts again.`,
      facts,
    );
}

/** What the ledger needs to know later about a payment. */
function describeCharge(
  charge: Charge,
  verdict: Verdict,
  {
    named,
    isCouponSpent: isSpent,
    isKnown,
  }: { named: CheckoutRow | null; isCouponSpent: boolean; isKnown: boolean },
): string | null {
  if (verdict.is === 'honoured') return formatChargeDetail({ agreed: verdict.agreed });
  if (verdict.is === 'agreed')
    return named && charge.providerSubscriptionId === null
      ? formatChargeDetail({ reference: named.reference })
      : null;
  if (named) return formatRefusedCharge({ reference: named.reference, isCouponSpent: isSpent });
  // A payment that may belong to someone else is left to an administrator.
  const isOwnRenewal = charge.reference === null && isKnown;
  return isOwnRenewal ? formatRefusedCharge({ reference: null, isCouponSpent: false }) : null;
}

export function reconcileCharges(
  localState: LocalState,
  providerState: ProviderState,
  charges: readonly Charge[],
  context: ReconcileContext,
): { entries: NewLedgerEntry[]; paidReferences: Set<string>; refusedReferences: Set<string> } {
  const entries: NewLedgerEntry[] = [];
  const paidReferences = new Set<string>();
  const refusedReferences = new Set<string>();
  let { coupons } = localState;
  /** A payment that is older than its subscription names only the checkout. */
  const hasCharge = (id: string, origin: CheckoutRow | null) =>
    [...localState.ledger, ...entries].some(
      (entry) =>
        entry.kind === 'charge' &&
        (entry.provider_subscription_id === id ||
          (origin !== null && parseChargeDetail(entry).reference === origin.reference)),
    );
  for (const charge of charges) {
    const { providerSubscriptionId: id } = charge;
    const origin = id ? findOrigin(localState, providerState, id) : null;
    const named =
      localState.checkouts.find(({ reference }) => reference === charge.reference) ?? null;
    // The first payment may come without our reference; only one payment can be the first.
    const isFirst = id !== null && !hasCharge(id, origin);
    const checkout = named ?? (charge.reference === null && isFirst ? origin : null);
    const recorded = readRecordedCharge(localState.ledger, charge.id);
    // The ledger grants free days only once; a reduced price is checked against each payment.
    const isReduced = checkout !== null && checkout.free_days === 0;
    const isSpent = isReduced && !recorded.isRecorded && isCouponSpent(coupons, checkout);
    const prices = findAgreedPrices(localState, origin);
    const verdict: Verdict = recorded.refusal
      ? { is: 'refused', because: recorded.refusal.because }
      : judgeCharge(charge, { checkout, prices, isCouponSpent: isSpent });
    const isKnown = origin !== null || localState.providerSubscriptions.length > 0;
    const detail = describeCharge(charge, verdict, { named, isCouponSpent: isSpent, isKnown });
    entries.push(...listPaymentEntries(charge, recorded, { verdict, detail }, context.provider));
    const isCounted = recorded.isRecorded ? !recorded.refusal : verdict.is !== 'refused';
    const isAtProvider = isMadeAtProvider(charge, isCounted, localState, providerState);
    entries.push(...listReversalEntries(charge, recorded, isAtProvider, context));
    if (charge.status !== 'paid') continue;
    if (verdict.is !== 'refused' && checkout) {
      paidReferences.add(checkout.reference);
      // The payment of a refused checkout goes back, and its coupon is free again.
      if (isReduced && checkout.state !== 'refused') coupons = spendCoupon(coupons, checkout);
    }
    if (verdict.is === 'refused' && named) refusedReferences.add(named.reference);
  }
  return { entries, paidReferences, refusedReferences };
}
