import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listOpenIssues } from '../../payment-issues/service.ts';
import { forgedByAddress, reportPayment } from './webhook-routes.ts';
import {
  deliver,
  deliverAll,
  payingClient,
  runPaymentJobs,
} from '../../../testing/test-payments.ts';
import { createTestApp, type TestApp } from '../../../testing/test-app.ts';
import { createUser } from '../../../testing/test-user.ts';
import { DAY } from '#contract/rules/time.ts';

let test: TestApp;
let me: ReturnType<typeof payingClient>;
beforeEach(async () => {
  test = await createTestApp();
  me = payingClient(test, await createUser(test));
});
afterEach(() => test.close());

const post = (payload: Buffer | string, headers: Record<string, string> = {}) =>
  test.app.inject({ method: 'POST', url: '/api/webhooks/sandbox', payload, headers });
const listJobs = () =>
  test.deps.database.db
    .selectFrom('jobs')
    .selectAll()
    .where('name', '=', 'settle-reported-payment')
    .execute();

const readCount = (): number =>
  test
    .logText()
    .split('\n')
    .filter((line) => line.includes('without a valid signature'))
    .reduce((sum, line) => sum + (JSON.parse(line) as { count: number }).count, 0);

/** A genuine webhook that is not delivered yet. */
async function takeOne() {
  const { checkoutId } = await me.begin('monthly');
  await test.sandbox.pay(checkoutId, { card: 'success' });
  const [webhook] = await test.sandbox.drainWebhooks();
  return webhook!;
}

describe('a webhook without a valid signature', () => {
  it('is refused and only counted', async () => {
    const { headers, rawBody } = await takeOne();
    const forged: [Buffer | string, Record<string, string>][] = [
      [rawBody, { 'content-type': 'application/json' }],
      [rawBody, { ...headers, 'x-sandbox-signature': 'f'.repeat(64) }],
      [Buffer.concat([rawBody, Buffer.from(' ')]), headers],
      [rawBody.toString().replace('wk-', 'wk-0'), headers],
      ['', headers],
      ['{"id":', { 'content-type': 'text/plain' }],
    ];
    for (const [payload, sent] of forged) {
      const response = await post(payload, sent);
      expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([
        401,
        'unauthenticated',
      ]);
    }
    expect(await listJobs()).toEqual([]);
    await test.worker.runDue();
    expect(await me.isSubscriber()).toBe(false);
    await test.app.close();
    expect(readCount()).toBe(forged.length);
  });

  it('is rate-limited and counted in batches without delaying genuine events', async () => {
    const webhook = await takeOne();
    const forge = async (remoteAddress = '127.0.0.1') => {
      const url = '/api/webhooks/sandbox';
      const request = { method: 'POST', url, payload: '{}', remoteAddress } as const;
      return (await test.app.inject(request)).statusCode;
    };
    const { limit } = forgedByAddress;
    const answers: number[] = [];
    for (let i = 0; i < limit + 20; i += 1) answers.push(await forge());
    expect(answers.filter((code) => code === 401)).toHaveLength(limit);
    expect(answers.slice(limit)).toEqual(Array.from({ length: 20 }, () => 429));
    // Another address still gets 401, and genuine webhooks are accepted from any address.
    expect(await forge('192.0.2.7')).toBe(401);
    expect((await deliver(test, webhook)).statusCode).toBe(200);
    await test.worker.runDue();
    expect(await me.isSubscriber()).toBe(true);
    // The first was written immediately, the later ones together.
    expect(readCount()).toBe(1);
    test.clock.advance(10_000);
    await forge();
    expect(readCount()).toBe(limit + 22);
    expect(test.logText().split('without a valid signature')).toHaveLength(3);
  });

  it('is logged with where it came from, and nothing of what was sent', async () => {
    const url = '/api/webhooks/sandbox';
    for (const remoteAddress of ['192.0.2.7', '198.51.100.9', '198.51.100.9']) {
      const headers = { 'x-sandbox-signature': 'forged-signature' };
      const payload = '{"forged":"body"}';
      await test.app.inject({ method: 'POST', url, payload, headers, remoteAddress });
    }
    await test.app.close();
    const lines = test.logText().split('\n');
    const refused = lines.filter((line) => line.includes('without a valid signature'));
    expect(refused.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 40, provider: 'sandbox', count: 1, addresses: ['192.0.2.7'] },
      { level: 40, provider: 'sandbox', count: 2, addresses: ['198.51.100.9'] },
    ]);
    expect(test.logText()).not.toContain('forged-signature');
    expect(test.logText()).not.toContain('"body"');
  });

  it("is refused when it is too large, or sent to another provider's address", async () => {
    expect((await post(Buffer.alloc(600 * 1024))).statusCode).toBe(413);
    const { headers, rawBody } = await takeOne();
    for (const provider of ['paystack', 'stripe', 'nobody']) {
      const url = `/api/webhooks/${provider}`;
      const response = await test.app.inject({ method: 'POST', url, headers, payload: rawBody });
      expect(response.statusCode).toBe(404);
    }
    expect(await listJobs()).toEqual([]);
  });
});

describe('a genuine webhook', () => {
  it('is stored once and answered immediately, however often it arrives', async () => {
    const webhook = await takeOne();
    const answers = await Promise.all(Array.from({ length: 12 }, () => deliver(test, webhook)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from(answers, () => 200));
    expect(await listJobs()).toHaveLength(1);
    await test.worker.runDue();
    expect(await me.ledger()).toEqual(['charge', 'subscribed']);
    // A replay years later changes nothing.
    test.clock.advance(900 * DAY);
    expect((await deliver(test, webhook)).statusCode).toBe(200);
    await test.worker.runDue();
    expect(await me.ledger()).toEqual(['charge', 'subscribed']);
    expect(await listJobs()).toEqual([]);
  });

  it('that comes while an earlier one is worked on leads to another look', async () => {
    const { reference, checkoutId } = await me.begin('monthly');
    await reportPayment(test.deps, reference);
    const { db } = test.deps.database;
    const lease = { lease_token: 'ours', lease_until: test.clock.now() + DAY };
    await db
      .updateTable('jobs')
      .set({ state: 'running', ...lease })
      .where('name', '=', 'settle-reported-payment')
      .execute();
    await test.sandbox.pay(checkoutId, { card: 'success' });
    await reportPayment(test.deps, reference);
    await runPaymentJobs(test);
    expect(await me.isSubscriber()).toBe(true);
  });

  it('leads to the same result in any order and however late', async () => {
    await me.buy('monthly');
    for (let month = 0; month < 3; month += 1) {
      test.clock.advance(31 * DAY);
      await runPaymentJobs(test);
    }
    const last = (await me.charges()).at(-1);
    await test.deps.payments.refund({ chargeId: last!.id, amount: 79_00, key: 'r' });
    const webhooks = await test.sandbox.drainWebhooks();
    for (const webhook of webhooks.toReversed()) await deliver(test, webhook);
    await test.worker.runDue();
    const ledger = (await me.ledger()).toSorted();
    const charges = ['charge', 'charge', 'charge', 'charge'];
    // A full refund made at the provider ends the subscription.
    expect(ledger).toEqual([...charges, 'ended', 'refund', 'subscribed']);
    expect((await me.subscription()).paidThrough).toBe(Date.parse('2027-02-15T12:00:00Z'));
  });

  const letHoursPass = async (hours: number) => {
    for (let hour = 0; hour < hours; hour += 1) {
      test.clock.advance(DAY / 24);
      await test.worker.runDue();
    }
  };
  const listIssues = () => listOpenIssues(test.deps.database.db);

  it('about an unknown payment of ours is retried for a day, then an issue', async () => {
    await reportPayment(test.deps, 'wk-not-ours');
    await test.worker.runDue();
    await letHoursPass(10);
    expect(await listIssues()).toEqual([]);
    await letHoursPass(24 * 3);
    expect(await listJobs()).toEqual([]);
    expect(await listIssues()).toMatchObject([
      { kind: 'unknown-charge', user: null, reference: 'wk-not-ours', provider: 'sandbox' },
    ]);
  });

  it('about an unknown payment finds its owner when that is known in time', async () => {
    const { reference, checkoutId } = await me.begin('monthly');
    const { db } = test.deps.database;
    const row = await db.selectFrom('payments').selectAll().executeTakeFirstOrThrow();
    await db.deleteFrom('payments').execute();
    await test.sandbox.pay(checkoutId, { card: 'success' });
    await deliverAll(test);
    expect(await me.isSubscriber()).toBe(false);
    await db.insertInto('payments').values(row).execute();
    await letHoursPass(3);
    expect(await me.isSubscriber()).toBe(true);
    expect([reference, await listIssues()]).toEqual([reference, []]);
  });

  it('is not trusted: a paid event about a declined checkout unlocks nothing', async () => {
    const { checkoutId, reference } = await me.begin('monthly');
    await test.sandbox.pay(checkoutId, { card: 'insufficient-funds' });
    await deliverAll(test);
    await reportPayment(test.deps, reference);
    await test.worker.runDue();
    expect(await listJobs()).toEqual([]);
    expect(await me.ledger()).toEqual([]);
    expect((await me.subscription()).paidThrough).toBeNull();
    expect(await me.isSubscriber()).toBe(false);
  });
});

describe('a change without a webhook', () => {
  it('is found within a day', async () => {
    await me.buy('monthly');
    test.clock.advance(31 * DAY);
    await runPaymentJobs(test);
    await test.sandbox.drainWebhooks();
    await runPaymentJobs(test);
    expect((await me.charges()).length).toBe(2);
    const [, renewal] = await me.charges();
    await test.deps.payments.refund({ chargeId: renewal!.id, amount: 79_00, key: 'r' });
    await test.sandbox.drainWebhooks();
    test.clock.advance(DAY);
    await runPaymentJobs(test);
    expect(await me.ledger()).toContain('refund');
  });

  it('is found after a month of downtime', async () => {
    const { checkoutId } = await me.begin('annual');
    await test.sandbox.pay(checkoutId, { card: 'success' });
    await test.sandbox.drainWebhooks();
    test.clock.advance(35 * DAY);
    await runPaymentJobs(test);
    expect(await me.isSubscriber()).toBe(true);
  });

  it('expires after a week if the provider confirms that nothing was paid', async () => {
    const { reference } = await me.begin('annual');
    test.clock.advance(8 * DAY);
    await runPaymentJobs(test);
    const row = await test.deps.database.db
      .selectFrom('payments')
      .select('state')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow();
    expect(['failed', 'expired']).toContain(row.state);
    expect((await me.subscription()).pending).toBeNull();
  });
});
