import type { Plan } from '#contract/rules/plans.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { parseChargeDetail, parseRefusedCharge } from '../ledger/ledger-entries.ts';
import { findPeriods } from '../ledger/paid-through.ts';
import type { CheckoutRow, LedgerEntry, ProviderSubscriptionRow } from '../queries.ts';
import { findAgreedAmount, readAgreedPrices } from '../subscription/agreed-prices.ts';
import { findOwed } from '../subscription/find-owed.ts';
import { findCurrentSubscription, parseCard } from '../subscription/service.ts';
import type { BillingMessage } from './billing-message.ts';

/** A message is sent once per key. */
export type PlannedMessage = { key: string; message: BillingMessage };

const REMINDER_DAYS = 7;
const WARNING_DAYS = 1;
const TRIAL_DAYS = 3;
const CARD_DAYS = 30;

/** Whether the last payment was for a year, by this or by a subscription that it replaced. */
export const isPaidForYear = (ledger: readonly LedgerEntry[], calendar: Calendar): boolean =>
  findPeriods(ledger, calendar).findLast(({ entry }) => entry.kind === 'charge')?.entry.plan ===
  'annual';

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
  if (amount === null || !currency) return;
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
  if (agreed !== undefined)
    yield {
      key: `other-amount:${provider}:${charge_id}`,
      message: { kind: 'other-amount', amount, agreed, currency },
    };
}

/** A refund, unless another message already mentions it. */
function* planForRefund(
  entry: LedgerEntry,
  ledger: readonly LedgerEntry[],
): Generator<PlannedMessage> {
  const { provider, charge_id: chargeId, amount: total, currency, seq } = entry;
  if (entry.kind !== 'refund' || !provider || !chargeId || !total || !currency) return;
  const own = ledger.filter((one) => one.provider === provider && one.charge_id === chargeId);
  const charge = own.find(({ kind }) => kind === 'charge');
  if (!charge) return;
  const before = own.findLast((one) => one.kind === 'refund' && one.seq < seq)?.amount ?? 0;
  const { agreed } = parseChargeDetail(charge);
  const isDifference = agreed !== undefined && total === (charge.amount ?? 0) - agreed;
  const isDuplicate = ledger.some(
    (one) =>
      one.kind === 'duplicate' && one.provider_subscription_id === charge.provider_subscription_id,
  );
  const amount = total - before;
  if (amount > 0 && !isDifference && !isDuplicate)
    yield {
      key: `refund:${provider}:${chargeId}:${total}`,
      message: { kind: 'refund', provider, chargeId, amount, currency },
    };
}

function* planForEntries({
  newEntries,
  ledger,
  paidThrough,
  now,
}: BillingState): Generator<PlannedMessage> {
  const isPaidFor = paidThrough !== null && now < paidThrough;
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
      // Some providers make a new subscription when one is resumed: the end of access stays the same.
      yield {
        key: `cancelled:${paidThrough ?? id}`,
        // A late subscription ends at once.
        message: { kind: 'cancelled', until: isPaidFor ? paidThrough : null },
      };
    yield* planForAmounts(entry);
    yield* planForRefund(entry, ledger);
    if (kind === 'duplicate') yield { key: `duplicate:${id}`, message: { kind: 'duplicate' } };
  }
}

/** A trial or free period that will be paid for. */
function* planForTrial(
  { provider_subscription_id: id, next_charge_at: at, status, ...current }: ProviderSubscriptionRow,
  amount: number | null,
  { ledger, now, calendar }: BillingState,
): Generator<PlannedMessage> {
  const isFree = ['trial', 'coupon'].includes(
    findPeriods(ledger, calendar).at(-1)?.entry.kind ?? '',
  );
  if (status !== 'active' || !isFree || at === null || amount === null) return;
  if (now >= at || at > calendar.addDays(now, TRIAL_DAYS)) return;
  const plan = current.next_plan ?? current.plan;
  yield { key: `trial-ending:${id}`, message: { kind: 'trial-ending', at, amount, plan } };
}

/** A month before the card expires, and again before a payment that it can’t make. */
function* planForCard(
  { status, next_charge_at: at, ...current }: ProviderSubscriptionRow,
  { now, calendar }: BillingState,
): Generator<PlannedMessage> {
  const card = parseCard(current.card);
  if (status !== 'active' || at === null || !card) return;
  const { brand, last4, expiryMonth, expiryYear } = card;
  // Valid until the end of its month.
  const end = Date.UTC(expiryYear, expiryMonth, 1);
  const expiry = `${expiryYear}-${String(expiryMonth).padStart(2, '0')}`;
  const isNear = end <= calendar.addDays(now, CARD_DAYS);
  const isDue = end <= at && at <= calendar.addDays(now, REMINDER_DAYS);
  const message = {
    kind: 'card-expiring' as const,
    card: `${brand} ending in ${last4}`,
    expiry,
    isExpired: end <= now,
    at,
  };
  if (isNear) yield { key: `card:${last4}:${expiry}`, message };
  if (isDue && end <= now)
    yield { key: `card:${last4}:${expiry}:${new Date(at).toISOString().slice(0, 10)}`, message };
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
  const hasPaidYear = isPaidForYear(state.ledger, calendar);
  const isSoon = next !== null && now < next && next <= calendar.addDays(now, REMINDER_DAYS);
  if (status === 'active' && plan === 'annual' && hasPaidYear && isSoon && amount !== null)
    yield {
      key: `reminder:${id}:${new Date(next).toISOString().slice(0, 10)}`,
      message: { kind: 'reminder', at: next, amount },
    };
  yield* planForTrial(current, amount, state);
  yield* planForCard(current, state);
  if (status !== 'late' || paidThrough === null) return;
  const until = paidThrough + graceMs;
  if (current.problem_since !== null)
    yield {
      key: `failed:${id}:${current.problem_since}`,
      message: {
        kind: 'failed',
        until,
        reason: current.problem,
        amount: findOwed(current, state.ledger, now)?.amount ?? null,
      },
    };
  if (paidThrough <= now && now < until && until <= calendar.addDays(now, WARNING_DAYS))
    yield { key: `grace:${id}:${paidThrough}`, message: { kind: 'grace-ending', until } };
}

/** The messages that a user should get now. Planning again gives the same messages and keys. */
export function planMessages(state: BillingState): PlannedMessage[] {
  const current = findCurrentSubscription(state.providerSubscriptions, state.provider);
  return [...planForEntries(state), ...(current ? planForDates(current, state) : [])];
}

/** A trial that was refused because its card has already had one. */
export const planForTrialCards = (checkouts: readonly CheckoutRow[]): PlannedMessage[] =>
  checkouts
    .filter(({ state, is_card_used }) => state === 'refused' && is_card_used === 1)
    .map(({ reference }) => ({
      key: `trial-card:${reference}`,
      message: { kind: 'trial-card-used' },
    }));
