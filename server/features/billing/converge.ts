import type { Charge, CheckoutTruth } from '../../ports/payments/payments.ts';
import { isCodeGone } from './code-stands.ts';
import { convergeAgreements } from './converge-agreements.ts';
import { convergeCharges } from './converge-charges.ts';
import { newEvent, type NewEvent } from './ledger-event.ts';
import type { CheckoutRow } from './queries.ts';
import type { Known, Moment, Outcome, Truth } from './truth.ts';
import { DAY } from '#contract/rules/time.ts';

/** Every charge once, with all that any of its tellings says. */
function gatherCharges(truth: Truth): Charge[] {
  const byId = new Map<string, Charge>();
  const add = (charge: Charge, agreementId: string | null) => {
    const other = byId.get(charge.id);
    byId.set(charge.id, {
      ...other,
      ...charge,
      reference: charge.reference ?? other?.reference ?? null,
      agreementId: charge.agreementId ?? agreementId ?? other?.agreementId ?? null,
      plan: charge.plan ?? other?.plan ?? null,
      refunded: Math.max(charge.refunded, other?.refunded ?? 0),
      isDisputed: charge.isDisputed || (other?.isDisputed ?? false),
    });
  };
  for (const { charge, agreementId } of truth.checkouts.values())
    if (charge) add(charge, agreementId);
  for (const { agreement, charges } of truth.agreements)
    for (const charge of charges) add(charge, agreement.id);
  return [...byId.values()].toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** A trial or a code's free period begins when the checkout is through, and counts from its beginning. */
function giveFreePeriod(
  row: CheckoutRow,
  ledger: readonly Pick<NewEvent, 'kind' | 'detail'>[],
  { provider }: Moment,
): NewEvent[] {
  const { plan, free_days: days, free_kind: kind, agreement_id } = row;
  if (kind === null || days === 0) return [];
  const detail = kind === 'trial' ? null : JSON.stringify({ coupon: row.coupon_id });
  // Once per person, and each code once, whatever several open pages made of it.
  if (ledger.some((event) => event.kind === kind && event.detail === detail)) return [];
  const because =
    kind === 'trial'
      ? `A trial of ${days} days began; the first payment follows.`
      : `A code gave ${days} days before the first payment.`;
  return [newEvent(kind, row.created_at, because, { provider, agreement_id, plan, days, detail })];
}

/** Providers close a page within days. A late word about it is heard all the same. */
const CHECKOUT_MS = 7 * DAY;

/** What the payments that name a checkout say of it. */
type Verdict = { isPaid: boolean; isRefused: boolean; isCodeGone: boolean };

/** `paid` once a payment was the right one, or once a free period may begin. */
function decideState(
  row: CheckoutRow,
  truth: CheckoutTruth,
  verdict: Verdict,
  now: number,
): CheckoutRow['state'] {
  // What was refused has been cancelled and paid back: nothing that follows makes it paid.
  if (row.state === 'refused') return 'refused';
  const isFreeNow = truth.state === 'paid' && row.free_days > 0;
  if (verdict.isPaid || (isFreeNow && !verdict.isCodeGone)) return 'paid';
  if (verdict.isRefused || isFreeNow) return 'refused';
  if (row.state !== 'open') return row.state;
  if (truth.state === 'failed') return 'failed';
  // Given up only after having asked: a site that stood still for a month must not lose a payment.
  return row.created_at <= now - CHECKOUT_MS ? 'expired' : 'open';
}

function convergeCheckout(
  row: CheckoutRow,
  truth: CheckoutTruth,
  verdict: Verdict,
  now: number,
): CheckoutRow {
  const state = decideState(row, truth, verdict, now);
  const customer_id = truth.customerId ?? row.customer_id;
  const agreement_id = truth.agreementId ?? row.agreement_id;
  const isSame =
    state === row.state && customer_id === row.customer_id && agreement_id === row.agreement_id;
  return isSame ? row : { ...row, state, customer_id, agreement_id, updated_at: now };
}

/**
 * Compares what is known with what is true. The same truth seen again changes nothing, and what was
 * missed or came in another order makes no difference: only the set of facts counts.
 */
export function converge(known: Known, truth: Truth, moment: Moment): Outcome {
  const charges = gatherCharges(truth);
  const { events, paidReferences, refusedReferences } = convergeCharges(
    known,
    truth,
    charges,
    moment,
  );
  const checkouts = known.checkouts.map((row) => {
    const said = truth.checkouts.get(row.reference);
    const verdict = {
      isPaid: row.state === 'paid' || paidReferences.has(row.reference),
      isRefused: refusedReferences.has(row.reference),
      isCodeGone: isCodeGone(known.codes, row),
    };
    return said ? convergeCheckout(row, said, verdict, moment.now) : row;
  });
  const changed = checkouts.filter((row, index) => row !== known.checkouts[index]);
  for (const row of changed) {
    const before = known.checkouts.find(({ reference }) => reference === row.reference);
    if (row.state === 'paid' && before?.state !== 'paid')
      events.push(...giveFreePeriod(row, [...known.ledger, ...events], moment));
  }
  const { agreements, duplicates, hasReplaced, changes } = convergeAgreements(
    { ...known, checkouts },
    truth,
    charges,
    moment,
  );
  const isRefused = changed.some(({ state }) => state === 'refused');
  return {
    events: [...events, ...changes],
    checkouts: changed,
    agreements,
    duplicates,
    hasToUnwind: hasReplaced || isRefused || duplicates.length > 0,
  };
}
