import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { parseChargeDetail, parseDisputeDetail, parseRefusedCharge } from '../ledger/ledger-entries.ts';
import type { LedgerEntry, ProviderSubscriptionRow } from '../queries.ts';
import { findAgreedAmount, readAgreedPrices } from '../subscription/agreed-prices.ts';
import { findCurrentSubscription } from '../subscription/service.ts';
import type { BillingMessage } from './billing-message.ts';

/** A message is sent once per key. */
export type PlannedMessage = { key: string; message: BillingMessage };

const REMINDER_DAYS = 7;
const WARNING_DAYS = 1;

export type BillingState = {
  /** The entries just appended, and the whole ledger with them. */
  newEntries: readonly LedgerEntry[];
  ledger: readonly LedgerEntry[];
  provider: string;
  providerSubscriptions: readonly ProviderSubscriptionRow[];
  paidThrough: number | null;
  now: number;
  graceMs: number;
  calendar: Calendar;
};

/** About a payment of an amount that the user did not agree to. */
function* planForAmounts(entry: LedgerEntry): Generator<PlannedMessage> {
  const { provider, charge_id, amount, currency } = entry;
  if (!amount || !currency) return;
  const refused = parseRefusedCharge(entry);
  if (refused)
    yield {
      key: `refused:${provider}:${charge_id}`,
      message: {
        kind: 'refused',
        amount,
        currency,
        isCouponSpent: refused.isCouponSpent,
        isRenewal: refused.reference === null,
      },
    };
  const { agreed } = parseChargeDetail(entry);
  if (agreed !== undefined && agreed < amount)
    yield {
      key: `other-amount:${provider}:${charge_id}`,
      message: { kind: 'other-amount', amount, agreed, currency },
    };
}

function* planForEntries({ newEntries, paidThrough }: BillingState): Generator<PlannedMessage> {
  for (const entry of newEntries) {
    const { kind, provider_subscription_id: id, charge_id, provider, plan } = entry;
    if (kind === 'subscribed' && plan)
      yield { key: `welcome:${id}`, message: { kind: 'welcome', plan, until: paidThrough } };
    if (kind === 'charge' && charge_id && provider)
      yield {
        key: `receipt:${provider}:${charge_id}`,
        message: { kind: 'receipt', provider, chargeId: charge_id },
      };
    if (kind === 'cancelled')
      yield {
        key: `cancelled:${id}:${paidThrough}`,
        message: { kind: 'cancelled', until: paidThrough },
      };
    yield* planForAmounts(entry);
    if (kind === 'duplicate') yield { key: `duplicate:${id}`, message: { kind: 'duplicate' } };
  }
}

function* planForDates(
  current: ProviderSubscriptionRow,
  state: BillingState,
): Generator<PlannedMessage> {
  const { now, paidThrough, graceMs, calendar } = state;
  const { provider_subscription_id: id, next_charge_at: next, status } = current;
  const plan: Plan = current.next_plan ?? current.plan;
  const amount =
    current.next_amount ?? findAgreedAmount(readAgreedPrices(current.agreed_prices), plan);
  // The first payment is not a renewal: a short trial gets no reminder about a year.
  const hasPaidYear = state.ledger.some(
    (entry) =>
      entry.kind === 'charge' && entry.provider_subscription_id === id && entry.plan === 'annual',
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

/** The messages that a user should get now. Planning again gives the same messages and keys. */
export function planMessages(state: BillingState): PlannedMessage[] {
  const current = findCurrentSubscription(state.providerSubscriptions, state.provider);
  return [...planForEntries(state), ...(current ? planForDates(current, state) : [])];
}

/** What administrators should know. */
export function planOperatorMessages(newEntries: readonly LedgerEntry[]): PlannedMessage[] {
  const decided = new Set(
    newEntries.filter(({ kind }) => kind === 'dispute-lost').map(({ charge_id }) => charge_id),
  );
  return newEntries
    .filter(({ kind, charge_id }) => kind === 'dispute' && !decided.has(charge_id))
    .map(({ provider, charge_id, at, amount, currency, detail }) => ({
      key: `dispute:${provider}:${charge_id}:${at}`,
      message: {
        kind: 'dispute-opened',
        amount: amount ?? 0,
        currency: currency ?? CURRENCY,
        respondBy: parseDisputeDetail(detail)?.respondBy ?? null,
      },
    }));
}
