/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { buildPayment } from '../../../db/build-rows.ts';
import { PaymentsError } from '../../../ports/payments/payments.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { payingClient, runPaymentJobs } from '../../../testing/test-payments.ts';
import { createUser, type TestUser } from '../../../testing/test-user.ts';
import { listOpenIssues } from '../../payment-issues/service.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
beforeEach(async () => {
  test = await createTestApp();
  member = await createUser(test);
  me = payingClient(test, member);
});
afterEach(() => test.close());

const listIssues = () => listOpenIssues(test.deps.database.db);
const findMail = async (subject: string) => {
  await test.worker.runDue();
  const mails = await test.deps.database.db
    .selectFrom('outbox')
    .select(['subject', 'body_text'])
    .execute();
  return mails.filter((mail) => mail.subject.includes(subject));
};

it('pages of a former provider close together, and one issue says where to look for them', async () => {
  const { db } = test.deps.database;
  const now = test.clock.now();
  const write = async (count: number, provider: string, created_at: number) => {
    for (let index = 0; index < count; index += 1) {
      const reference = `wk-${provider}-${created_at - now}-${String(index).padStart(2, '0')}`;
      const facts = {
        user_id: null,
        kind: 'once',
        amount: 79_00,
        currency: 'ZAR',
        state: 'open',
      } as const;
      await db
        .insertInto('payments')
        .values(buildPayment({ ...facts, reference, provider, created_at }))
        .execute();
    }
  };
  await write(1, 'stripe', now);
  await write(20, 'paystack', now);
  await write(2, 'paystack', now + DAY);
  test.clock.advance(7 * DAY);
  await runPaymentJobs(test);
  expect(await listIssues()).toMatchObject([
    {
      kind: 'unknown-charge',
      provider: 'stripe',
      reason:
        'A payment page was still open when the site changed its payment provider, and may have been paid there. Look at Stripe for wk-stripe-0-00; if money arrived, refund it there.',
    },
  ]);
  test.clock.advance(DAY);
  await runPaymentJobs(test);
  await runPaymentJobs(test);
  const [issue, ...others] = await listIssues();
  expect(others).toHaveLength(1);
  expect(issue).toMatchObject({ kind: 'unknown-charge', provider: 'paystack' });
  expect(issue?.reason).toMatch(
    /^Payment pages were .* Look at Paystack for wk-paystack-0-00, .* and 2 more that begin with “wk-”; if/,
  );
  const pages = await db.selectFrom('payments').select('state').execute();
  expect(new Set(pages.map(({ state }) => state))).toEqual(new Set(['expired']));
});

/** A charge whose answer is lost, a day before the site changes its provider. */
async function askInVain() {
  await me.buy('monthly');
  test.clock.advance(31 * DAY);
  const { payments, database } = test.deps;
  const { charge, readPayment } = payments;
  const fail = () => Promise.reject(new PaymentsError('Down.', 'temporary'));
  Object.assign(payments, { charge: fail, readPayment: fail });
  await runPaymentJobs(test);
  test.clock.advance(DAY);
  await runPaymentJobs(test);
  Object.assign(payments, { charge, readPayment });
  for (const table of ['subscriptions', 'payment_methods', 'payments'] as const)
    await database.db.updateTable(table).set({ provider: 'paystack' }).execute();
}

/** Closes the only open issue. */
async function closeTheIssue() {
  const admin = await createAdmin(test);
  const issues = await listIssues();
  const [issue, ...others] = issues.filter(({ kind }) => kind !== 'renewals-overdue');
  expect(others).toEqual([]);
  expect(issue?.kind).toBe('unknown-charge');
  const url = `/api/admin/payment-issues/${issue?.id}/close`;
  const payload = { note: 'Nothing was charged.' };
  expect((await admin.client.request({ method: 'POST', url, payload })).statusCode).toBe(204);
}

const readStatus = async () => {
  const { db } = test.deps.database;
  const row = await db.selectFrom('subscriptions').select('status').executeTakeFirstOrThrow();
  return row.status;
};

it('a charge of a former provider is waited for until an administrator has looked it up', async () => {
  await askInVain();
  for (let days = 0; days < 20; days += 1) {
    test.clock.advance(DAY);
    await runPaymentJobs(test);
  }
  // Not even a new card is charged for what may have been paid.
  const card = await me.call<{ url: string }>('POST', '/api/subscription/card');
  await test.sandbox.pay(card.url.split('/').at(-1) ?? '', { card: 'success' });
  await runPaymentJobs(test);
  expect(await me.charges()).toHaveLength(1);
  expect(await readStatus()).toBe('active');
  expect((await listIssues())[0]?.reason).toContain('Look it up at Paystack');
  await closeTheIssue();
  await runPaymentJobs(test);
  expect(await me.ledger()).toContain('charge-failed');
  expect(await readStatus()).toBe('late');
  test.clock.advance(DAY);
  await runPaymentJobs(test);
  await runPaymentJobs(test);
  expect(await me.charges()).toHaveLength(2);
  expect(await me.subscription()).toMatchObject({ status: 'active', problem: null });
  expect(await listIssues()).toEqual([]);
});

it('a bank payment of a former provider is waited for like a charge, also with a new card', async () => {
  await me.buy('monthly');
  const { db } = test.deps.database;
  const { id } = await db.selectFrom('subscriptions').select('id').executeTakeFirstOrThrow();
  test.clock.advance(31 * DAY);
  const now = test.clock.now();
  const owed = { reference: 'wk-bank', user_id: member.user.id, subscription_id: id } as const;
  await db
    .insertInto('payments')
    .values(
      buildPayment({
        ...owed,
        kind: 'renewal',
        amount: 79_00,
        currency: 'ZAR',
        state: 'pending',
        provider: 'paystack',
        check_at: now,
        created_at: now,
      }),
    )
    .execute();
  for (let days = 0; days < 20; days += 1) {
    test.clock.advance(DAY);
    await runPaymentJobs(test);
  }
  expect(await me.charges()).toHaveLength(1);
  const [issue] = await listIssues().then((all) =>
    all.filter(({ kind }) => kind === 'unknown-charge'),
  );
  expect(issue?.reason).toContain('the member is asked for the payment here');
  await closeTheIssue();
  await runPaymentJobs(test);
  test.clock.advance(DAY);
  await runPaymentJobs(test);
  expect(await me.charges()).toHaveLength(2);
  expect(await me.subscription()).toMatchObject({ status: 'active', problem: null });
});

it('a charge of a former provider that nobody made can be paid on a page, or ends the subscription', async () => {
  await askInVain();
  test.clock.advance(8 * DAY);
  await runPaymentJobs(test);
  await closeTheIssue();
  await runPaymentJobs(test);
  await runPaymentJobs(test);
  expect((await findMail('didn’t go through'))[0]?.body_text).toContain('changed the company');
  await me.call('POST', '/api/subscription/pay');
  for (let days = 0; days < 7; days += 1) {
    test.clock.advance(DAY);
    await runPaymentJobs(test);
  }
  expect(await readStatus()).toBe('ended');
  expect(await me.charges()).toHaveLength(1);
});

it('a site that was started with the wrong payment provider goes on by itself', async () => {
  await me.buy('monthly');
  const startWith = async (name: 'sandbox' | 'stripe') => {
    Object.assign(test.deps.payments, { name });
    await runPaymentJobs(test);
  };
  // After two days without a server, so that the payment is overdue at once.
  test.clock.advance(33 * DAY);
  await startWith('stripe');
  test.clock.advance(DAY - HOUR);
  await runPaymentJobs(test);
  // Administrators hear of it before any member does.
  expect(await listIssues()).toMatchObject([
    { kind: 'renewals-overdue', reason: expect.stringContaining('PAYMENTS on the server') },
  ]);
  expect(await findMail('didn’t go through')).toEqual([]);
  expect((await me.subscription()).problem).toBeNull();
  await startWith('sandbox');
  expect(await me.subscription()).toMatchObject({ status: 'active', problem: null });
  expect(await me.charges()).toHaveLength(2);
  expect(await listIssues()).toEqual([]);
  // Another mistake has its own day; after that, members are told, and going back still helps.
  test.clock.advance(31 * DAY);
  await startWith('stripe');
  expect((await me.subscription()).problem).toBeNull();
  test.clock.advance(DAY);
  await runPaymentJobs(test);
  expect((await me.subscription()).status).toBe('late');
  test.clock.advance(DAY);
  await startWith('sandbox');
  expect(await me.subscription()).toMatchObject({ status: 'active', problem: null });
  expect(await me.charges()).toHaveLength(3);
});

it('a subscription goes on with a new card when the site changes its payment provider', async () => {
  await me.buy('monthly');
  const { db } = test.deps.database;
  for (const table of ['subscriptions', 'payment_methods'] as const)
    await db.updateTable(table).set({ provider: 'paystack' }).execute();
  test.clock.advance(31 * DAY);
  await runPaymentJobs(test);
  test.clock.advance(DAY);
  await runPaymentJobs(test);
  expect((await me.subscription()).problem).toMatchObject({
    message: 'We take payments through another company now, which doesn’t have your card.',
    amount: 79_00,
    retryAt: null,
    needsMember: false,
  });
  const mail = await findMail('didn’t go through');
  expect(mail[0]?.body_text).toContain('through another company now');
  expect(mail[0]?.body_text).not.toContain('try your card again');
  const { url } = await me.call<{ url: string }>('POST', '/api/subscription/pay');
  await test.sandbox.pay(url.split('/').at(-1) ?? '', { card: 'success' });
  await runPaymentJobs(test);
  expect(await me.subscription()).toMatchObject({ status: 'active', problem: null });
  test.clock.advance(31 * DAY);
  await runPaymentJobs(test);
  expect(await me.charges()).toHaveLength(3);
  // Whoever replaces the card earlier is charged on the day as always.
  await db.updateTable('subscriptions').set({ provider: 'paystack' }).execute();
  const page = await me.call<{ url: string }>('POST', '/api/subscription/card');
  await test.sandbox.pay(page.url.split('/').at(-1) ?? '', { card: 'success' });
  await runPaymentJobs(test);
  test.clock.advance(31 * DAY);
  await runPaymentJobs(test);
  expect(await me.charges()).toHaveLength(4);
});
