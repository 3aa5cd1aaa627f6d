import { CURRENCY, plans, type Plan } from '#contract/rules/plans.ts';
import type { LedgerEntriesTable, PaymentsTable } from '#server/db/types/billing-tables.ts';
import type { InvoicesTable } from '#server/db/types/books-tables.ts';
import { buildInvoice, buildPayment as buildPaymentRow } from '#server/db/build-rows.ts';
import { buildLedgerEntry, type NewLedgerEntry } from '#server/features/billing/ledger/service.ts';
import type { Calendar } from '#server/ports/payments/payments.ts';
import type { DemoListener } from './catalogue/demo-listeners.ts';
import { createRandom, type Random } from '#contract/rules/random.ts';
import { DAY } from '#contract/rules/time.ts';

const YEAR = 365 * DAY;
const INVENTED = 'Demo listener.';
const ANNUAL_SHARE = 0.2;
/** Of listeners without a subscription: the share that had one before. */
const FORMER_SHARE = 0.25;
const ABANDONED_SHARE = 0.2;
/** A little longer than the four months that former subscribers paid at most. */
const LONGEST_STAY_DAYS = 130;

const MONTHS: Record<Plan, number> = { monthly: 1, annual: 12 };

export type DemoPayments = {
  listenerId: string;
  ledger: LedgerEntriesTable[];
  payments: PaymentsTable[];
};

type DemoContext = { now: number; calendar: Calendar };

/** Payments from a first day, monthly or yearly, until now or until the listener left. */
function listChargeTimes(
  { isSubscriber }: DemoListener,
  plan: Plan,
  random: Random,
  { now, calendar }: DemoContext,
): number[] {
  // Former subscribers left before now, however long they stayed.
  const [least, spread] = isSubscriber ? [10, 320] : [LONGEST_STAY_DAYS, 200];
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

/** Already decided, so that no job asks the test provider, which doesn't know it. */
const buildPayment = (
  { id }: DemoListener,
  payment: Pick<PaymentsTable, 'reference' | 'kind' | 'plan' | 'state'> & Partial<PaymentsTable>,
  at: number,
): PaymentsTable => {
  const amount = plans[payment.plan ?? 'monthly'].amount;
  return buildPaymentRow({
    user_id: id,
    provider: 'sandbox',
    amount,
    first_amount: amount,
    renewal_amount: amount,
    currency: CURRENCY,
    is_purchase_reported: 1,
    check_at: null,
    created_at: at - 120_000,
    updated_at: at,
    ...payment,
  });
};

/** The payment behind each charge: the first on a page, the others with the saved card. */
const buildPaid = (
  listener: DemoListener,
  charges: readonly LedgerEntriesTable[],
): PaymentsTable[] =>
  charges.map(({ at, plan, charge_id, subscription_id }, period) => {
    const paid = { plan, charge_id, subscription_id, state: 'paid', channel: 'card' } as const;
    const reference = `demo-${listener.id}-paid-${period}`;
    return period === 0
      ? buildPayment(listener, { ...paid, reference, kind: 'first' }, at)
      : buildPayment(
          listener,
          { ...paid, reference, kind: 'renewal', period, attempt: 1, asked_at: at },
          at,
        );
  });

/** One listener's payments, and a year of access for current subscribers. */
function buildPayments(listener: DemoListener, random: Random, context: DemoContext): DemoPayments {
  const { now } = context;
  const isAnnual = random() < ANNUAL_SHARE && listener.isSubscriber;
  const plan: Plan = isAnnual ? 'annual' : 'monthly';
  const hasPaid = listener.isSubscriber || random() < FORMER_SHARE;
  const times = hasPaid ? listChargeTimes(listener, plan, random, context) : [];
  const grant: LedgerEntriesTable = {
    ...buildLedgerEntry('grant', now, INVENTED, { until: now + YEAR }),
    user_id: listener.id,
    seq: 1,
    recorded_at: now,
  };
  const charges = times.map((at, index): LedgerEntriesTable => ({
    ...grant,
    kind: 'charge',
    seq: index + 1,
    at,
    recorded_at: at,
    provider: 'sandbox',
    charge_id: `demo-${listener.id}-${index}`,
    subscription_id: `demo-${listener.id}`,
    plan,
    amount: plans[plan].amount,
    currency: CURRENCY,
    until: null,
  }));
  const abandonedAt = now - Math.round(random() * 200 * DAY);
  const reference = `demo-${listener.id}-expired`;
  const abandoned =
    random() < ABANDONED_SHARE
      ? [buildPayment(listener, { reference, kind: 'first', plan, state: 'expired' }, abandonedAt)]
      : [];
  return {
    listenerId: listener.id,
    ledger: [...charges, ...(listener.isSubscriber ? [{ ...grant, seq: times.length + 1 }] : [])],
    payments: [...buildPaid(listener, charges), ...abandoned],
  };
}

/** A year of payments by the demo listeners, so that reports have data. */
export function demoPayments(
  listeners: readonly DemoListener[],
  seed: number,
  context: DemoContext,
): DemoPayments[] {
  const random = createRandom(seed);
  return listeners.map((listener) => buildPayments(listener, random, context));
}

/** Four months of the member for trying the demo, a part of one paid back, so that there are documents to look at. */
export function listMemberPayments(
  userId: string,
  { now, calendar }: DemoContext,
): NewLedgerEntry[] {
  // The last one is past the days in which it could be withdrawn: the test provider knows none of them.
  const start = now - 110 * DAY;
  const payments = [0, 1, 2, 3].map((month) =>
    buildLedgerEntry('charge', calendar.addMonths(start, month), 'Demo payment.', {
      provider: 'sandbox',
      charge_id: `${userId}-${month}`,
      subscription_id: userId,
      plan: 'monthly',
      amount: plans.monthly.amount,
      currency: CURRENCY,
    }),
  );
  const [, second] = payments;
  const refund = second && {
    ...second,
    kind: 'refund' as const,
    at: second.at + 2 * DAY,
    amount: 20_00,
    reason: 'Demo refund, for a day without music.',
  };
  return [...payments, ...(refund ? [refund] : [])].toSorted((a, b) => a.at - b.at);
}

/** An invoice for each payment, numbered from `first`. */
export const demoInvoices = (
  ledger: readonly LedgerEntriesTable[],
  calendar: Calendar,
  first: number,
): InvoicesTable[] =>
  ledger
    .filter(({ kind }) => kind === 'charge')
    .toSorted((a, b) => a.at - b.at)
    .map(({ charge_id, user_id, provider, plan, at, amount, currency }, index) =>
      buildInvoice({
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
        currency: currency ?? '',
      }),
    );
