import { SIGNATURE_HEADER, signPaystack } from '../../ports/payments/paystack/paystack-payments.ts';
import type { FakeAnswer } from '../fake-http.ts';
import type { BankAnswer, Delivery } from '../payments-contract/subject.ts';
import type {
  FakeCustomer,
  FakeDispute,
  FakeRefund,
  FakeSettlement,
  FakeSubscription,
  FakeTransaction,
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

/** All data of the fake Paystack account. */
export function createAccount(clock: { now: () => number }) {
  let lastId = 1000;
  const nextId = () => (lastId += 1);
  const customers: FakeCustomer[] = [];
  const transactions: FakeTransaction[] = [];
  const undelivered: Delivery[] = [];
  const findTransaction = (reference: string) =>
    transactions.find((found) => found.reference === reference);
  return {
    clock,
    nextId,
    customers,
    transactions,
    refunds: [] as FakeRefund[],
    disputes: [] as FakeDispute[],
    settlements: [] as FakeSettlement[],
    /** That Paystack charges itself. */
    subscriptions: [] as FakeSubscription[],
    /** What the bank says to charges of an authorization; the others pay. */
    bankAnswers: new Map<string, BankAnswer>(),
    /** Authorizations that can no longer be charged. */
    deactivated: new Set<string>(),
    /** How a charge reads that waits for the customer: not documented, so tests change it. */
    paused: { status: 'ongoing' },
    /** References that can't be read yet, although they were charged. */
    unseen: new Set<string>(),
    undelivered,
    queueEvent: (event: string, data: unknown) => {
      undelivered.push(sign(JSON.stringify({ event, data })));
    },
    findTransaction,
    getTransaction: (reference: string) => {
      const found = findTransaction(reference);
      if (!found) throw new Error(`Paystack has no payment ${reference}.`);
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
