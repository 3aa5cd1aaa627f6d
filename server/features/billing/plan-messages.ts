import type { Plan } from '#contract/rules/plans.ts';
import type { Calendar } from '../../ports/payments/payments.ts';
import type { BillingMessage } from './billing-message.ts';
import { findCurrent } from './present-subscription.ts';
import type { AgreementRow, LedgerRow } from './queries.ts';
import { readRefusedPurchase } from './refused-purchase.ts';
import { amountFor, readTerms } from './terms.ts';

/** A message and the name under which it is sent once. */
export type PlannedMessage = { key: string; message: BillingMessage };

const REMINDER_DAYS = 7;
const WARNING_DAYS = 1;

export type MemberNow = {
  /** What has just been written, and all that stands in the ledger now. */
  events: readonly LedgerRow[];
  ledger: readonly LedgerRow[];
  provider: string;
  agreements: readonly AgreementRow[];
  paidThrough: number | null;
  now: number;
  graceMs: number;
  calendar: Calendar;
};

function* planEvents({ events, paidThrough }: MemberNow): Generator<PlannedMessage> {
  for (const event of events) {
    const { agreement_id: id, charge_id, provider, plan } = event;
    if (event.kind === 'subscribed' && plan)
      yield { key: `welcome:${id}`, message: { kind: 'welcome', plan, until: paidThrough } };
    if (event.kind === 'charge' && charge_id && provider)
      yield {
        key: `receipt:${provider}:${charge_id}`,
        message: { kind: 'receipt', provider, chargeId: charge_id },
      };
    if (event.kind === 'cancelled')
      yield {
        key: `cancelled:${id}:${paidThrough}`,
        message: { kind: 'cancelled', until: paidThrough },
      };
    if (event.kind === 'charge-refused' && event.detail !== null && event.amount && event.currency)
      yield {
        key: `refused:${provider}:${charge_id}`,
        message: {
          kind: 'refused',
          amount: event.amount,
          currency: event.currency,
          isCodeSpent: readRefusedPurchase(event)?.isCodeSpent ?? false,
        },
      };
    if (event.kind === 'duplicate')
      yield { key: `duplicate:${id}`, message: { kind: 'duplicate' } };
  }
}

function* planDates(current: AgreementRow, member: MemberNow): Generator<PlannedMessage> {
  const { now, paidThrough, graceMs, calendar } = member;
  const { agreement_id: id, next_charge_at: next, status } = current;
  const plan: Plan = current.next_plan ?? current.plan;
  const amount = current.next_amount ?? amountFor(readTerms(current.terms), plan);
  // The first payment is no renewal: who is in a trial of a few days is told nothing of years.
  const hasPaidYear = member.ledger.some(
    (row) => row.kind === 'charge' && row.agreement_id === id && row.plan === 'annual',
  );
  const isSoon = next !== null && now < next && next <= calendar.addDays(now, REMINDER_DAYS);
  if (status === 'active' && plan === 'annual' && hasPaidYear && isSoon && amount !== null)
    yield {
      key: `reminder:${id}:${new Date(next).toISOString().slice(0, 10)}`,
      message: { kind: 'reminder', at: next, amount },
    };
  if (status !== 'late' || paidThrough === null) return;
  const until = paidThrough + graceMs;
  if (current.problem_since !== null)
    yield {
      key: `failed:${id}:${current.problem_since}`,
      message: { kind: 'failed', until, reason: current.problem },
    };
  if (paidThrough <= now && now < until && until <= calendar.addDays(now, WARNING_DAYS))
    yield { key: `grace:${id}:${paidThrough}`, message: { kind: 'grace-ending', until } };
}

/** What the member is to be told now. Asking again plans the same, under the same names. */
export function planMessages(member: MemberNow): PlannedMessage[] {
  const current = findCurrent(member.agreements, member.provider);
  return [...planEvents(member), ...(current ? planDates(current, member) : [])];
}
