import { z } from 'zod';
import { createCalendar } from '../../ports/payments/calendar.ts';
import type { FakeAnswer } from '../fake-http.ts';
import type { FakePlan, FakeSubscription } from '../paystack-payloads.ts';
import { ok, refuse, type PaystackAccount } from './account.ts';
import { addTransaction, setPaid } from './charging.ts';

const { addMonths } = createCalendar();
const LAST_BILLING_DAY = 28;

/** Plans begun on the 29th to 31st bill on the 28th. */
function findNextPayment(from: number, { interval }: FakePlan): number {
  if (interval !== 'monthly') return addMonths(from, 12);
  const date = new Date(from);
  date.setUTCDate(Math.min(date.getUTCDate(), LAST_BILLING_DAY));
  return addMonths(date.getTime(), 1);
}

/** Paystack charges it under a reference of its own. It never tries a failed payment again. */
function charge(account: PaystackAccount, subscription: FakeSubscription) {
  const { customer, plan, card } = subscription;
  const made = addTransaction(account, {
    reference: `paystack-${account.nextId()}`,
    amount: plan.amount,
    metadata: { invoice_action: 'create' },
    email: customer.email,
    plan,
    card,
  });
  if (account.bankAnswers.get(customer.email) === 'declines')
    Object.assign(made, { status: 'failed', gateway_response: 'Insufficient Funds' });
  else setPaid(account, made, 'Approved');
  if (subscription.status !== 'non-renewing')
    subscription.status = made.status === 'success' ? 'active' : 'attention';
}

/** What happens to the subscriptions that Paystack charges itself. */
export const createSubscriptionEvents = (account: PaystackAccount) => ({
  /** Somebody subscribes to a plan on a page of Paystack, and pays for the first time. */
  subscribe: (email: string, plan: Partial<FakePlan> = {}, card = 'first'): FakeSubscription => {
    const id = account.nextId();
    const named = { id: 28, plan_code: 'PLN_monthly', amount: 79_00, interval: 'monthly', ...plan };
    const made: FakeSubscription = {
      id,
      subscription_code: `SUB_${id}`,
      status: 'active',
      customer: account.findOrAddCustomer(email),
      plan: named,
      nextAt: findNextPayment(account.clock.now(), named),
      createdAt: account.clock.now(),
      card,
    };
    account.subscriptions.push(made);
    charge(account, made);
    return made;
  },
  /** A payment that comes although nothing is due. */
  chargeAnyway: (subscription: FakeSubscription) => charge(account, subscription),
  /** Charges what is due now. */
  chargeSubscriptions: () => {
    for (const subscription of account.subscriptions) {
      const { nextAt, status, plan } = subscription;
      if (nextAt === null || nextAt > account.clock.now()) continue;
      if (status === 'non-renewing') {
        Object.assign(subscription, { status: 'cancelled', nextAt: null });
        continue;
      }
      charge(account, subscription);
      subscription.nextAt = findNextPayment(nextAt, plan);
    }
  },
});

const Disable = z.object({ code: z.string(), token: z.string() });

/** It can't be turned on again. */
export function disable(account: PaystackAccount, body: unknown): FakeAnswer {
  const { code, token } = Disable.parse(body);
  const found = account.subscriptions.find(({ subscription_code }) => subscription_code === code);
  const isRunning = ['active', 'attention'].includes(found?.status ?? '');
  if (!found || token !== `token_${found.id}` || !isRunning)
    return refuse(404, 'Subscription with code not found or already inactive');
  found.status = 'non-renewing';
  return ok(undefined, 'Subscription disabled successfully');
}
