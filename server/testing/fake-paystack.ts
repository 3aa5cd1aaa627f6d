import type { PlanIds } from '../payments-settings.ts';
import { startFakeServer, type FakeServer } from './fake-http.ts';
import type { Delivery } from './payments-contract/subject.ts';
import { authorizationCode, type FakeSettlement } from './paystack-payloads.ts';
import {
  createAccount,
  PAYSTACK_KEY,
  refuse,
  sign,
  type PaystackAccount,
} from './paystack/account.ts';
import { createEvents } from './paystack/charging.ts';
import { read } from './paystack/reads.ts';
import { write } from './paystack/writes.ts';

export { PAYSTACK_KEY } from './paystack/account.ts';
export const PAYSTACK_PLANS: PlanIds = { monthly: ['PLN_monthly'], annual: ['PLN_annual'] };

export type FakePaystack = FakeServer &
  ReturnType<typeof createEvents> &
  Pick<PaystackAccount, 'plans' | 'subscriptions' | 'transactions' | 'unlisted'> & {
    /** From now on the bank declines the subscription's current card. */
    emptyAccount: (subscriptionCode: string) => void;
    fillAccount: (subscriptionCode: string) => void;
    /** Applies to existing subscribers too. */
    editPlan: (planCode: string, amount: number) => void;
    settle: (settlement: Omit<FakeSettlement, 'id' | 'createdAt'>) => void;
    /** Adds this many refunds of other customers. */
    refundOthers: (count: number) => void;
    /** The maximum page size, whatever the request says. */
    shortenPages: (most: number) => void;
    drainWebhooks: () => Delivery[];
    sign: (body: string) => Delivery;
  };

/** The part of Paystack that we use, with its state in memory and the test's clock. */
export async function startFakePaystack(clock: { now: () => number }): Promise<FakePaystack> {
  const account = createAccount(clock);
  const { plans, subscriptions, transactions, emptied, unlisted, refunds, settlements } = account;
  let mostPerPage = 100;
  const currentCard = (code: string) => {
    const { customer, card } = account.getSubscription(code);
    return authorizationCode(customer, card);
  };
  const server = await startFakeServer({
    refusal: refuse(400, 'This is refused.'),
    answer: ({ method, path, query, body, headers }) => {
      if (headers.authorization !== `Bearer ${PAYSTACK_KEY}`) return refuse(401, 'Invalid key');
      return method === 'GET'
        ? read(account, path, query, mostPerPage)
        : write(account, path, body);
    },
  });
  return {
    ...server,
    ...createEvents(account),
    plans,
    subscriptions,
    transactions,
    unlisted,
    emptyAccount: (code) => void emptied.add(currentCard(code)),
    fillAccount: (code) => void emptied.delete(currentCard(code)),
    editPlan: (code, amount) => {
      const plan = plans[code];
      if (plan) plan.amount = amount;
    },
    settle: (settlement) => {
      settlements.push({ ...settlement, id: account.nextId(), createdAt: clock.now() });
    },
    refundOthers: (count) => {
      const others = {
        amount: 100,
        status: 'processed',
        dispute: null,
        merchant_note: '',
        createdAt: clock.now(),
      };
      for (let i = 0; i < count; i += 1)
        refunds.push({ id: account.nextId(), transaction: -1 - i, ...others });
    },
    shortenPages: (most) => {
      mostPerPage = most;
    },
    drainWebhooks: () => account.undelivered.splice(0),
    sign,
  };
}
