import { startFakeServer, type FakeServer } from './fake-http.ts';
import type { Delivery } from './payments-contract/subject.ts';
import {
  referencedRefundPayload,
  refundPayload,
  type FakeSettlement,
} from './paystack-payloads.ts';
import {
  createAccount,
  PAYSTACK_KEY,
  refuse,
  sign,
  type PaystackAccount,
} from './paystack/account.ts';
import { createEvents } from './paystack/charging.ts';
import { read, type Lists } from './paystack/reads.ts';
import { createSubscriptionEvents } from './paystack/subscriptions.ts';
import { write } from './paystack/writes.ts';

export { PAYSTACK_KEY } from './paystack/account.ts';

export type FakePaystack = FakeServer &
  ReturnType<typeof createEvents> &
  ReturnType<typeof createSubscriptionEvents> &
  Pick<PaystackAccount, 'subscriptions' | 'transactions' | 'refunds' | 'paused' | 'unseen'> & {
    settle: (settlement: Omit<FakeSettlement, 'id' | 'createdAt'>) => void;
    /** The maximum page size, whatever the request says. */
    shortenPages: (most: number) => void;
    /** Lists refunds with the payment's reference and without the time of the last change. */
    nameReferences: () => void;
    drainWebhooks: () => Delivery[];
    sign: (body: string) => Delivery;
  };

/** The part of Paystack that we use, with its state in memory and the test's clock. */
export async function startFakePaystack(clock: { now: () => number }): Promise<FakePaystack> {
  const account = createAccount(clock);
  const { subscriptions, transactions, refunds, paused, unseen } = account;
  const lists: Lists = { mostPerPage: 100, showRefund: refundPayload };
  const server = await startFakeServer({
    clock,
    refusal: refuse(400, 'This is refused.'),
    answer: ({ method, path, query, body, headers }) => {
      if (headers.authorization !== `Bearer ${PAYSTACK_KEY}`) return refuse(401, 'Invalid key');
      return method === 'GET' ? read(account, path, query, lists) : write(account, path, body);
    },
  });
  return {
    ...server,
    ...createEvents(account),
    ...createSubscriptionEvents(account),
    subscriptions,
    transactions,
    refunds,
    paused,
    unseen,
    settle: (settlement) => {
      account.settlements.push({ ...settlement, id: account.nextId(), createdAt: clock.now() });
    },
    shortenPages: (most) => {
      lists.mostPerPage = most;
    },
    nameReferences: () => {
      lists.showRefund = referencedRefundPayload;
    },
    drainWebhooks: () => account.undelivered.splice(0),
    sign,
  };
}
