import { expect } from 'vitest';
import type { Subscription } from '#contract/billing.ts';
import type { Invoice } from '#contract/paying/invoices.ts';
import type { Plan } from '#contract/rules/plans.ts';
import { enqueue } from '../jobs/queue.ts';
import type { CardName } from '../ports/payments/sandbox/ways-to-pay.ts';
import type { SignedWebhook } from '../ports/payments/sandbox/sandbox.ts';
import type { TestApp } from './test-app.ts';
import type { TestUser } from './test-user.ts';

export type CheckoutResult = {
  state: 'open' | 'paid' | 'failed';
  purchase: { plan: Plan; amount: number; currency: string; paymentMethod: string } | null;
};

/** What a user does to pay, through the API. */
export function payingClient(test: TestApp, { client, user }: TestUser) {
  /** Sessions would expire in tests that let months pass. */
  const stayLoggedIn = () =>
    test.deps.database.db
      .updateTable('sessions')
      .set({ expires_at: Date.UTC(2090, 0) })
      .where('user_id', '=', user.id)
      .execute();
  const call = async <T>(method: 'GET' | 'POST', url: string, payload?: object): Promise<T> => {
    await stayLoggedIn();
    const response = await client.request({ method, url, ...(payload && { payload }) });
    expect([url, response.statusCode, response.body.slice(0, 300)]).toEqual([
      url,
      200,
      expect.anything(),
    ]);
    return response.json<T>();
  };
  const findReference = async (): Promise<string> => {
    const row = await test.deps.database.db
      .selectFrom('payments')
      .select('reference')
      .where('user_id', '=', user.id)
      .where('kind', '<>', 'renewal')
      .orderBy('created_at', 'desc')
      .orderBy('reference')
      .executeTakeFirstOrThrow();
    return row.reference;
  };
  const begin = async (plan: Plan, coupon?: string) => {
    const { url } = await call<{ url: string }>('POST', '/api/checkout', {
      plan,
      ...(coupon && { coupon }),
    });
    const checkoutId = url.split('/').at(-1) ?? '';
    const page = await test.sandbox.findPage(checkoutId);
    return { url, checkoutId, reference: page?.reference ?? (await findReference()) };
  };
  const confirm = (reference: string) =>
    call<CheckoutResult>('POST', `/api/checkout/${reference}/confirm`);
  return {
    call,
    begin,
    confirm,
    /** From the start of the checkout to the page after it. */
    buy: async (
      plan: Plan,
      { card = 'success', coupon }: { card?: CardName; coupon?: string } = {},
    ) => {
      const { checkoutId, reference } = await begin(plan, coupon);
      await test.sandbox.pay(checkoutId, { card });
      return { reference, result: await confirm(reference) };
    },
    subscription: () => call<Subscription>('GET', '/api/subscription'),
    invoices: async () =>
      (await call<{ items: Invoice[] }>('GET', '/api/subscription/invoices')).items,
    cancel: () => call<Subscription>('POST', '/api/subscription/cancel', { reason: 'other' }),
    resume: () => call<Subscription>('POST', '/api/subscription/resume'),
    change: (plan: Plan) => call<Subscription>('POST', '/api/subscription/change', { plan }),
    isSubscriber: async () =>
      (await call<{ isSubscriber: boolean }>('GET', '/api/auth/me')).isSubscriber,
    /** The id of the newest subscription. */
    subscriptionId: async () => {
      const row = await test.deps.database.db
        .selectFrom('subscriptions')
        .select('id')
        .where('user_id', '=', user.id)
        .orderBy('started_at', 'desc')
        .executeTakeFirstOrThrow();
      return row.id;
    },
    /** What charges the card of the newest payment page: for what the sandbox does to a card. */
    cardToken: async () => {
      const state = await test.sandbox.payments.readPayment(await findReference(), null);
      if (!state.savedCard) throw new Error('The last payment saved no card.');
      return state.savedCard.token;
    },
    charges: async () => {
      const rows = await test.deps.database.db
        .selectFrom('ledger_entries')
        .select(['charge_id', 'amount'])
        .where('user_id', '=', user.id)
        .where('kind', '=', 'charge')
        .orderBy('seq')
        .execute();
      return rows.map((row) => ({ id: row.charge_id ?? '', amount: row.amount ?? 0 }));
    },
    ledger: async () => {
      const rows = await test.deps.database.db
        .selectFrom('ledger_entries')
        .select(['kind', 'reason'])
        .where('user_id', '=', user.id)
        .orderBy('seq')
        .execute();
      return rows.map(({ kind }) => kind);
    },
  };
}

export const deliver = (test: TestApp, { headers, rawBody }: SignedWebhook) =>
  test.app.inject({ method: 'POST', url: '/api/webhooks/sandbox', headers, payload: rawBody });

/** Delivers and processes all webhook events. */
export async function deliverAll(test: TestApp): Promise<number> {
  const webhooks = await test.sandbox.drainWebhooks();
  for (const webhook of webhooks) expect((await deliver(test, webhook)).statusCode).toBe(200);
  await test.worker.runDue();
  return webhooks.length;
}

/** Runs schedules now, in this order, whenever they are due. */
export async function runSchedule(test: TestApp, ...names: string[]) {
  const { db } = test.deps.database;
  for (const [runAt, name] of names.entries()) {
    const uniqueKey = `schedule:${name}`;
    const waiting = await db
      .updateTable('jobs')
      .set({ run_at: runAt })
      .where('unique_key', '=', uniqueKey)
      .where('state', '=', 'ready')
      .returning('id')
      .executeTakeFirst();
    const schedule = { name, maxAttempts: 1, encode: () => '{}' };
    if (!waiting) await enqueue(db, schedule, {}, { now: runAt, uniqueKey });
  }
  await test.worker.runDue();
}

/** Runs the jobs that read and charge payments, whatever webhook events arrived, and then others. */
export async function runPaymentJobs(test: TestApp, ...others: string[]) {
  await runSchedule(test, 'settle-asked', 'renew-due', 'dun', 'watch-account');
  await runSchedule(test, 'settle-asked', ...others);
}
