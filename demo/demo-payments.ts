import { CURRENCY, plans, type Plan } from '#contract/rules/plans.ts';
import type {
  CheckoutsTable,
  InvoicesTable,
  LedgerEntriesTable,
} from '#server/db/billing-tables.ts';
import { buildFirstGrant } from '#server/features/billing/ledger/service.ts';
import type { Calendar } from '#server/ports/payments/payments.ts';
import type { DemoListener } from './catalogue/demo-listeners.ts';
import { createRandom, type Random } from './synth/dsp/random.ts';
import { DAY } from '#contract/rules/time.ts';

const YEAR = 365 * DAY;
const INVENTED = 'An invented listener of the demo.';
const ANNUAL_SHARE = 0.2;
/** Of those who do not pay now. */
const LEFT_SHARE = 0.25;
const GIVEN_UP_SHARE = 0.2;
/** Days of the four months that somebody who left has paid at most, and a little more. */
const LONGEST_STAY = 130;

const MONTHS: Record<Plan, number> = { monthly: 1, annual: 12 };

export type DemoPayments = {
  listenerId: string;
  ledger: LedgerEntriesTable[];
  checkouts: CheckoutsTable[];
};

type Moment = { now: number; calendar: Calendar };

/** When somebody paid: from a first day on, month by month or once a year, to now or to when they left. */
function listChargeTimes(
  { isSubscriber }: DemoListener,
  plan: Plan,
  random: Random,
  { now, calendar }: Moment,
): number[] {
  // Who has left did so before now, however many months they stayed.
  const [least, spread] = isSubscriber ? [10, 320] : [LONGEST_STAY, 200];
  const start = now - Math.round((least + random() * spread) * DAY);
  const most = isSubscriber ? Infinity : 1 + Math.floor(random() * 4);
  const times: number[] = [];
  for (let n = 0; n < most; n += 1) {
    const at = calendar.addMonths(start, n * MONTHS[plan]);
    if (at > now) break;
    times.push(at);
  }
  return times;
}

const makeCheckout = (
  { id }: DemoListener,
  plan: Plan,
  { at, state }: { at: number; state: 'paid' | 'expired' },
): CheckoutsTable => ({
  reference: `demo-${id}-${state}`,
  user_id: id,
  provider: 'sandbox',
  checkout_id: null,
  plan,
  amount: plans[plan].amount,
  renewal_amount: plans[plan].amount,
  currency: CURRENCY,
  coupon_id: null,
  free_days: 0,
  free_kind: null,
  first_charge_at: at,
  state,
  customer_id: null,
  provider_subscription_id: null,
  is_purchase_reported: 1,
  created_at: at - 120_000,
  updated_at: at,
});

/** What one listener paid, and that they hear everything for a year to come if they pay now. */
function inventPayments(listener: DemoListener, random: Random, moment: Moment): DemoPayments {
  const { now } = moment;
  const isAnnual = random() < ANNUAL_SHARE && listener.isSubscriber;
  const plan: Plan = isAnnual ? 'annual' : 'monthly';
  const hasPaid = listener.isSubscriber || random() < LEFT_SHARE;
  const times = hasPaid ? listChargeTimes(listener, plan, random, moment) : [];
  const grant = buildFirstGrant(listener.id, { until: now + YEAR, because: INVENTED, now });
  const charges = times.map((at, index): LedgerEntriesTable => ({
    ...grant,
    kind: 'charge',
    seq: index + 1,
    at,
    recorded_at: at,
    provider: 'sandbox',
    charge_id: `demo-${listener.id}-${index}`,
    provider_subscription_id: `demo-${listener.id}`,
    plan,
    amount: plans[plan].amount,
    currency: CURRENCY,
    until: null,
  }));
  const first = times[0];
  const paid =
    first === undefined ? [] : [makeCheckout(listener, plan, { at: first, state: 'paid' })];
  const givenUpAt = now - Math.round(random() * 200 * DAY);
  const givenUp =
    random() < GIVEN_UP_SHARE
      ? [makeCheckout(listener, plan, { at: givenUpAt, state: 'expired' })]
      : [];
  return {
    listenerId: listener.id,
    ledger: [...charges, ...(listener.isSubscriber ? [{ ...grant, seq: times.length + 1 }] : [])],
    checkouts: [...paid, ...givenUp],
  };
}

/** What invented listeners paid in the last year, so that reports have something to say. */
export function demoPayments(
  listeners: readonly DemoListener[],
  seed: number,
  moment: Moment,
): DemoPayments[] {
  const random = createRandom(seed);
  return listeners.map((listener) => inventPayments(listener, random, moment));
}

/** An invoice for each of these payments, numbered in their order from `first` on. */
export const demoInvoices = (
  ledger: readonly LedgerEntriesTable[],
  calendar: Calendar,
  first: number,
): InvoicesTable[] =>
  ledger
    .filter(({ kind }) => kind === 'charge')
    .toSorted((a, b) => a.at - b.at)
    .map(({ charge_id, user_id, provider, plan, at, amount, currency }, index) => ({
      id: `invoice-${charge_id}`,
      number: first + index,
      user_id,
      provider: provider ?? '',
      charge_id: charge_id ?? '',
      plan: plan ?? 'monthly',
      at,
      from_at: at,
      to_at: calendar.addMonths(at, plan === 'annual' ? 12 : 1),
      amount: amount ?? 0,
      refunded: 0,
      currency: currency ?? '',
      card: null,
      status: 'paid',
    }));
