/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { PaymentsError, type Payments } from '../../ports/payments/payments.ts';
import { FakeProvider } from '../../testing/paying/fake-provider.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { payingClient, runPaymentJobs } from '../../testing/test-payments.ts';
import { createUser, type TestUser } from '../../testing/test-user.ts';
import { jobList } from '../../job-list.ts';
import { receiveWebhook } from '../billing/checkout/webhook-routes.ts';
import { listOpenIssues } from './service.ts';
import { REVIVED_JOBS } from './watch-key.ts';

let test: TestApp;
let admin: TestUser;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
let isKeyWrong = false;
let fakeProvider: FakeProvider;

/** The provider behind our key: while that is wrong it answers nothing else. */
function createProvider(): Payments {
  fakeProvider = new FakeProvider({ now: () => test.clock.now() });
  const guard =
    (call: (...input: unknown[]) => Promise<unknown>) =>
    async (...input: unknown[]) => {
      if (isKeyWrong) throw new PaymentsError('401 Invalid key', 'unauthorized');
      return call(...input);
    };
  const { parseWebhook, ...payments } = fakeProvider.payments;
  const guarded = Object.entries(payments).map(([name, member_]) => [
    name,
    typeof member_ === 'function' ? guard(member_ as Parameters<typeof guard>[0]) : member_,
  ]);
  return { ...(Object.fromEntries(guarded) as Payments), parseWebhook };
}

beforeEach(async () => {
  isKeyWrong = false;
  const mail = { send: async () => undefined, close: () => undefined };
  test = await createTestApp({ payments: createProvider(), mail });
  admin = await createAdmin(test);
  member = await createUser(test, 'sipho');
  me = payingClient(test, member);
});
afterEach(() => test.close());

const subscribe = async () => {
  const { reference } = await me.begin('monthly');
  fakeProvider.pay(reference, 'pays');
  await me.confirm(reference);
};
const deliver = async () => {
  for (const { headers, rawBody } of fakeProvider.drainWebhooks())
    await receiveWebhook(test.deps, headers, rawBody);
  await test.worker.runDue();
};
const listKinds = async () => (await listOpenIssues(test.deps.database.db)).map(({ kind }) => kind);

/** Everything that a wrong key must not change. */
const readMoney = async () => {
  const { db } = test.deps.database;
  return {
    ledger: await db.selectFrom('ledger_entries').selectAll().execute(),
    users: await db.selectFrom('users').select(['id', 'paid_through']).orderBy('id').execute(),
    subscriptions: await db
      .selectFrom('subscriptions')
      .select(['id', 'status', 'next_at'])
      .execute(),
    invoices: await db.selectFrom('invoices').selectAll().execute(),
    dead: await db.selectFrom('jobs').select('name').where('state', '=', 'dead').execute(),
  };
};

it('opens one issue while the key is wrong, and closes it with the first answer', async () => {
  isKeyWrong = true;
  for (const _ of [1, 2, 3]) {
    const response = await member.client.request({
      method: 'POST',
      url: '/api/checkout',
      payload: { plan: 'monthly' },
    });
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([
      503,
      'provider_unavailable',
    ]);
  }
  expect(await listOpenIssues(test.deps.database.db)).toMatchObject([
    { kind: 'wrong-key', provider: 'sandbox', user: null },
  ]);
  isKeyWrong = false;
  await me.begin('monthly');
  expect(await listKinds()).toEqual([]);
  isKeyWrong = true;
  await expect(test.deps.payments.readPayment('wk-x', null)).rejects.toThrow('401');
  expect(await listKinds()).toEqual(['wrong-key']);
});

it('writes only when the answer changes, and stays closed once an administrator closed it', async () => {
  isKeyWrong = true;
  const ask = () => test.deps.payments.readPayment('wk-x', null).catch(() => undefined);
  await Promise.all([ask(), ask(), ask()]);
  const [issue] = await listOpenIssues(test.deps.database.db);
  const url = `/api/admin/payment-issues/${issue?.id}/close`;
  await admin.client.request({ method: 'POST', url, payload: { note: 'Asked for a new key.' } });
  let writes = 0;
  const { db } = test.deps.database;
  const count = new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') writes += 1;
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
  Object.assign(test.deps.database, { db: count });
  for (let call = 0; call < 20; call += 1) await ask();
  Object.assign(test.deps.database, { db });
  expect(writes).toBe(0);
  expect(await listKinds()).toEqual([]);
});

it('doesn’t fail a call because the issue could not be written', async () => {
  const { db } = test.deps.database;
  const broken = new Proxy(db, {
    get: (target, name) => {
      if (name === 'transaction') throw new Error('The disk is full.');
      const found: unknown = Reflect.get(target, name, target);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });
  Object.assign(test.deps.database, { db: broken });
  expect(await test.deps.payments.readPayment('wk-x', null)).toMatchObject({ status: 'not-found' });
  isKeyWrong = true;
  await expect(test.deps.payments.readPayment('wk-x', null)).rejects.toThrow('401');
  Object.assign(test.deps.database, { db });
  await expect(test.deps.payments.readPayment('wk-x', null)).rejects.toThrow('401');
  expect(await listKinds()).toEqual(['wrong-key']);
});

it('changes nothing when a new card meets a wrong key', async () => {
  await subscribe();
  await test.worker.runDue();
  const before = await readMoney();
  isKeyWrong = true;
  const url = '/api/subscription/card';
  const response = await member.client.request({ method: 'POST', url });
  expect(response.statusCode).toBe(503);
  expect(await readMoney()).toEqual(before);
  expect(await listKinds()).toEqual(['wrong-key']);
});

it('lets members cancel, resume and change plans all the same', async () => {
  await subscribe();
  isKeyWrong = true;
  expect(await me.cancel()).toMatchObject({ status: 'cancelled' });
  expect(await me.resume()).toMatchObject({ status: 'active' });
  expect(await me.change('annual')).toMatchObject({ nextPlan: 'annual' });
});

it('changes nothing when payments, webhooks and checks meet a wrong key for hours, and catches up', async () => {
  await subscribe();
  const { reference } = await payingClient(test, await createUser(test, 'lerato')).begin('annual');
  await test.worker.runDue();
  await deliver();
  test.clock.advance(31 * DAY - 20 * HOUR);
  await runPaymentJobs(test);
  isKeyWrong = true;
  test.clock.advance(20 * HOUR);
  const before = await readMoney();
  fakeProvider.pay(reference, 'pays');
  await deliver();
  for (let hour = 0; hour < 12; hour += 1) {
    test.clock.advance(HOUR);
    await runPaymentJobs(test);
  }
  expect(await readMoney()).toEqual(before);
  expect(await listKinds()).toEqual(['wrong-key']);
  isKeyWrong = false;
  test.clock.advance(2 * HOUR);
  await runPaymentJobs(test);
  expect(await listKinds()).toEqual([]);
  expect(await me.charges()).toHaveLength(2);
  const after = await readMoney();
  expect(after.dead).toEqual([]);
  expect(after.subscriptions.map(({ status }) => status)).toEqual(
    expect.arrayContaining(['active']),
  );
});

it('catches up by itself after a key that was wrong for longer than any job tries', async () => {
  await subscribe();
  const [charge] = await me.charges();
  await test.worker.runDue();
  await deliver();
  const base = `/api/admin/subscribers/${member.user.id}`;
  const { items } = (await admin.client.request({ url: `${base}/invoices` })).json<{
    items: { id: string }[];
  }>();
  isKeyWrong = true;
  const payload = {
    reason: 'As agreed.',
    invoiceId: items[0]?.id,
    amount: 20_00,
    endsSubscription: false,
  };
  const refund = await admin.client.request({ method: 'POST', url: `${base}/refund`, payload });
  expect(refund.statusCode).toBe(503);
  test.clock.advance(31 * DAY);
  fakeProvider.setDisputed(charge?.id ?? '', true);
  fakeProvider.setDisputed(charge?.id ?? '', false);
  await deliver();
  test.clock.advance(DAY);
  await runPaymentJobs(test);
  // Their last attempts.
  await test.deps.database.db
    .updateTable('jobs')
    .set((set) => ({ attempts: set('max_attempts', '-', 1), run_at: 0 }))
    .where('name', 'in', REVIVED_JOBS)
    .execute();
  await test.worker.runDue();
  const { dead } = await readMoney();
  expect(dead.map(({ name }) => name).toSorted()).toEqual(
    expect.arrayContaining(['make-refund', 'settle-reported-payment']),
  );
  isKeyWrong = false;
  test.clock.advance(HOUR);
  await runPaymentJobs(test);
  await test.worker.runDue();
  expect(await me.charges()).toHaveLength(2);
  const paid = [...fakeProvider.list.values()].find(({ chargeId }) => chargeId === charge?.id);
  expect(paid).toMatchObject({ refunded: 20_00 });
  expect(await listKinds()).toEqual([]);
  const after = (await readMoney()).dead.map(({ name }) => name);
  expect(after.filter((name) => REVIVED_JOBS.includes(name))).toEqual([]);
});

it('revives jobs that exist', () => {
  const names = jobList.map(({ name }) => name);
  expect(REVIVED_JOBS.filter((name) => !names.includes(name))).toEqual([]);
});
