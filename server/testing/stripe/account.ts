import { createCalendar } from '../../ports/payments/calendar.ts';
import type { FakeAnswer } from '../fake-http.ts';
import type {
  FakeCharge,
  FakeCustomer,
  FakeInvoice,
  FakePaymentMethod,
  FakePayout,
  FakePrice,
  FakeSchedule,
  FakeSession,
  FakeSubscription,
} from '../stripe-payloads.ts';

export type FakeSessionRequest = FakeSession & {
  price: FakePrice;
  amount: number;
  trialEnd: number | null;
};
export type FakeRefund = { id: string; charge: string; amount: number; key: string };

export const ok = (json: unknown): FakeAnswer => ({ status: 200, json });
export const refuse = (status: number, code: string, message: string): FakeAnswer => ({
  status,
  json: { error: { type: 'invalid_request_error', code, message } },
});
export const missing = refuse(404, 'resource_missing', 'No such object.');

/** All data of the fake Stripe account. */
export function createAccount(clock: { now: () => number }) {
  const { addPeriod } = createCalendar();
  let lastId = 0;
  const newId = (kind: string) => `${kind}_${(lastId += 1)}`;
  const prices: FakePrice[] = [
    { id: 'price_monthly', amount: 7900, interval: 'month' },
    { id: 'price_annual', amount: 79_000, interval: 'year' },
  ];
  const subscriptions: FakeSubscription[] = [];
  const customers = new Map<string, FakeCustomer>();
  const undelivered: string[] = [];
  return {
    clock,
    newId,
    prices,
    subscriptions,
    sessions: [] as FakeSessionRequest[],
    invoices: [] as FakeInvoice[],
    charges: [] as FakeCharge[],
    schedules: [] as FakeSchedule[],
    refunds: [] as FakeRefund[],
    coupons: new Map<string, number>(),
    payouts: [] as FakePayout[],
    /** Payment methods that are declined from now on. */
    emptied: new Set<string>(),
    /** How long the invoice of a renewal stays a draft. */
    drafting: { ms: 0 },
    /** Customers by their ids. */
    getCustomer: (id: string): FakeCustomer => {
      const customer = customers.get(id) ?? { id, paymentMethod: null };
      customers.set(id, customer);
      return customer;
    },
    newPaymentMethod: (card: string): FakePaymentMethod => ({
      id: newId('pm'),
      card,
      createdAt: clock.now(),
    }),
    undelivered,
    queueEvent: (type: string, object: unknown) => {
      undelivered.push(
        JSON.stringify({ id: newId('evt'), object: 'event', type, data: { object } }),
      );
    },
    periodEnd: (from: number, { interval }: FakePrice) =>
      addPeriod(from, interval === 'month' ? 'monthly' : 'annual'),
    findPrice: (id: string | null) => prices.find((price) => price.id === id),
    findSubscription: (id: string) => subscriptions.find((found) => found.id === id),
  };
}
export type StripeAccount = ReturnType<typeof createAccount>;
