/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Report, FigureListPage } from '#contract/admin/reports.ts';
import { findDoubt, NETWORK_LISTENERS, NEW_MEMBER_MS } from '#contract/rules/chart.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createSubscriber, createUser, payUntil } from '../../testing/test-user.ts';
import { sweepExpired } from '../system/jobs.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let trackId: string;
beforeEach(async () => {
  test = await createTestApp();
  const { database, storage, clock } = test.deps;
  trackId = (await seedTrack({ db: database.db, storage, now: clock.now() })).id;
});
afterEach(() => test.close());

async function listen(remoteAddress: string, client: TestClient = test.createClient()) {
  const url = `/api/tracks/${trackId}/play`;
  const started = await client.request({ method: 'POST', url, remoteAddress });
  test.clock.advance(20_000);
  const { playId } = started.json<{ playId: string }>();
  const response = await client.request({
    method: 'POST',
    url: `/api/plays/${playId}/heartbeat`,
    payload: { secondsListened: 20, position: 20 },
    remoteAddress,
  });
  expect(response.statusCode).toBe(204);
}

const countDays = () =>
  test.deps.database.db
    .selectFrom('play_days')
    .select(['plays', 'subscriber_listeners as subscribers', 'free_listeners as free'])
    .orderBy('plays', 'desc')
    .execute();
const listSuspicions = async () => {
  const { db } = test.deps.database;
  const rows = await db.selectFrom('plays').select('suspicion').orderBy('id').execute();
  return rows.flatMap(({ suspicion }) => suspicion ?? []);
};
const readJson = async <T>(client: TestClient, url: string): Promise<T> =>
  (await client.request({ url })).json<T>();

/** Members whom the chart counts on their own. */
async function createKnownMember(username: string) {
  const member = await createUser(test, username);
  const { db } = test.deps.database;
  const change = { email_verified_at: 1, created_at: test.clock.now() - NEW_MEMBER_MS };
  await db.updateTable('users').set(change).where('id', '=', member.user.id).execute();
  return member;
}

describeOnSqlite('a network', () => {
  it.each([
    ['a /24 of IPv4', (index: number) => `203.0.113.${index}`, '203.0.114.1'],
    ['a /64 of IPv6', (index: number) => `2001:db8:1:2::${index}`, '2001:db8:1:3::1'],
  ])('counts for five visitors a day, mix by mix: %s', async (_name, addressOf, elsewhere) => {
    for (let index = 1; index <= 8; index += 1) await listen(addressOf(index));
    expect(await countDays()).toEqual([{ plays: 8, subscribers: 0, free: NETWORK_LISTENERS }]);
    await listen(elsewhere);
    expect(await countDays()).toEqual([{ plays: 9, subscribers: 0, free: NETWORK_LISTENERS + 1 }]);
    expect(await listSuspicions()).toEqual(['visitor', 'visitor', 'visitor']);
    const { database, storage, clock } = test.deps;
    trackId = (await seedTrack({ db: database.db, storage, now: clock.now() }, { id: 'b' })).id;
    await listen(addressOf(9));
    test.clock.advance(DAY);
    await listen(addressOf(9));
    expect((await countDays()).slice(1)).toEqual([
      { plays: 1, subscribers: 0, free: 1 },
      { plays: 1, subscribers: 0, free: 1 },
    ]);
  });

  it('of a customer with many /64 counts for twenty', async () => {
    for (let subnet = 1; subnet <= 25; subnet += 1) await listen(`2001:db8:5:${subnet}::1`);
    expect(await countDays()).toEqual([{ plays: 25, subscribers: 0, free: 20 }]);
  });

  it('never holds back subscribers and known members', async () => {
    const address = '203.0.113.7';
    for (let index = 1; index <= 6; index += 1) await listen(address);
    const { client: subscriber } = await createSubscriber(test);
    const { client: member } = await createKnownMember('zola');
    await listen(address, subscriber);
    await listen(address, member);
    expect(await countDays()).toEqual([{ plays: 8, subscribers: 1, free: 6 }]);
    expect(await listSuspicions()).toEqual(['visitor']);
  });

  it('counts new members and members without a confirmed address like visitors', async () => {
    const address = '203.0.113.7';
    for (let index = 1; index <= NETWORK_LISTENERS; index += 1) await listen(address);
    const { client: newMember } = await createUser(test, 'lerato');
    await listen(address, newMember);
    const { client, user } = await createKnownMember('zola');
    const { db } = test.deps.database;
    const change = { email_verified_at: null };
    await db.updateTable('users').set(change).where('id', '=', user.id).execute();
    await listen(address, client);
    expect(await listSuspicions()).toEqual(['new-member', 'unverified-member']);
    expect(await countDays()).toEqual([{ plays: 7, subscribers: 0, free: NETWORK_LISTENERS }]);
    // The play is the member's own all the same.
    const { plays } = await db
      .selectFrom('play_facts')
      .select('plays')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(plays).toBe(1);
  });

  it('is forgotten with its key when the day is over', async () => {
    await listen('203.0.113.7');
    const { db } = test.deps.database;
    const rows = await db.selectFrom('network_listeners').selectAll().execute();
    expect(rows).toMatchObject([{ network: expect.stringMatching(/^[\w-]{43}$/), listeners: 1 }]);
    test.clock.advance(DAY);
    await sweepExpired(db, { now: test.clock.now(), isDemo: true });
    expect(await db.selectFrom('network_listeners').selectAll().execute()).toEqual([]);
    const keys = db.selectFrom('secrets').select('name').where('name', 'like', 'networks %');
    expect(await keys.execute()).toEqual([]);
  });
});

it('a member who was left out and then subscribes counts from then on', async () => {
  const address = '203.0.113.7';
  for (let index = 1; index <= NETWORK_LISTENERS; index += 1) await listen(address);
  const { client, user } = await createUser(test);
  await listen(address, client);
  await payUntil(test, user, test.clock.now() + DAY);
  test.clock.advance(HOUR);
  await listen(address, client);
  expect(await countDays()).toEqual([{ plays: 7, subscribers: 1, free: NETWORK_LISTENERS }]);
});

it('plays that were left out are shown to the operator, with the reason', async () => {
  const { client: admin } = await createAdmin(test);
  for (let index = 1; index <= 7; index += 1) await listen('203.0.113.7');
  const { client: member } = await createUser(test);
  await listen('203.0.113.7', member);
  const path = '/api/admin/reports/suspicious-plays';
  const report = await readJson<Report>(admin, path);
  expect(report.figures).toMatchObject([
    { key: 'left', value: 3 },
    { key: 'share', value: 3 / 8 },
  ]);
  expect(report.rows.map(({ cells }) => cells.slice(2))).toEqual([
    [
      3,
      8,
      '2 by visitors, 1 by members with a new account, from networks that had counted for 5 of them that day.',
    ],
  ]);
  const { items } = await readJson<FigureListPage>(admin, `${path}/left`);
  expect(items.map(({ cells }) => cells[0])).toEqual(['Visitor', 'Visitor', 'thandi']);
});

describe('a listener', () => {
  const now = 100 * DAY;
  const member = (ageMs: number, isEmailVerified: boolean) =>
    findDoubt({ isSubscriber: false, member: { createdAt: now - ageMs, isEmailVerified } }, now);
  it('is doubtful without an account, with a new one, or without a confirmed address', () => {
    expect(findDoubt({ isSubscriber: true, member: null }, now)).toBeNull();
    expect(findDoubt({ isSubscriber: false, member: null }, now)).toBe('visitor');
    expect(member(NEW_MEMBER_MS - 1, true)).toBe('new-member');
    expect(member(NEW_MEMBER_MS, false)).toBe('unverified-member');
    expect(member(NEW_MEMBER_MS, true)).toBeNull();
  });
});
