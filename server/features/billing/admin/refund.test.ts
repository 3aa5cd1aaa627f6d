/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import type { Invoice } from '#contract/paying/invoices.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { failure, refusal } from '../../../ports/payments/payments.ts';
import { EACH_STEP, killAt, killAtCall, killAtEachStep } from '../../../testing/kill-process.ts';
import { findTraces } from '../../../testing/read-all-tables.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { payingClient, runPaymentJobs } from '../../../testing/test-payments.ts';
import { createUser, PASSWORD, type TestUser } from '../../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestUser;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
async function openSite() {
  test = await createTestApp();
  admin = await createAdmin(test);
  member = await createUser(test);
  me = payingClient(test, member);
}
async function reopenSite() {
  await test.close();
  await openSite();
}
beforeEach(openSite);
afterEach(() => test.close());

const stayLoggedIn = () =>
  test.deps.database.db
    .updateTable('sessions')
    .set({ expires_at: Date.UTC(2090, 0) })
    .execute();
const listInvoices = async (): Promise<Invoice[]> => {
  const url = `/api/admin/subscribers/${member.user.id}/invoices`;
  return (await admin.client.request({ url })).json<{ items: Invoice[] }>().items;
};
const refund = async (amount: number, endsSubscription: boolean) => {
  await stayLoggedIn();
  const [invoice] = await listInvoices();
  return admin.client.request({
    method: 'POST',
    url: `/api/admin/subscribers/${member.user.id}/refund`,
    payload: { reason: 'As agreed.', invoiceId: invoice?.id, amount, endsSubscription },
  });
};
const listActions = async () => {
  const rows = await test.deps.database.db.selectFrom('audit_log').select('action').execute();
  return rows.map(({ action }) => action).toSorted();
};
const ALL_ACTIONS = ['payment.refunded', 'refund.requested', 'subscription.ended'];
/** Whether the subscription goes on, and what the provider gave back of the first payment. */
const readState = async () => {
  const { db } = test.deps.database;
  const [subscription] = await db.selectFrom('subscriptions').select('status').execute();
  const [payment] = await db
    .selectFrom('sandbox_payments')
    .select('refunded')
    .orderBy('created_at')
    .execute();
  return { status: subscription?.status, refunded: payment?.refunded };
};
/** Time passes, and the jobs charge whatever is still due. */
async function passMonths(days = 70) {
  test.clock.advance(10 * MINUTE);
  await test.worker.runDue();
  test.clock.advance(days * DAY);
  await runPaymentJobs(test);
}

describeOnSqlite('a refund that ends the subscription', () => {
  it('takes the access it paid for, and nothing is charged again', async () => {
    await me.buy('monthly');
    const { subscription } = (await refund(79_00, true)).json<SubscriberPage>();
    expect(subscription).toMatchObject({
      status: 'ended',
      hasAccess: false,
      renews: false,
      nextPayment: null,
    });
    expect(await readState()).toEqual({ status: 'ended', refunded: 79_00 });
    expect(await listActions()).toEqual(ALL_ACTIONS);
    await passMonths();
    expect(await me.charges()).toHaveLength(1);
    expect(await listActions()).toEqual(ALL_ACTIONS);
  });

  it('leaves paid time that wasn’t refunded', async () => {
    await me.buy('monthly');
    const { subscription } = (await refund(20_00, true)).json<SubscriberPage>();
    expect(subscription).toMatchObject({ status: 'cancelled', hasAccess: true, renews: false });
    await passMonths();
    expect(await me.charges()).toHaveLength(1);
  });
});

it('a refund that keeps the subscription lets it renew, and both pages offer to end it', async () => {
  await me.buy('monthly');
  const page = (await refund(79_00, false)).json<SubscriberPage>();
  expect(page.subscription).toMatchObject({ status: 'ended', hasAccess: false, renews: true });
  expect(page.subscriptions).toMatchObject([
    { status: 'active', nextPayment: { amount: 79_00 }, canEnd: true },
  ]);
  expect(await me.subscription()).toMatchObject({ renews: true, nextPayment: { amount: 79_00 } });
  expect((await me.cancel()).renews).toBe(false);
  await passMonths();
  expect(await me.charges()).toHaveLength(1);
});

describe('a refund', () => {
  it('is finished later if the provider is down, and paid once', async () => {
    await me.buy('monthly');
    const working = test.deps.payments.refund;
    test.deps.payments.refund = async () => {
      throw failure('Not today.');
    };
    const answer = await refund(79_00, true);
    expect([answer.statusCode, answer.json<ErrorBody>().code]).toEqual([
      503,
      'provider_unavailable',
    ]);
    expect(answer.json<ErrorBody>().message).toContain('we’ll finish it');
    expect(await listActions()).toEqual(['refund.requested']);
    test.deps.payments.refund = working;
    test.clock.advance(10 * MINUTE);
    await test.worker.runDue();
    expect(await readState()).toEqual({ status: 'ended', refunded: 79_00 });
    expect(await listActions()).toEqual(ALL_ACTIONS);
    expect(await me.isSubscriber()).toBe(false);
  });

  it('that the bank sent back is told to the member and can be asked for again', async () => {
    const { reference } = await me.buy('monthly');
    await refund(79_00, false);
    await test.worker.runDue();
    test.clock.advance(MINUTE);
    await test.sandbox.failRefund(reference);
    await runPaymentJobs(test);
    expect(await readState()).toMatchObject({ refunded: 0 });
    test.clock.advance(MINUTE);
    expect((await refund(79_00, false)).statusCode).toBe(200);
    expect(await readState()).toMatchObject({ refunded: 79_00 });
    await test.worker.runDue();
    const mails = await test.deps.database.db
      .selectFrom('outbox')
      .select('subject')
      .where('subject', 'like', 'Your refund%')
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your refund from Weekender: R79',
      'Your refund from Weekender didn’t reach you',
      'Your refund from Weekender: R79',
    ]);
  });

  it('is never asked of another provider', async () => {
    await me.buy('monthly');
    const { payments } = test.deps;
    const working = payments.refund;
    const asked: string[] = [];
    payments.refund = async () => {
      throw failure('Not today.');
    };
    await refund(20_00, false);
    payments.refund = async ({ chargeId }) => void asked.push(chargeId);
    payments.name = 'stripe';
    test.clock.advance(10 * MINUTE);
    await test.worker.runDue();
    expect(asked).toEqual([]);
    const job = await test.deps.database.db
      .selectFrom('jobs')
      .select('last_error')
      .where('name', '=', 'make-refund')
      .executeTakeFirstOrThrow();
    expect(job.last_error).toContain('by hand: the site no longer uses sandbox.');
    payments.name = 'sandbox';
    payments.refund = working;
    test.clock.advance(HOUR);
    await test.worker.runDue();
    expect(await readState()).toMatchObject({ refunded: 20_00 });
  });

  it('that the provider refuses is not tried again', async () => {
    await me.buy('monthly');
    test.deps.payments.refund = async () => {
      throw refusal('The payment is too old.');
    };
    const answer = await refund(79_00, true);
    expect(answer.json<ErrorBody>()).toMatchObject({
      code: 'refund_refused',
      message: expect.stringContaining('The payment is too old.') as string,
    });
    const jobs = await test.deps.database.db
      .selectFrom('jobs')
      .select('id')
      .where('name', '=', 'make-refund')
      .execute();
    expect(jobs).toEqual([]);
    expect((await me.subscription()).status).toBe('active');
  });

  it('is paid even if the account is deleted before the provider answers', async () => {
    await me.buy('monthly');
    const working = test.deps.payments.refund;
    test.deps.payments.refund = async () => {
      throw failure('Not today.');
    };
    await refund(20_00, true);
    const payload = { password: PASSWORD, confirmation: 'delete' };
    await member.client.request({ method: 'DELETE', url: '/api/me', payload });
    test.deps.payments.refund = working;
    test.clock.advance(HOUR);
    await test.worker.runDue();
    expect(await readState()).toEqual({ status: 'ended', refunded: 20_00 });
    // The audit log keeps the ids of deleted accounts, but nothing else names this one.
    const traces = await findTraces(test.deps.database, [member.user.id]);
    expect(traces.filter((trace) => !trace.startsWith('audit_log:'))).toEqual([]);
  });

  itOnSqlite('killed at any transaction is finished or never began', EACH_STEP, () =>
    killAtEachStep(reopenSite, async (step) => {
      await me.buy('monthly');
      await stayLoggedIn();
      const { restart } = killAt(test.deps.database, step);
      await refund(79_00, true).catch(() => undefined);
      const wasKilled = restart();
      await passMonths();
      const wasRequested = (await listActions()).includes('refund.requested');
      expect(await listActions()).toEqual(wasRequested ? ALL_ACTIONS : []);
      expect(await readState()).toEqual(
        wasRequested ? { status: 'ended', refunded: 79_00 } : { status: 'active', refunded: 0 },
      );
      expect(await me.charges()).toHaveLength(wasRequested ? 1 : 2);
      return wasKilled;
    }),
  );

  itOnSqlite('killed at any call of the provider is finished', EACH_STEP, () =>
    killAtEachStep(reopenSite, async (step) => {
      await me.buy('monthly');
      const { restart } = killAtCall(test.deps.payments, step);
      await refund(79_00, true);
      const wasKilled = restart();
      await passMonths();
      expect(await listActions()).toEqual(ALL_ACTIONS);
      expect(await readState()).toEqual({ status: 'ended', refunded: 79_00 });
      expect(await me.charges()).toHaveLength(1);
      expect(await me.isSubscriber()).toBe(false);
      return wasKilled;
    }),
  );
});
