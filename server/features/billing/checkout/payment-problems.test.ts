import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { listOpenIssues } from '../../payment-issues/service.ts';
import { PaymentsError } from '../../../ports/payments/payments.ts';
import { createAdmin } from '../../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { deliverAll, payingClient, runPaymentJobs } from '../../../testing/test-payments.ts';
import { createUser, type TestUser } from '../../../testing/test-user.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
beforeEach(async () => {
  test = await createTestApp();
  member = await createUser(test);
  me = payingClient(test, member);
});
afterEach(() => test.close());

const listIssues = async () =>
  (await listOpenIssues(test.deps.database.db)).map(({ kind, reason }) => ({ kind, reason }));
const listRefunds = async () => {
  const { db } = test.deps.database;
  const rows = await db.selectFrom('sandbox_payments').select(['amount', 'refunded']).execute();
  return rows.toSorted((a, b) => a.amount - b.amount);
};
const findMail = async (subject: string) => {
  await test.worker.runDue();
  const mails = await test.deps.database.db
    .selectFrom('outbox')
    .select(['subject', 'body_text'])
    .execute();
  return mails.filter((mail) => mail.subject.includes(subject));
};

describe('a charge the user did not agree to', () => {
  it.each([
    ['another amount', { amount: 78_00 }],
    ['another currency', { currency: 'USD' }],
  ])('never gives access, and the ledger says why: %s', async (_what, change) => {
    const { checkoutId, reference } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    const { db } = test.deps.database;
    await db.updateTable('sandbox_payments').set(change).execute();
    expect((await me.confirm(reference)).state).toBe('refused');
    expect(await me.isSubscriber()).toBe(false);
    expect(await me.ledger()).toEqual(['charge-refused']);
    expect(await listIssues()).toEqual([
      { kind: 'other-amount', reason: expect.stringMatching(/was charged; expected R79/) },
    ]);
    await runPaymentJobs(test);
    await runPaymentJobs(test);
    expect(await me.ledger()).toEqual(['charge-refused', 'refund']);
    expect(await findMail('Refund of your')).toHaveLength(1);
  });

  it('goes back after our key was wrong for a while', async () => {
    const { checkoutId, reference } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    await test.deps.database.db.updateTable('sandbox_payments').set({ amount: 78_00 }).execute();
    const working = test.deps.payments.refund;
    test.deps.payments.refund = async () => {
      throw new PaymentsError('Who are you?', 'unauthorized');
    };
    await me.confirm(reference);
    await runPaymentJobs(test);
    test.deps.payments.refund = working;
    for (let hours = 0; hours < 3; hours += 1) {
      test.clock.advance(HOUR);
      await runPaymentJobs(test);
    }
    expect(await listRefunds()).toEqual([{ amount: 78_00, refunded: 78_00 }]);
  });
});

describe('two pages at once', () => {
  it('share one page for the same plan', async () => {
    const payload = { plan: 'monthly' };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        member.client.request({ method: 'POST', url: '/api/checkout', payload }),
      ),
    );
    const urls = new Set(answers.map((answer) => answer.json<{ url: string }>().url));
    expect(urls.size).toBe(1);
    const rows = await test.deps.database.db.selectFrom('payments').selectAll().execute();
    expect(rows).toHaveLength(1);
  });

  it('with different plans end in one subscription: the second payment goes back', async () => {
    const monthly = await me.begin('monthly');
    // The newest page is the one just opened.
    test.clock.advance(1);
    const annual = await me.begin('annual');
    await test.sandbox.pay(monthly.checkoutId, { card: 'success' });
    await test.sandbox.pay(annual.checkoutId, { card: 'success' });
    expect((await me.confirm(monthly.reference)).state).toBe('paid');
    expect((await me.confirm(annual.reference)).state).toBe('refused');
    await runPaymentJobs(test);
    expect(await listRefunds()).toEqual([
      { amount: 79_00, refunded: 0 },
      { amount: 790_00, refunded: 790_00 },
    ]);
    expect(await me.subscription()).toMatchObject({ status: 'active', plan: 'monthly' });
    const [mail] = await findMail('Refund of your');
    expect(mail?.body_text).toContain('You were charged twice');
    expect(await listIssues()).toEqual([]);
  });
});

describe('a dispute', () => {
  const dispute = async () => {
    await me.buy('monthly');
    const [charge] = await me.charges();
    await test.sandbox.dispute(charge!.id, 60);
    await deliverAll(test);
    return charge!.id;
  };

  it('stops charging until the bank decides, and goes on when it is won', async () => {
    const id = await dispute();
    expect(await me.subscription()).toMatchObject({ isHeld: true, hasAccess: false });
    expect(await listIssues()).toMatchObject([{ kind: 'dispute' }]);
    test.clock.advance(31 * DAY);
    await runPaymentJobs(test);
    expect(await me.charges()).toHaveLength(1);
    await test.sandbox.endDispute(id, 'won');
    await deliverAll(test);
    expect(await listIssues()).toEqual([]);
    await runPaymentJobs(test);
    expect(await me.charges()).toHaveLength(2);
    expect(await me.subscription()).toMatchObject({ status: 'active', isHeld: false });
  });

  it('ends the subscription when it is lost', async () => {
    const id = await dispute();
    await test.sandbox.endDispute(id, 'lost');
    await deliverAll(test);
    expect(await me.subscription()).toMatchObject({ status: 'ended', renews: false });
    test.clock.advance(31 * DAY);
    await runPaymentJobs(test);
    expect(await me.charges()).toHaveLength(1);
  });

  /** What an administrator says about the only open issue. */
  const decide = async (method: 'PUT' | 'POST', action: string, payload: object) => {
    const admin = await createAdmin(test, `admin-${action}`);
    const [issue] = await listOpenIssues(test.deps.database.db);
    const url = `/api/admin/payment-issues/${issue?.id}/${action}`;
    expect((await admin.client.request({ method, url, payload })).statusCode).toBeLessThan(300);
  };
  const keep = () => decide('PUT', 'keeps-subscription', { keepsSubscription: true });

  it('keeps the subscription if an administrator decided so', async () => {
    const id = await dispute();
    await keep();
    await test.sandbox.endDispute(id, 'lost');
    await deliverAll(test);
    expect(await me.subscription()).toMatchObject({ renews: true, isHeld: false });
    expect(await listIssues()).toEqual([]);
  });

  it('that is won takes the choice to keep the subscription with it', async () => {
    const id = await dispute();
    await keep();
    await test.sandbox.endDispute(id, 'won');
    await deliverAll(test);
    await test.sandbox.dispute(id, 60);
    await test.sandbox.endDispute(id, 'lost');
    await runPaymentJobs(test);
    expect(await me.subscription()).toMatchObject({ renews: false });
  });

  it('that was lost before anybody saw it stays open until an administrator closes it', async () => {
    await me.buy('monthly');
    const [charge] = await me.charges();
    const id = charge!.id;
    const lose = async () => {
      await test.sandbox.dispute(id, 60);
      await test.sandbox.endDispute(id, 'lost');
      await runPaymentJobs(test);
      await runPaymentJobs(test);
    };
    const lost = {
      kind: 'dispute-lost',
      reason: 'R79 charged back, and the dispute was lost before it was seen here.',
    };
    await lose();
    expect(await listIssues()).toEqual([lost]);
    expect(await me.subscription()).toMatchObject({ status: 'ended' });
    await decide('POST', 'close', { note: 'Seen.' });
    await runPaymentJobs(test);
    expect(await listIssues()).toEqual([]);
  });

  it('that an administrator closed is no news when it is lost', async () => {
    const id = await dispute();
    await decide('POST', 'close', { note: 'Sent the bank our answer.' });
    await test.sandbox.endDispute(id, 'lost');
    await deliverAll(test);
    await runPaymentJobs(test);
    expect(await listIssues()).toEqual([]);
  });
});

it('a charge without an answer for a day is an issue, and closed when it is settled', async () => {
  await me.buy('monthly');
  test.clock.advance(31 * DAY);
  const { payments } = test.deps;
  const { charge, readPayment } = payments;
  const down = () => Promise.reject(new Error('Not used.'));
  const fail = () => Promise.reject(new PaymentsError('Down.', 'temporary'));
  Object.assign(payments, { charge: fail, readPayment: fail, listChanges: down });
  for (let hour = 0; hour < 26; hour += 1) {
    test.clock.advance(HOUR);
    await runPaymentJobs(test);
  }
  expect(await listIssues()).toMatchObject([{ kind: 'payment-unsettled' }]);
  expect((await me.subscription()).hasAccess).toBe(true);
  Object.assign(payments, { charge, readPayment });
  test.clock.advance(HOUR);
  await runPaymentJobs(test);
  expect(await me.charges()).toHaveLength(2);
  expect(await listIssues()).toEqual([]);
});
