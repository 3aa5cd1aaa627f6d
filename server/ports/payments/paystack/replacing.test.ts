import { expect, it } from 'vitest';
import { PAYSTACK_PLANS } from '../../../testing/fake-paystack.ts';
import { START } from '../../../testing/fake-providers.ts';
import {
  countSeen,
  fake,
  listStatuses,
  listTaken,
  month,
  passTo,
  payments,
  readState,
  request,
  restart,
  startOver,
  subscribe,
  usePaystack,
} from '../../../testing/paystack/use-paystack.ts';
import type { PlanChange } from '../payments.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

usePaystack();

const DUE = Date.UTC(2026, 11, 15, 12);

const toAnnual = (providerSubscriptionId: string, amount = 79_000) =>
  payments.changePlan({ providerSubscriptionId, plan: 'annual', amount, startsAt: DUE });

const toMonthly = (providerSubscriptionId: string, amount = 7900) => ({
  providerSubscriptionId,
  plan: 'monthly' as const,
  amount,
  startsAt: DUE,
});

it('continues an interrupted plan change without a second subscription', async () => {
  await payments.startCheckout(request);
  fake.pay('ref-1');
  const { providerSubscriptionId } = await payments.getCheckout('ref-1');
  const change = {
    providerSubscriptionId: providerSubscriptionId ?? '',
    plan: 'annual' as const,
    amount: 79_000,
    startsAt: START + 1,
  };
  fake.setFault('down', 'POST /subscription/disable');
  await expect(payments.changePlan(change)).rejects.toMatchObject({ kind: 'temporary' });
  expect(fake.subscriptions.map(({ status }) => status)).toEqual(['active', 'active']);
  fake.setFault(null);
  await payments.changePlan(change);
  expect(fake.subscriptions.map(({ status }) => status)).toEqual(['non-renewing', 'active']);
});

it('changes nothing if the other plan has another price at Paystack', async () => {
  const id = await subscribe();
  await expect(toAnnual(id, 69_000)).rejects.toMatchObject({ kind: 'refused' });
  expect(listStatuses()).toEqual(['active']);
  expect(fake.seen).not.toContain('POST /subscription/disable');
});

it('never charges for two plans when a change stops half-way, and continues when asked again', async () => {
  const id = await subscribe();
  fake.setFault('error', 'POST /subscription');
  await expect(toAnnual(id)).rejects.toMatchObject({ kind: 'temporary' });
  expect(listStatuses()).toEqual(['active']);
  fake.setFault('down', 'POST /subscription/disable');
  await expect(toAnnual(id)).rejects.toMatchObject({ kind: 'temporary' });
  expect(listStatuses()).toEqual(['active', 'active']);
  fake.setFault(null);
  const { providerSubscriptionId } = await toAnnual(id);
  expect(listStatuses()).toEqual(['non-renewing', 'active']);
  expect(providerSubscriptionId).toBe(fake.subscriptions[1]?.subscription_code);
  passTo(START + 31 * DAY);
  const paid = fake.transactions.filter(({ status }) => status === 'success');
  expect(paid.map(({ amount }) => amount)).toEqual([7900, 79_000]);
});

it('finds the subscription it created when the response was lost', async () => {
  const id = await subscribe();
  fake.setFault('lost', 'POST /subscription');
  const { providerSubscriptionId } = await toAnnual(id);
  expect(providerSubscriptionId).toBe(fake.subscriptions[1]?.subscription_code);
  expect(listStatuses()).toEqual(['non-renewing', 'active']);
});

it('creates one subscription when two tabs change the plan at once', async () => {
  const id = await subscribe();
  const [one, two] = await Promise.all([toAnnual(id), toAnnual(id)]);
  expect(two).toEqual(one);
  expect(listStatuses()).toEqual(['non-renewing', 'active']);
});

it('keeps the current plan when another one is refused', async () => {
  const id = await subscribe();
  fake.setFault('refused', 'POST /subscription');
  await expect(toAnnual(id)).rejects.toMatchObject({ kind: 'refused' });
  expect(listStatuses()).toEqual(['active']);
});

it("returns to the user's old price, even if new subscribers pay more", async () => {
  const id = await subscribe();
  await toAnnual(id);
  fake.plans.PLN_new = { id: 30, plan_code: 'PLN_new', amount: 9900, interval: 'monthly' };
  restart({
    ...PAYSTACK_PLANS,
    monthly: ['PLN_new', 'PLN_monthly'],
  });
  const annual = fake.subscriptions[1]?.subscription_code ?? '';
  const change = {
    providerSubscriptionId: annual,
    plan: 'monthly' as const,
    amount: 7900,
    startsAt: START + 30 * DAY,
  };
  const { providerSubscriptionId } = await payments.changePlan(change);
  expect(providerSubscriptionId).not.toBe(id);
  expect(fake.subscriptions.map(({ plan, status }) => [plan.plan_code, status])).toEqual([
    ['PLN_monthly', 'non-renewing'],
    ['PLN_annual', 'non-renewing'],
    ['PLN_monthly', 'active'],
  ]);
});

/** What a member may ask for, up to the request itself, and what the two dates should take. */
const CHANGES: [string, () => Promise<PlanChange>, number[]][] = [
  [
    'resume',
    async () => {
      const id = await subscribe();
      await payments.cancelAtPeriodEnd(id);
      return toMonthly(id);
    },
    [7900, 7900],
  ],
  [
    'another plan',
    async () => ({ ...toMonthly(await subscribe(), 79_000), plan: 'annual' }),
    [7900, 79_000],
  ],
  [
    'the old plan again',
    async () => toMonthly((await toAnnual(await subscribe())).providerSubscriptionId),
    [7900, 7900],
  ],
  [
    'another price',
    async () => {
      const id = await subscribe();
      fake.plans.PLN_new = { id: 31, plan_code: 'PLN_new', amount: 9900, interval: 'monthly' };
      restart({ ...PAYSTACK_PLANS, monthly: ['PLN_new', 'PLN_monthly'] });
      return toMonthly(id, 9900);
    },
    [7900, 9900],
  ],
];

it.each(CHANGES)(
  'charges once on the date, wherever a change stops and is asked for again: %s',
  async (_what, prepare, amounts) => {
    const dry = await prepare();
    const before = fake.seen.length;
    await payments.changePlan(dry);
    const lines = [...new Set(fake.seen.slice(before))];
    expect(lines).toContain('POST /subscription');
    for (const line of lines)
      for (const fault of ['down', 'lost', 'error', 'refused'] as const) {
        await startOver();
        const change = await prepare();
        const wasRenewing = listStatuses().includes('active');
        fake.setFault(fault, line);
        await payments.changePlan(change).catch(() => null);
        // Someone who renewed still does: the old one is kept until the new one stands.
        if (wasRenewing)
          expect([line, fault, listStatuses().includes('active')]).toEqual([line, fault, true]);
        fake.setFault(null);
        restart(
          fake.plans.PLN_new
            ? { ...PAYSTACK_PLANS, monthly: ['PLN_new', 'PLN_monthly'] }
            : PAYSTACK_PLANS,
        );
        const { providerSubscriptionId } = await payments.changePlan(change);
        expect([line, fault, listStatuses().filter((status) => status === 'active')]).toEqual([
          line,
          fault,
          ['active'],
        ]);
        expect(await readState(providerSubscriptionId)).toMatchObject({ status: 'active' });
        passTo(DUE + HOUR);
        expect([line, fault, listTaken().map(([, amount]) => amount)]).toEqual([
          line,
          fault,
          amounts,
        ]);
      }
  },
);

it('never turns a subscription on again', async () => {
  const id = await subscribe();
  await payments.cancelAtPeriodEnd(id);
  const resumed = await payments.resume(toMonthly(id));
  const annual = await toAnnual(resumed.providerSubscriptionId);
  await payments.changePlan(toMonthly(annual.providerSubscriptionId));
  expect(countSeen('POST /subscription/enable')).toBe(0);
  expect(listStatuses()).toEqual(['non-renewing', 'non-renewing', 'non-renewing', 'active']);
});

it('resumes with the next payment, and later payments belong to the new subscription', async () => {
  const id = await subscribe();
  await payments.cancelAtPeriodEnd(id);
  passTo(START + 3 * DAY);
  const { providerSubscriptionId } = await payments.resume(toMonthly(id));
  expect(await readState(providerSubscriptionId)).toMatchObject({
    status: 'active',
    plan: 'monthly',
    nextPlan: null,
    nextChargeAt: DUE,
    nextAmount: 7900,
  });
  passTo(DUE + HOUR);
  expect((await readState(id)).status).toBe('ended');
  const { charges } = await payments.getProviderSubscription(providerSubscriptionId);
  expect(charges.map(({ at }) => at)).toEqual([DUE]);
  expect((await payments.getProviderSubscription(id)).charges.map(({ at }) => at)).toEqual([START]);
});

it('shows the plan that is paid for until a change takes effect, also after a change back', async () => {
  const id = await subscribe();
  const there = await toAnnual(id);
  expect(await readState(there.providerSubscriptionId)).toMatchObject({
    plan: 'monthly',
    nextPlan: 'annual',
    nextChargeAt: DUE,
  });
  const back = await payments.changePlan(toMonthly(there.providerSubscriptionId));
  expect(await readState(back.providerSubscriptionId)).toMatchObject({
    plan: 'monthly',
    nextPlan: null,
    nextChargeAt: DUE,
    nextAmount: 7900,
  });
  const again = await toAnnual(back.providerSubscriptionId);
  expect(await readState(again.providerSubscriptionId)).toMatchObject({
    plan: 'monthly',
    nextPlan: 'annual',
  });
  passTo(DUE + HOUR);
  expect(listTaken()).toEqual([
    [START, 7900],
    [DUE, 79_000],
  ]);
});

it('keeps a payment made hours before a resumed subscription with the old one', async () => {
  const id = await subscribe();
  passTo(DUE + HOUR);
  await payments.cancelAtPeriodEnd(id);
  const change = { ...toMonthly(id), startsAt: month(DUE) };
  const { providerSubscriptionId } = await payments.resume(change);
  expect((await payments.getProviderSubscription(id)).charges).toHaveLength(2);
  expect((await payments.getProviderSubscription(providerSubscriptionId)).charges).toEqual([]);
});

it('does nothing if the price was already changed at Paystack', async () => {
  const id = await subscribe();
  fake.editPlan('PLN_monthly', 9900);
  const change = toMonthly(id, 9900);
  expect(await payments.changePlan(change)).toEqual({ providerSubscriptionId: id });
  expect(listStatuses()).toEqual(['active']);
});
