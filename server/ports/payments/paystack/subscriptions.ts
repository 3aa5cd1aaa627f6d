import { PaymentsError } from '../payments.ts';
import { PaystackRefusal, type PaystackApi } from './api.ts';
import { agreementStatus } from './present.ts';
import { CreatedSubscription, Done, PaystackPlan, Subscription } from './shapes.ts';

export const refuse = (message: string) => new PaymentsError(message, { isLasting: true });
export const path = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`;

export const fetchSubscription = (api: PaystackApi, code: string) =>
  api.get(path('subscription', code), Subscription);

export const listSubscriptions = (api: PaystackApi, customer: number) =>
  api.list('/subscription', { customer }, Subscription);

const toggle = (
  api: PaystackApi,
  action: 'enable' | 'disable',
  { subscription_code: code, email_token: token }: Subscription,
) => api.post(`/subscription/${action}`, { code, token }, Done);

const isRenewed = (subscription: Subscription): boolean =>
  ['active', 'late'].includes(agreementStatus(subscription));

/** What is switched off already, by another tab or an earlier try, is as it should be. */
export async function disable(api: PaystackApi, subscription: Subscription) {
  if (!isRenewed(subscription)) return;
  try {
    await toggle(api, 'disable', subscription);
  } catch (error) {
    const now =
      error instanceof PaystackRefusal
        ? await fetchSubscription(api, subscription.subscription_code)
        : subscription;
    if (isRenewed(now)) throw error;
  }
}

export async function enable(api: PaystackApi, subscription: Subscription) {
  const status = agreementStatus(subscription);
  if (status === 'ended') throw refuse('The agreement has ended: a new one is needed.');
  if (status === 'ending') await toggle(api, 'enable', subscription);
}

/** Two may ask at the same moment, or the answer may be lost: what is there then is what was made. */
export async function createSubscription(
  api: PaystackApi,
  wish: { customer: string; plan: string; authorization: string | undefined; startsAt: number },
  find: () => Promise<string | null>,
): Promise<string> {
  const { startsAt, ...rest } = wish;
  const start_date = new Date(startsAt).toISOString();
  try {
    const made = await api.post('/subscription', { ...rest, start_date }, CreatedSubscription);
    return made.subscription_code;
  } catch (error) {
    // A no that cannot be looked into is no answer: whoever undoes things on it must not hear it.
    const made = error instanceof PaystackRefusal ? await find() : await find().catch(() => null);
    if (made !== null) return made;
    throw error;
  }
}

/** The first of these plans that costs what the member was shown: nobody is charged another price. */
export async function findPlanCode(
  api: PaystackApi,
  codes: readonly string[],
  { amount, currency }: { amount: number; currency: string },
): Promise<string> {
  const others: string[] = [];
  for (const code of codes) {
    const plan = await api.get(path('plan', code), PaystackPlan);
    if (plan.amount === amount && plan.currency === currency) return code;
    others.push(`the plan ${code} costs ${plan.amount} cents ${plan.currency} at Paystack`);
  }
  throw refuse(
    `${amount} cents ${currency} is asked here, but ${others.join(', ')}: make them equal.`,
  );
}
