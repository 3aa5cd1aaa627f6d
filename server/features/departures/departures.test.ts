/** @module-tag both-databases */
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SubscriberPage } from '#contract/admin/subscribers.ts';
import { DAY } from '#contract/rules/time.ts';
import { findTraces } from '../../testing/read-all-tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { deliverAll, payingClient, runPaymentJobs } from '../../testing/test-payments.ts';
import { createUser, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import { countLeft, listDeparturesOf } from './service.ts';

let test: TestApp;
let member: TestUser;
let me: ReturnType<typeof payingClient>;
beforeEach(async () => {
  const mail = { send: async () => undefined, close: () => undefined };
  test = await createTestApp({ mail });
  member = await createUser(test, 'sipho.dlamini');
  me = payingClient(test, member);
});
afterEach(() => test.close());

const cancel = (answer: object = { reason: 'too-expensive', comment: ' Back in summer! ' }) =>
  me.call('POST', '/api/subscription/cancel', answer);

/** Who left since a day ago, and what the report’s figures say of all time. */
async function readLeft() {
  const now = test.clock.now();
  const { db } = test.deps.database;
  const items = await db
    .selectFrom('departures')
    .selectAll()
    .where('taken_back_at', 'is', null)
    .execute();
  const counts = await countLeft(db, { since: now - DAY, until: now + 1 });
  const figures = await db
    .selectFrom('departure_days')
    .select(['way', 'reason', 'departures', 'months'])
    .where('departures', '<>', 0)
    .execute();
  return { items, counts, figures };
}

const passDays = async (...days: number[]) => {
  for (const count of days) {
    test.clock.advance(count * DAY);
    await runPaymentJobs(test);
  }
};

const deleteAccount = () =>
  member.client.request({
    method: 'DELETE',
    url: '/api/me',
    payload: { password: PASSWORD, confirmation: 'delete' },
  });

describe('a cancellation', () => {
  it('keeps the reason, the words, and what the member had until then', async () => {
    const { db } = test.deps.database;
    const track = await seedTrack({ db, storage: test.deps.storage, now: test.clock.now() });
    await me.buy('monthly');
    await passDays(31, 9);
    await member.client.request({ method: 'POST', url: `/api/tracks/${track.id}/play` });
    await cancel();
    const { items, counts, figures } = await readLeft();
    expect(items).toMatchObject([
      {
        at: test.clock.now(),
        way: 'cancelled',
        reason: 'too-expensive',
        comment: 'Back in summer!',
        plan: 'monthly',
        months: 1,
        track_id: track.id,
      },
    ]);
    expect(counts).toEqual([{ way: 'cancelled', reason: 'too-expensive', count: 1 }]);
    expect(figures).toEqual([
      { way: 'cancelled', reason: 'too-expensive', departures: 1, months: 1 },
    ]);
  });

  it('needs no answer, and the end of the paid time is no second departure', async () => {
    await me.buy('monthly');
    await cancel({});
    await passDays(35);
    expect(await me.subscription()).toMatchObject({ status: 'ended' });
    const { figures } = await readLeft();
    expect(figures).toEqual([{ way: 'cancelled', reason: '', departures: 1, months: 0 }]);
  });

  it('is taken back by resuming, and what they wrote stays on record', async () => {
    await me.buy('monthly');
    await cancel();
    test.clock.advance(DAY / 2);
    await me.resume();
    expect(await readLeft()).toEqual({ items: [], counts: [], figures: [] });
    await cancel({ reason: 'other' });
    const all = await listDeparturesOf(test.deps.database.db, member.user.id);
    expect(all).toMatchObject([
      { reason: 'other', takenBackAt: null },
      { reason: 'too-expensive', comment: 'Back in summer!', takenBackAt: test.clock.now() },
    ]);
    expect((await readLeft()).items).toHaveLength(1);
    const admin = await createAdmin(test);
    const page = await admin.client.request({ url: `/api/admin/subscribers/${member.user.id}` });
    expect(page.json<SubscriberPage>().departures).toEqual(all);
  });

  it('is taken back by another subscription before the paid time is over, and not by one after', async () => {
    await me.buy('monthly');
    await cancel();
    await passDays(10);
    await me.buy('annual');
    expect((await readLeft()).figures).toEqual([]);
    await cancel();
    await passDays(366, 4);
    await me.buy('monthly');
    expect((await readLeft()).figures).toMatchObject([{ departures: 1 }]);
  });
});

describe('nobody decided to leave, but', () => {
  it('a payment failed for good; who pays what was owed after all hasn’t left', async () => {
    await me.buy('monthly', { card: 'pays-once' });
    await passDays(31, 1, 2, 1.2);
    const { url } = await me.call<{ url: string }>('POST', '/api/subscription/pay');
    await passDays(0.9);
    expect(await me.subscription()).toMatchObject({ status: 'ended' });
    expect((await readLeft()).figures).toEqual([
      { way: 'unpaid', reason: '', departures: 1, months: 1 },
    ]);
    const id = url.split('/').at(-1) ?? '';
    const page = await test.sandbox.findPage(id);
    await test.sandbox.pay(id, { card: 'success' });
    await me.confirm(page?.reference ?? '');
    expect(await me.subscription()).toMatchObject({ status: 'active' });
    expect((await readLeft()).figures).toEqual([]);
  });

  it('the money went back: the reason given before stays', async () => {
    await me.buy('monthly');
    await cancel();
    await me.call('POST', '/api/subscription/withdraw');
    expect((await readLeft()).items).toMatchObject([
      { way: 'withdrew', reason: 'too-expensive', comment: 'Back in summer!' },
    ]);
    expect((await readLeft()).figures).toMatchObject([{ way: 'withdrew', departures: 1 }]);
  });

  it('a refund at the provider ended it', async () => {
    await me.buy('monthly');
    const [charge] = await me.charges();
    await test.deps.payments.refund({ chargeId: charge!.id, amount: 79_00, key: 'r' });
    await deliverAll(test);
    expect((await readLeft()).counts).toEqual([{ way: 'refunded', reason: null, count: 1 }]);
  });

  it('an administrator ended it', async () => {
    const admin = await createAdmin(test);
    await me.buy('monthly');
    const url = `/api/admin/subscribers/${member.user.id}/end`;
    const payload = { isImmediate: true, reason: 'Shared the password.' };
    await admin.client.request({ method: 'POST', url, payload });
    expect((await readLeft()).items).toMatchObject([{ way: 'ended', comment: null }]);
  });
});

describe('personal data', () => {
  it('is exported, and goes with the account while the reason stays', async () => {
    const { db } = test.deps.database;
    const track = await seedTrack({ db, storage: test.deps.storage, now: test.clock.now() });
    await me.buy('monthly');
    await member.client.request({ method: 'POST', url: `/api/tracks/${track.id}/play` });
    await cancel();
    const files = unzipSync((await member.client.request({ url: '/api/me/export' })).rawPayload);
    expect(JSON.parse(strFromU8(files['departures.json']!))).toMatchObject([
      {
        way: 'cancelled',
        reason: 'too-expensive',
        comment: 'Back in summer!',
        lastHeard: track.id,
      },
    ]);
    expect((await deleteAccount()).statusCode).toBe(204);
    expect((await readLeft()).items).toMatchObject([
      { way: 'cancelled', reason: 'too-expensive', comment: null, track_id: null },
    ]);
    expect(await findTraces(test.deps.database, [member.user.id, 'Back in summer'])).toEqual([]);
  });

  it('of a member who still paid leaves a number without a name', async () => {
    await me.buy('monthly');
    expect((await deleteAccount()).statusCode).toBe(204);
    expect((await readLeft()).counts).toEqual([{ way: 'deleted', reason: null, count: 1 }]);
  });
});
