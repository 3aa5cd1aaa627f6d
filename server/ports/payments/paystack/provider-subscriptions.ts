import { z } from 'zod';
import type { Plan } from '#contract/rules/plans.ts';
import { DAY } from '#contract/rules/time.ts';
import { isNotFound, isOurReference } from '../payments.ts';
import type { ProviderSubscription, ProviderSubscriptions } from '../provider-subscriptions.ts';
import { createPaystackApi, path, type PaystackApi } from './api.ts';
import { Authorization, Done, findSavedCard, Transaction } from './answers.ts';

const TIMEOUT_MS = 15_000;

const PLANS: Record<string, Plan> = { monthly: 'monthly', annually: 'annual' };
/** In these, Paystack charges nobody again. A failed payment (`attention`) isn't the end. */
const ENDED = new Set(['non-renewing', 'cancelled', 'complete', 'completed']);

const Customer = z.object({ id: z.int(), email: z.string().nullish() });
const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const Subscription = z.object({
  subscription_code: z.string().min(1),
  /** Ending it needs this as well. */
  email_token: z.string().min(1),
  status: z.string(),
  amount: z.int().min(0),
  next_payment_date: time.nullish(),
  customer: Customer,
  plan: z.object({ plan_code: z.string().min(1), interval: z.string(), currency: z.string() }),
  authorization: Authorization,
});
/** The plan of a listed one lacks its code. */
const ListedSubscription = Subscription.pick({ subscription_code: true, status: true });

/** Only a payment that is fetched by its id names its plan, and a list has an empty object. */
const PlanPayment = Transaction.extend({
  customer: Customer,
  plan: z.object({ plan_code: z.string().optional() }).nullish(),
});

const fetchSubscription = (api: PaystackApi, code: string) =>
  api.get(path('subscription', code), Subscription);

function present(found: z.output<typeof Subscription>): ProviderSubscription {
  const { status, amount, plan, customer, authorization } = found;
  const isEnded = ENDED.has(status);
  return {
    id: found.subscription_code,
    planId: plan.plan_code,
    plan: PLANS[plan.interval] ?? null,
    state: isEnded ? 'ended' : status === 'active' ? 'renewing' : 'other',
    status,
    amount,
    currency: plan.currency,
    nextAt: isEnded ? null : (found.next_payment_date ?? null),
    customerId: String(customer.id),
    email: customer.email ?? null,
    card: findSavedCard({ authorization, customer }),
  };
}

/** The same customer has a plan at most once, so that its payments belong to one subscription. */
async function listCharges(
  api: PaystackApi,
  { planId, customerId }: ProviderSubscription,
  { since, now }: { since: number; now: number },
) {
  const range = { from: new Date(since).toISOString(), to: new Date(now + DAY).toISOString() };
  const listed = await api.list('/transaction', { customer: customerId, ...range }, PlanPayment);
  const theirs = listed.filter(
    ({ status, customer, reference }) =>
      status === 'success' && String(customer.id) === customerId && !isOurReference(reference),
  );
  const charges = [];
  for (const { id } of theirs) {
    const found = await api.get(path('transaction', String(id)), PlanPayment);
    const { amount, currency, paid_at, created_at } = found;
    const at = paid_at ?? created_at;
    if (found.plan?.plan_code === planId && at >= since) charges.push({ at, amount, currency });
  }
  return charges.toSorted((a, b) => a.at - b.at);
}

async function end(api: PaystackApi, code: string) {
  const { email_token: token } = await fetchSubscription(api, code);
  try {
    await api.post('/subscription/disable', { code, token }, Done);
  } catch (error) {
    // One that is off already is “not found or already inactive”.
    if (!isNotFound(error)) throw error;
  }
}

export function createPaystackSubscriptions(
  settings: { api: string; secretKey: string },
  clock: { now: () => number },
): ProviderSubscriptions {
  const api = createPaystackApi({ ...settings, timeoutMs: TIMEOUT_MS });
  const read = async (code: string) => present(await fetchSubscription(api, code));
  return {
    list: async () => {
      const found = [];
      for (const listed of await api.list('/subscription', {}, ListedSubscription))
        if (!ENDED.has(listed.status)) found.push(await read(listed.subscription_code));
      return found;
    },
    read,
    listCharges: (subscription, since) =>
      listCharges(api, subscription, { since, now: clock.now() }),
    end: (code) => end(api, code),
  };
}
