/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { PodcastFeeds } from '#contract/clients/podcasts.ts';
import { GRACE_MS } from '#contract/rules/access.ts';
import type { Subscriber, SubscriberPage, SubscriberPlay } from '#contract/admin/subscribers.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import {
  createSubscriber,
  createUser,
  payUntil,
  PASSWORD,
  type TestUser,
} from '../../testing/test-user.ts';
import { DAY } from '#contract/rules/time.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  admin = await createAdmin(test);
});
afterEach(() => test.close());

async function list(query = '', client: TestClient = admin.client) {
  const response = await client.request({ url: `/api/admin/subscribers${query}` });
  expect(response.statusCode).toBe(200);
  return response.json<{ items: Subscriber[]; nextCursor: string | null }>();
}
const names = async (query = '') => (await list(query)).items.map(({ username }) => username);

async function createUsers() {
  const now = test.clock.now();
  const paid: Record<string, number | null> = {
    lerato: now + DAY,
    sipho: now + 2 * DAY,
    thabo: now - GRACE_MS + 1,
    zanele: now - GRACE_MS,
    bongani: null,
  };
  const users: Record<string, TestUser> = {};
  for (const [name, until] of Object.entries(paid)) {
    test.clock.advance(1);
    const member = await createUser(test, name);
    await payUntil(test, member.user, until);
    users[name] = member;
  }
  test.clock.advance(now - test.clock.now());
  return users as Record<'lerato' | 'sipho' | 'thabo' | 'zanele' | 'bongani', TestUser>;
}

const act = (
  method: 'PUT' | 'DELETE',
  id: string,
  what: string,
  body: object = {},
  client: TestClient = admin.client,
) => {
  // Entries of the same millisecond have no order.
  test.clock.advance(1);
  return client.request({
    method,
    url: `/api/admin/subscribers/${id}/${what}`,
    ...(method === 'PUT' ? { payload: { reason: 'As agreed.', ...body } } : {}),
  });
};

const listActions = async () =>
  (await test.deps.database.db.selectFrom('audit_log').selectAll().orderBy('id').execute()).map(
    ({ action: name, subject_id, actor_id, reason }) => ({ name, subject_id, actor_id, reason }),
  );

describe('the list of subscribers', () => {
  itOnSqlite('shows all members, newest first, and filters by status', async () => {
    await createUsers();
    expect(await names()).toEqual(['bongani', 'zanele', 'thabo', 'sipho', 'lerato', 'naledi']);
    expect(await names('?filter=active')).toEqual(['sipho', 'lerato']);
    expect(await names('?filter=grace')).toEqual(['thabo']);
    expect(await names('?filter=free')).toEqual(['zanele', 'bongani', 'naledi']);
    expect(await names('?filter=admin')).toEqual(['naledi']);
    expect(await names('?filter=disabled')).toEqual([]);
    expect(await names('?filter=cancelled')).toEqual([]);
  });

  it('finds part of a name or e-mail, in any case', async () => {
    await createUsers();
    expect(await names('?q=ONGA')).toEqual(['bongani']);
    expect(await names('?q=sipho%40example')).toEqual(['sipho']);
    expect(await names('?q=example.com&filter=active')).toEqual(['sipho', 'lerato']);
    expect(await names('?q=example.com&filter=free')).toEqual(['bongani', 'zanele', 'naledi']);
    const first = await list('?q=example.com&limit=2');
    const second = await list(`?q=example.com&limit=9&cursor=${first.nextCursor}`);
    const read = [...first.items, ...second.items].map(({ username }) => username);
    expect(read).toEqual(await names('?q=example'));
    expect(await names('?q=%25')).toEqual([]);
    expect(await names("?q=' or 1=1 --")).toEqual([]);
  });

  it('shows who has not confirmed the e-mail address, and finds all who entered it', async () => {
    await createUser(test, 'lerato');
    test.clock.advance(1);
    const payload = { username: 'sipho', email: 'lerato@example.com', password: PASSWORD };
    await test.app.inject({ method: 'POST', url: '/api/auth/register', payload });
    const { items } = await list('?q=lerato%40example.com');
    expect(items.map(({ username, isEmailVerified }) => [username, isEmailVerified])).toEqual([
      ['sipho', false],
      ['lerato', true],
    ]);
  });

  it.each(['all', 'free', 'active'])(
    'continues exactly where a page of %s ended',
    async (filter) => {
      await createUsers();
      const whole = await names(`?filter=${filter}`);
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await list(`?filter=${filter}&limit=1${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.items.map(({ username }) => username));
        cursor = page.nextCursor ?? '';
      } while (cursor);
      expect(seen).toEqual(whole);
    },
  );

  it.each(['all', 'active', 'grace', 'free', 'admin', 'disabled', 'late', 'cancelled'])(
    'uses an index for %s',
    async (filter) => {
      const steps = await recordPlan(test.deps.database, () => list(`?filter=${filter}`));
      expect(findFullScans(steps, 'users', 'subscriptions')).toEqual([]);
    },
  );

  itOnSqlite.each([
    '?filter=nobody',
    '?limit=1000',
    '?cursor=abc',
    `?q=${'a'.repeat(300)}`,
    '?sort=name',
  ])('rejects %s', async (query) => {
    const response = await admin.client.request({ url: `/api/admin/subscribers${query}` });
    expect(response.statusCode).toBe(400);
  });
});

describe('the page of a member', () => {
  it('shows plan, devices and plays', async () => {
    const { sipho } = await createUsers();
    const { database, storage, clock } = test.deps;
    const track = await seedTrack({ db: database.db, storage, now: clock.now() });
    await sipho.client.request({
      method: 'POST',
      url: `/api/tracks/${track.id}/play`,
      payload: {},
    });
    const url = `/api/admin/subscribers/${sipho.user.id}`;
    const page = (await admin.client.request({ url })).json<SubscriberPage>();
    expect(page.subscriber).toMatchObject({ username: 'sipho', access: 'active' });
    expect(page.subscription).toMatchObject({ hasAccess: true });
    expect(page.sessions).toHaveLength(1);
    expect(JSON.stringify(page)).not.toMatch(/token|hash|password/i);
    const plays = await admin.client.request({ url: `${url}/plays` });
    const { items } = plays.json<{ items: SubscriberPlay[] }>();
    expect(items).toMatchObject([{ trackId: track.id, title: track.title, isCounted: false }]);
    const invoices = await admin.client.request({ url: `${url}/invoices` });
    expect(invoices.json()).toEqual({ items: [], nextCursor: null });
  });

  itOnSqlite.each(['', '/plays', '/invoices'])('is 404 for an unknown member: %s', async (path) => {
    const response = await admin.client.request({ url: `/api/admin/subscribers/nobody${path}` });
    expect(response.statusCode).toBe(404);
  });
});

describe('an administrator', () => {
  itOnSqlite('can be added and removed, and the audit log says by whom and why', async () => {
    const { client, user } = await createUser(test);
    expect((await act('PUT', user.id, 'admin', { isAdmin: true })).json()).toMatchObject({
      isAdmin: true,
    });
    expect(new Set(await names('?filter=admin'))).toEqual(new Set(['thandi', 'naledi']));
    expect((await client.request({ url: '/api/admin/audit' })).statusCode).toBe(200);
    await act('PUT', user.id, 'admin', { isAdmin: false, reason: 'The season is over.' });
    expect((await client.request({ url: '/api/admin/audit' })).statusCode).toBe(404);
    expect(await listActions()).toEqual([
      { name: 'admin.added', subject_id: user.id, actor_id: admin.user.id, reason: 'As agreed.' },
      {
        name: 'admin.removed',
        subject_id: user.id,
        actor_id: admin.user.id,
        reason: 'The season is over.',
      },
    ]);
  });

  it("can't be the last one removed, not even by two requests at once", async () => {
    const alone = await act('PUT', admin.user.id, 'admin', { isAdmin: false });
    expect([alone.statusCode, alone.json<ErrorBody>().code]).toEqual([409, 'last_admin']);
    const other = await createAdmin(test, 'sipho');
    const answers = await Promise.all([
      act('PUT', admin.user.id, 'admin', { isAdmin: false }),
      act('PUT', other.user.id, 'admin', { isAdmin: false }, other.client),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toContain(200);
    const { db } = test.deps.database;
    const left = await db.selectFrom('users').select('id').where('is_admin', '=', 1).execute();
    expect(left).toHaveLength(1);
  });

  itOnSqlite("who is disabled doesn't count as the remaining one", async () => {
    const other = await createAdmin(test, 'sipho');
    await act('PUT', other.user.id, 'disabled', { isDisabled: true });
    const answer = await act('PUT', admin.user.id, 'admin', { isAdmin: false });
    expect(answer.json<ErrorBody>().code).toBe('last_admin');
  });
});

describe('a disabled account', () => {
  const login = () =>
    test.createClient().request({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username: 'thandi', password: PASSWORD },
    });

  it("is logged out everywhere and can't log in until it is re-enabled", async () => {
    const { client, user } = await createUser(test);
    const shut = await act('PUT', user.id, 'disabled', { isDisabled: true });
    expect(shut.json()).toMatchObject({ isDisabled: true });
    expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
    const refused = await login();
    expect([refused.statusCode, refused.json<ErrorBody>().code]).toEqual([403, 'account_disabled']);
    expect(refused.json<ErrorBody>().message).toMatch(/has been disabled/);
    expect(await names('?filter=disabled')).toEqual(['thandi']);
    await act('PUT', user.id, 'disabled', { isDisabled: false });
    expect((await login()).statusCode).toBe(200);
    expect((await listActions()).map(({ name }) => name)).toEqual([
      'user.disabled',
      'user.enabled',
    ]);
  });

  itOnSqlite('is only mentioned after the right password', async () => {
    const { user } = await createUser(test);
    await act('PUT', user.id, 'disabled', { isDisabled: true });
    const answer = await test.createClient().request({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username: 'thandi', password: 'not the password' },
    });
    expect(answer.json<ErrorBody>().code).toBe('invalid_credentials');
  });

  itOnSqlite("can't be one’s own", async () => {
    const own = await act('PUT', admin.user.id, 'disabled', { isDisabled: true });
    expect(own.json<ErrorBody>().code).toBe('forbidden');
    expect(await listActions()).toEqual([]);
  });
});

itOnSqlite('an administrator can log a member out on every device', async () => {
  const { client, user } = await createUser(test);
  expect((await act('DELETE', user.id, 'sessions')).statusCode).toBe(204);
  expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
  expect((await listActions()).map(({ name }) => name)).toEqual(['user.logged-out']);
});

itOnSqlite(
  'an administrator can turn off the podcast feed of a member, who can create another',
  async () => {
    const { client, user } = await createSubscriber(test);
    const url = '/api/me/podcast-feed';
    const readOwn = async (method: 'GET' | 'POST') =>
      (await client.request({ method, url })).json<PodcastFeeds>().own;
    const address = (await readOwn('POST'))?.url ?? '';
    const open = async (feed: string) =>
      (await test.app.inject({ url: new URL(feed).pathname })).statusCode;
    expect(await open(address)).toBe(200);
    expect((await act('DELETE', user.id, 'podcast-feed')).statusCode).toBe(204);
    expect([await open(address), await readOwn('GET')]).toEqual([410, null]);
    const page = await admin.client.request({ url: `/api/admin/subscribers/${user.id}` });
    expect(page.json<SubscriberPage>().podcastFeed).toBeNull();
    // Nothing to turn off is no action.
    expect((await act('DELETE', user.id, 'podcast-feed')).statusCode).toBe(204);
    expect((await act('DELETE', 'nobody', 'podcast-feed')).statusCode).toBe(404);
    expect(await listActions()).toMatchObject([
      { name: 'podcast-feed.turned-off', subject_id: user.id, actor_id: admin.user.id },
    ]);
    const next = (await readOwn('POST'))?.url ?? '';
    expect([next === address, await open(next), await open(address)]).toEqual([false, 200, 410]);
  },
);

itOnSqlite.each([
  ['admin', { isAdmin: 'yes' }],
  ['admin', { isAdmin: true, reason: ' ' }],
  ['admin', { isAdmin: true, reason: 'x'.repeat(501) }],
  ['disabled', { isDisabled: true, reason: '' }],
  ['disabled', { isDisabled: true, colour: 'red' }],
])('rejects an invalid request: %s %o', async (what, body) => {
  const { user } = await createUser(test);
  expect((await act('PUT', user.id, what, body)).statusCode).toBe(400);
  expect((await act('PUT', 'nobody', what, { isAdmin: true, isDisabled: true })).statusCode).toBe(
    400,
  );
  expect(await listActions()).toEqual([]);
});
