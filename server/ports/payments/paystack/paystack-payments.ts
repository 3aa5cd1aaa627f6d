import { type Payments } from '../payments.ts';
import { createPlanIdUser } from '../plan-ids.ts';
import {
  createContext,
  fetchSubscription,
  findTransaction,
  isOurs,
  path,
  verify,
  type PaystackSettings,
} from './context.ts';
import { listPayouts } from './payouts.ts';
import { finishCheckout, getCheckout } from './read-checkout.ts';
import { readCustomer, readSubscription } from './read-customer.ts';
import { refundOnce } from './refund.ts';
import { Customer, ManageLink } from './shapes.ts';
import { createCheckoutStarter, MINIMUM_CENTS } from './start-checkout.ts';
import { disable, findPlanCode, payOwed, replaceSubscription } from './subscriptions.ts';
import { parsePaystackWebhook } from './webhook.ts';

const TIMEOUT_MS = 15_000;

type Parts = { clock: { now: () => number }; timeoutMs?: number };

export function createPaystackPayments(
  settings: PaystackSettings,
  { clock, timeoutMs = TIMEOUT_MS }: Parts,
): Payments {
  const context = createContext(settings, { clock, timeoutMs });
  const { api, calendar } = context;
  const stop = async (id: string) => disable(context, await fetchSubscription(context, id));
  return {
    name: 'paystack',
    calendar,
    minimumAmount: MINIMUM_CENTS,
    planIdExample: 'PLN_…',
    checkPlanId: async (planId, price) => void (await findPlanCode(context, [planId], price)),
    usePlanIds: createPlanIdUser(settings.plans),
    startCheckout: createCheckoutStarter(context),
    getCheckout: (reference) => getCheckout(context, reference),
    finishCheckout: (reference) => finishCheckout(context, reference),
    getProviderSubscription: async (id) =>
      readSubscription(context, await fetchSubscription(context, id)),
    listProviderSubscriptions: async (customerId) =>
      readCustomer(context, await api.get(path('customer', customerId), Customer)),
    cancelAtPeriodEnd: stop,
    // Paystack never retries a failed payment, so there is nothing else to drop.
    endNow: stop,
    resume: (change) => replaceSubscription(context, change),
    changePlan: (change) => replaceSubscription(context, change),
    payOwed: (payment) => payOwed(context, payment),
    // Paystack's page has no link back.
    cardUpdateUrl: async (id) =>
      (await api.get(`${path('subscription', id)}/manage/link`, ManageLink)).link,
    refund: async ({ chargeId, amount, key }) =>
      refundOnce(context, await verify(context, chargeId), { amount, key }),
    isOurs: async (chargeId) => {
      const transaction = await findTransaction(context, chargeId);
      return transaction !== null && isOurs(context, transaction);
    },
    listPayouts: (range) => listPayouts(context, range),
    parseWebhook: async (headers, rawBody) => {
      const event = parsePaystackWebhook(settings, headers, rawBody);
      for (const { chargeId, customerId, plan } of event?.subjects ?? [])
        if (chargeId !== null && customerId !== null && plan !== null)
          context.announcedPayments.add(chargeId, customerId);
      return event;
    },
  };
}
