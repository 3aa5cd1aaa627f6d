import { formatMoney } from '#contract/rules/format.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Charge } from '../../../ports/payments/payments.ts';
import { isCouponSpent, spendCoupon } from '../coupons/coupon-uses.ts';
import {
  buildLedgerEntry,
  formatRefusedPurchase,
  type NewLedgerEntry,
} from '../ledger/ledger-entries.ts';
import type { CheckoutRow, LedgerEntry } from '../queries.ts';
import {
  addAgreedPrices,
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
  isDisputed: boolean;
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
    isDisputed: count('dispute') > count('dispute-won'),
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

/** Why we don't accept a payment; null when the user agreed to exactly this one. */
function findChargeProblem(
  { amount, currency, plan, reference }: Charge,
  { checkout, prices, isCouponSpent: isSpent }: Agreed,
): string | null {
  const charged = `${formatMoney(amount, currency)} was charged`;
  const isOfCheckout =
    checkout?.plan === plan && checkout.amount === amount && checkout.currency === currency;
  if (isOfCheckout) return isSpent ? `${charged} using a coupon that was already used.` : null;
  if (currency !== CURRENCY) return `${charged}, which is not in ${CURRENCY}.`;
  if (plan === null) return `${charged} for something that is not one of our plans.`;
  if (reference === null && isAgreed(prices, { plan, amount })) return null;
  if (reference !== null && !checkout)
    return `${charged} for a checkout that this member didn’t start.`;
  const expected = checkout
    ? `${formatMoney(checkout.amount, checkout.currency)} (${checkout.plan})`
    : prices.map((price) => `${formatMoney(price.amount, CURRENCY)} (${price.plan})`).join(' or ');
  return `${charged} for the ${plan} plan; expected ${expected || 'nothing'}.`;
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

function explainRefund({ amount, refunded, currency }: Charge, recorded: RecordedCharge): string {
  const [all, back] = [formatMoney(amount, currency), formatMoney(refunded, currency)];
  if (refunded < recorded.refunded)
    return `A refund failed: ${back} of ${all} is refunded, and the payment counts for the rest.`;
  return refunded >= amount
    ? `${back} refunded; the period it covered was removed.`
    : `${back} of ${all} refunded; the period stays.`;
}

type Verdict = { problem: string | null; detail: string | null };

/** The payment, refund, dispute or failure that the ledger doesn't have yet. */
function* listChargeEntries(
  charge: Charge,
  recorded: RecordedCharge,
  { problem, detail }: Verdict,
  { now, provider }: ReconcileContext,
): Generator<NewLedgerEntry> {
  const facts = toFacts(charge, provider);
  const amount = formatMoney(charge.amount, charge.currency);
  if (charge.status === 'failed' && !recorded.isFailureRecorded)
    yield buildLedgerEntry(
      'charge-failed',
      charge.at,
      charge.failure ?? 'The payment failed.',
      facts,
    );
  if (charge.status !== 'paid') return;
  if (!recorded.isRecorded)
    yield problem === null
      ? buildLedgerEntry('charge', charge.at, `${amount} paid for the ${charge.plan} plan.`, facts)
      : buildLedgerEntry('charge-refused', charge.at, problem, { ...facts, detail });
  if (charge.refunded !== recorded.refunded)
    yield buildLedgerEntry('refund', now, explainRefund(charge, recorded), {
      ...facts,
      amount: charge.refunded,
    });
  if (charge.dispute && !recorded.isDisputed)
    yield buildLedgerEntry(
      'dispute',
      now,
      `${amount} charged back; the period was removed.`,
      facts,
    );
  if (!charge.dispute && recorded.isDisputed)
    yield buildLedgerEntry(
      'dispute-won',
      now,
      `Chargeback reversed; ${amount} counts again.`,
      facts,
    );
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
  const hasCharge = (id: string) =>
    [...localState.ledger, ...entries].some(
      (entry) => entry.kind === 'charge' && entry.provider_subscription_id === id,
    );
  for (const charge of charges) {
    const { providerSubscriptionId: id } = charge;
    const origin = id ? findOrigin(localState, providerState, id) : null;
    const named =
      localState.checkouts.find(({ reference }) => reference === charge.reference) ?? null;
    // The first payment may come without our reference; only one payment can be the first.
    const isFirst = id !== null && !hasCharge(id);
    const checkout = named ?? (charge.reference === null && isFirst ? origin : null);
    const recorded = readRecordedCharge(localState.ledger, charge.id);
    // The ledger grants free days only once; a reduced price is checked against each payment.
    const isReduced = checkout !== null && checkout.free_days === 0;
    const isSpent = isReduced && !recorded.isRecorded && isCouponSpent(coupons, checkout);
    const prices = findAgreedPrices(localState, origin);
    const problem =
      recorded.refusal?.because ??
      findChargeProblem(charge, { checkout, prices, isCouponSpent: isSpent });
    const detail =
      named && formatRefusedPurchase({ reference: named.reference, isCouponSpent: isSpent });
    entries.push(...listChargeEntries(charge, recorded, { problem, detail }, context));
    if (charge.status !== 'paid') continue;
    if (problem === null && checkout) {
      paidReferences.add(checkout.reference);
      if (isReduced) coupons = spendCoupon(coupons, checkout);
    }
    if (problem !== null && named) refusedReferences.add(named.reference);
  }
  return { entries, paidReferences, refusedReferences };
}
