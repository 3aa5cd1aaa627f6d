import { expect } from 'vitest';
import type { Plan } from '#contract/rules/plans.ts';
import { startFakePaystack, type FakePaystack } from '../fake-paystack.ts';
import { connectPaystack, connectStripe } from '../fake-providers.ts';
import { startFakeStripe, type FakeStripe } from '../fake-stripe.ts';
import type { Delivery } from '../payments-contract/subject.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../test-app.ts';
import { deliverAll, payingClient, runPaymentJobs } from '../test-payments.ts';
import type { TestUser } from '../test-user.ts';

export const PROVIDERS = ['sandbox', 'paystack', 'stripe'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** A card of one's own, or one that several people use. */
export type SiteCard = 'own' | 'shared';

type Driver = {
  pay: (checkout: { checkoutId: string; reference: string }, card: SiteCard) => Promise<void>;
  /** Delivers and processes all webhook events. */
  deliver: () => Promise<void>;
};

const driveSandbox = (test: TestApp): Driver => ({
  pay: async ({ checkoutId }, card) => {
    await test.sandbox.pay(checkoutId, { card: card === 'own' ? 'success' : 'used' });
  },

  deliver: async () => {
    await deliverAll(test);
  },
});

const driveFake = (test: TestApp, fake: FakePaystack | FakeStripe): Driver => ({
  pay: async ({ reference }, card) =>
    fake.pay(reference, card === 'own' ? `card-${reference}` : card),

  deliver: async () => {
    const url = `/api/webhooks/${test.deps.payments.name}`;
    const send = ({ headers, rawBody }: Delivery) =>
      test.app.inject({ method: 'POST', url, headers, payload: rawBody });
    for (const delivery of fake.drainWebhooks())
      expect((await send(delivery)).statusCode).toBe(200);
    await test.worker.runDue();
  },
});

/** Starts the fake company behind the adapter; the sandbox has its own in the database. */
async function startFake(provider: Provider, clock: { now: () => number }) {
  if (provider === 'sandbox') return null;
  if (provider === 'paystack') {
    const fake = await startFakePaystack(clock);
    return { fake, payments: connectPaystack(fake, clock) };
  }
  const fake = await startFakeStripe(clock);
  return { fake, payments: connectStripe(fake, clock) };
}

/** The site with one of the payment providers: behaviour that must be the same with each of them. */
export async function openProviderSite(provider: Provider, options: TestAppOptions = {}) {
  const clock = { now: (): number => test.clock.now() };
  const started = await startFake(provider, clock);
  const test: TestApp = await createTestApp({
    ...options,
    ...(started && { payments: started.payments }),
  });
  const driver = started ? driveFake(test, started.fake) : driveSandbox(test);
  return {
    test,
    /** The company behind Paystack or Stripe; null for the sandbox, which is in `test`. */
    fake: started?.fake ?? null,
    /** What a user does to pay, with a card of this provider. */
    payer: (user: TestUser) => {
      const client = payingClient(test, user);
      const buy = async (plan: Plan, card: SiteCard = 'own') => {
        const begun = await client.begin(plan);
        await driver.pay(begun, card);
        return client.confirm(begun.reference);
      };
      return { ...client, buy };
    },
    /** Lets time pass; what is due on the way is charged, and reported by webhooks. */
    pass: async (ms: number) => {
      test.clock.advance(ms);

      await runPaymentJobs(test);
      await driver.deliver();
    },
    deliver: driver.deliver,
    close: async () => {
      await test.close();
      await started?.fake.close();
    },
  };
}
export type ProviderSite = Awaited<ReturnType<typeof openProviderSite>>;
