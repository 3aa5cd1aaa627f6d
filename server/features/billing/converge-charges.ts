import type { Charge } from '../../ports/payments/payments.ts';
import { isCodeSpent, spendCode } from './code-stands.ts';
import { formatAmount } from './format-amount.ts';
import { newEvent, type NewEvent } from './ledger-event.ts';
import type { CheckoutRow, LedgerRow } from './queries.ts';
import { writeRefusedPurchase } from './refused-purchase.ts';
import { addTerms, readTerms, type Term } from './terms.ts';
import { findChargeProblem } from './verify-charge.ts';
import type { Known, Moment, Truth } from './truth.ts';

type KnownCharge = {
  isTaken: boolean;
  /** Why it pays for nothing, where that is written down: what was refused stays so. */
  refusal: LedgerRow | null;
  isFailureKnown: boolean;
  refunded: number;
  isDisputed: boolean;
};

function readKnownCharge(ledger: readonly LedgerRow[], id: string): KnownCharge {
  const rows = ledger.filter((row) => row.charge_id === id);
  const count = (kind: LedgerRow['kind']) => rows.filter((row) => row.kind === kind).length;
  const refunds = rows.filter(({ kind }) => kind === 'refund').map(({ amount }) => amount ?? 0);
  return {
    isTaken: count('charge') + count('charge-refused') > 0,
    refusal: rows.find(({ kind }) => kind === 'charge-refused') ?? null,
    isFailureKnown: count('charge-failed') > 0,
    // The last word counts: a refund may fail after it was said to be made.
    refunded: refunds.at(-1) ?? 0,
    isDisputed: count('dispute') > count('dispute-won'),
  };
}

/** The checkout that an agreement came from. */
const findOrigin = (known: Known, truth: Truth, agreementId: string): CheckoutRow | null =>
  known.checkouts.find(
    ({ reference, agreement_id }) =>
      agreement_id === agreementId || truth.checkouts.get(reference)?.agreementId === agreementId,
  ) ?? null;

/** All that this member may be charged on an agreement, one that a change of plan made included. */
function findTerms(known: Known, origin: CheckoutRow | null): Term[] {
  const agreed = known.agreements.flatMap(({ terms }) => readTerms(terms));
  const first = origin ? [{ plan: origin.plan, amount: origin.renewal_amount }] : [];
  return addTerms(agreed, first);
}

function describe(charge: Charge): Partial<NewEvent> {
  const { id: charge_id, agreementId: agreement_id, plan, amount, currency } = charge;
  return { charge_id, agreement_id, plan, amount, currency, actor: 'provider' };
}

function explainRefund({ amount, refunded, currency }: Charge, known: KnownCharge): string {
  const [all, back] = [formatAmount(amount, currency), formatAmount(refunded, currency)];
  if (refunded < known.refunded)
    return `A refund did not go through: ${back} of ${all} is paid back, and the payment counts for the rest.`;
  return refunded >= amount
    ? `${back} was paid back: what it paid for is taken out again.`
    : `${back} of ${all} was paid back; what it paid for stays.`;
}

type Verdict = { problem: string | null; detail: string | null };

/** The payment, refund, dispute or failure that is not written down yet. */
function* tellCharge(
  charge: Charge,
  known: KnownCharge,
  { problem, detail }: Verdict,
  { now, provider }: Moment,
): Generator<NewEvent> {
  const facts = { provider, ...describe(charge) };
  const amount = formatAmount(charge.amount, charge.currency);
  if (charge.status === 'failed' && !known.isFailureKnown)
    yield newEvent('charge-failed', charge.at, charge.failure ?? 'The payment failed.', facts);
  if (charge.status !== 'paid') return;
  if (!known.isTaken) {
    yield problem === null
      ? newEvent('charge', charge.at, `${amount} was paid for the ${charge.plan} plan.`, facts)
      : newEvent('charge-refused', charge.at, problem, { ...facts, detail });
  }
  if (charge.refunded !== known.refunded)
    yield newEvent('refund', now, explainRefund(charge, known), {
      ...facts,
      amount: charge.refunded,
    });
  if (charge.isDisputed && !known.isDisputed)
    yield newEvent(
      'dispute',
      now,
      `The bank has taken ${amount} back: it pays for nothing.`,
      facts,
    );
  if (!charge.isDisputed && known.isDisputed)
    yield newEvent(
      'dispute-won',
      now,
      `The bank has given ${amount} back: it counts again.`,
      facts,
    );
}

export function convergeCharges(
  known: Known,
  truth: Truth,
  charges: readonly Charge[],
  moment: Moment,
): { events: NewEvent[]; paidReferences: Set<string>; refusedReferences: Set<string> } {
  const events: NewEvent[] = [];
  const paidReferences = new Set<string>();
  const refusedReferences = new Set<string>();
  let { codes } = known;
  const hasCharge = (agreementId: string) =>
    [...known.ledger, ...events].some(
      ({ kind, agreement_id }) => kind === 'charge' && agreement_id === agreementId,
    );
  for (const charge of charges) {
    const origin = charge.agreementId ? findOrigin(known, truth, charge.agreementId) : null;
    const named = known.checkouts.find(({ reference }) => reference === charge.reference) ?? null;
    // A first payment may come without our reference; it is the first one only once.
    const isFirst = charge.agreementId !== null && !hasCharge(charge.agreementId);
    const checkout = named ?? (charge.reference === null && isFirst ? origin : null);
    const knownCharge = readKnownCharge(known.ledger, charge.id);
    // Free days are given once by the ledger; a reduced price is what a payment must be held against.
    const isReduced = checkout !== null && checkout.free_days === 0;
    const spent = isReduced && !knownCharge.isTaken && isCodeSpent(codes, checkout);
    const agreed = { checkout, terms: findTerms(known, origin), isCodeSpent: spent };
    const problem = knownCharge.refusal?.because ?? findChargeProblem(charge, agreed);
    const detail =
      named && writeRefusedPurchase({ reference: named.reference, isCodeSpent: spent });
    events.push(...tellCharge(charge, knownCharge, { problem, detail }, moment));
    if (charge.status !== 'paid') continue;
    if (problem === null && checkout) {
      paidReferences.add(checkout.reference);
      if (isReduced) codes = spendCode(codes, checkout);
    }
    if (problem !== null && named) refusedReferences.add(named.reference);
  }
  return { events, paidReferences, refusedReferences };
}
