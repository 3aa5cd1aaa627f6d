import { createCalendar } from '../../ports/payments/calendar.ts';
import { SIGNATURE_HEADER, signPaystack } from '../../ports/payments/paystack/webhook.ts';
import type { FakeAnswer } from '../fake-http.ts';
import type { Delivery } from '../payments-contract/subject.ts';
import {
  authorizationCode,
  type FakeCustomer,
  type FakeDispute,
  type FakePlan,
  type FakeRefund,
  type FakeSettlement,
  type FakeSubscription,
  type FakeTransaction,
} from '../paystack-payloads.ts';

export const PAYSTACK_KEY = 'sk_test_fake0123456789';

export const ok = (data: unknown, message = 'OK'): FakeAnswer => ({
  status: 200,
  json: { status: true, message, ...(data === undefined ? {} : { data }) },
});
export const refuse = (status: number, message: string, code = ''): FakeAnswer => ({
  status,
  json: { status: false, message, ...(code && { type: 'validation_error', code, meta: {} }) },
});

export function sign(body: string): Delivery {
  const rawBody = Buffer.from(body);
  const headers = {
    'content-type': 'application/json',
    [SIGNATURE_HEADER]: signPaystack(PAYSTACK_KEY, rawBody),
  };
  return { headers, rawBody };
}

const { addPeriod } = createCalendar();
const LAST_BILLING_DAY = 28;

/** Plans begun on the 29th to 31st bill on the 28th. */
export function findNextPayment(from: number, { interval }: FakePlan): number {
  if (interval !== 'monthly') return addPeriod(from, 'annual');
  const date = new Date(from);
  date.setUTCDate(Math.min(date.getUTCDate(), LAST_BILLING_DAY));
  return addPeriod(date.getTime(), 'monthly');
}

/** All data of the fake Paystack account. */
export function createAccount(clock: { now: () => number }) {
  let lastId = 1000;
  const nextId = () => (lastId += 1);
  const plans: Record<string, FakePlan> = {
    PLN_monthly: { id: 28, plan_code: 'PLN_monthly', amount: 7900, interval: 'monthly' },
    PLN_annual: { id: 29, plan_code: 'PLN_annual', amount: 79_000, interval: 'annually' },
    PLN_other: { id: 30, plan_code: 'PLN_other', amount: 25_000, interval: 'monthly' },
  };
  const customers: FakeCustomer[] = [];
  const transactions: FakeTransaction[] = [];
  const subscriptions: FakeSubscription[] = [];
  /** Authorizations whose charges the bank declines. */
  const emptied = new Set<string>();
  const undelivered: Delivery[] = [];
  return {
    clock,
    nextId,
    plans,
    customers,
    transactions,
    subscriptions,
    refunds: [] as FakeRefund[],
    disputes: [] as FakeDispute[],
    settlements: [] as FakeSettlement[],
    emptied,
    /** References of payments that lists don't show yet. */
    unlisted: new Set<string>(),
    undelivered,
    isEmptied: ({ customer, card }: Pick<FakeSubscription, 'customer' | 'card'>) =>
      emptied.has(authorizationCode(customer, card)),
    queueEvent: (event: string, data: unknown) => {
      undelivered.push(sign(JSON.stringify({ event, data })));
    },
    findTransaction: (reference: string) =>
      transactions.find((found) => found.reference === reference),
    getTransaction: (reference: string) => {
      const found = transactions.find((transaction) => transaction.reference === reference);
      if (!found) throw new Error(`Paystack has no payment ${reference}.`);
      return found;
    },
    findSubscription: (code: string) =>
      subscriptions.find((found) => found.subscription_code === code),
    getSubscription: (code: string) => {
      const found = subscriptions.find(({ subscription_code }) => subscription_code === code);
      if (!found) throw new Error(`Paystack has no subscription ${code}.`);
      return found;
    },
    findOrAddCustomer: (email: string) => {
      const found = customers.find((customer) => customer.email === email);
      if (found) return found;
      const id = nextId();
      const customer = { id, email, customer_code: `CUS_${id}` };
      customers.push(customer);
      return customer;
    },
  };
}
export type PaystackAccount = ReturnType<typeof createAccount>;
