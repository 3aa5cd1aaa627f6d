/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { hashPassword, isOutdatedHash } from '../../background/passwords.ts';
import { readTables } from '../../testing/read-tables.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createUser, PASSWORD } from '../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const post = (url: string, payload: object) => ({ method: 'POST' as const, url, payload });
const newUser = (over: object = {}) =>
  post('/api/auth/register', {
    username: 'Thandi.Nkosi',
    email: 'Thandi@Example.com',
    password: PASSWORD,
    isSubscriber: false,
    ...over,
  });

describeOnSqlite('register', () => {
  it('creates an account, logs in and returns every field of the user', async () => {
    const client = test.createClient();
    const response = await client.request(newUser());
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{26}$/),
      username: 'Thandi.Nkosi',
      email: 'Thandi@Example.com',
      unconfirmedEmail: 'Thandi@Example.com',
      isSubscriber: false,
      isAdmin: false,
      avatarUrl: null,
      offlineUntil: null,
    });
    const me = await client.request({ url: '/api/auth/me' });
    expect(me.json()).toEqual(response.json());
  });

  it('ignores isSubscriber', async () => {
    const response = await test.createClient().request(newUser({ isSubscriber: true }));
    expect(response.json()).toMatchObject({ isSubscriber: false });
    const { users } = await readTables(test.deps.database.db);
    expect(users[0]).toMatchObject({ paid_through: null, is_admin: 0 });
  });

  it('rejects isAdmin', async () => {
    const response = await test.createClient().request(newUser({ isAdmin: true }));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      fields: { isAdmin: expect.stringContaining('no such field') as string },
    });
  });

  it('stores only hashes of the password and the session', async () => {
    const client = test.createClient();
    await client.request(newUser());
    const { users, sessions } = await readTables(test.deps.database.db);
    expect(users[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$/);
    expect(sessions[0]?.token_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify({ users, sessions })).not.toContain(client.cookies.get('session'));
    expect(JSON.stringify({ users, sessions })).not.toContain(PASSWORD);
  });

  it.each([
    { username: 'THANDI.nkosi', email: 'other@example.com' },
    { username: 'ｔｈａｎｄｉ.nkosi', email: 'o@example.com' },
    {},
  ])('responds with 409 to a username that is taken: %j', async (over) => {
    await test.createClient().request(newUser());
    const before = await readTables(test.deps.database.db);
    const response = await test.createClient().request(newUser(over));
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ code: 'username_taken' });
    expect(Object.keys(response.json<{ fields: object }>().fields)).toEqual(['username']);
    expect(await readTables(test.deps.database.db)).toEqual(before);
  });

  it('accepts one of many simultaneous registrations of a name', async () => {
    const responses = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        test.createClient().request(newUser({ email: `thandi${n}@example.com` })),
      ),
    );
    const statuses = responses.map((response) => response.statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 409, 409, 409]);
    expect((await readTables(test.deps.database.db)).users).toHaveLength(1);
  });
});

describeOnSqlite('login', () => {
  it.each(['thandi', 'THANDI', '  thandi ', 'thandi@example.com', 'Thandi@EXAMPLE.com'])(
    'takes the username or the e-mail address: %j',
    async (username) => {
      const { user } = await createUser(test);
      const client = test.createClient();
      const response = await client.request(
        post('/api/auth/login', { username, password: PASSWORD }),
      );
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual(user);
      expect((await client.request({ url: '/api/auth/me' })).json()).toEqual(user);
    },
  );

  it.each([
    ['thandi', 'wrong password'],
    ['nobody', PASSWORD],
    ['nobody@example.com', PASSWORD],
  ])(
    'gives the same error for a wrong password and an unknown name: %s',
    async (username, password) => {
      await createUser(test);
      const response = await test
        .createClient()
        .request(post('/api/auth/login', { username, password }));
      expect(response.statusCode).toBe(401);
      expect(response.json()).toEqual({
        code: 'invalid_credentials',
        message: 'Invalid username or password',
      });
      expect(response.cookies).toEqual([]);
    },
  );

  it('replaces the session the browser already had', async () => {
    const { client } = await createUser(test);
    const oldToken = client.cookies.get('session') ?? '';
    await client.request(post('/api/auth/login', { username: 'thandi', password: PASSWORD }));
    expect(client.cookies.get('session')).not.toBe(oldToken);
    const { sessions } = await readTables(test.deps.database.db);
    expect(sessions).toHaveLength(1);
    const old = await test.app.inject({ url: '/api/auth/me', cookies: { session: oldToken } });
    expect(old.statusCode).toBe(401);
  });

  it('renews a hash that was made with another cost, and the password stays the same', async () => {
    const { user } = await createUser(test);
    const { db } = test.deps.database;
    const old = await hashPassword(PASSWORD, { memoryCost: 32, timeCost: 1, parallelism: 1 });
    const readHash = async () =>
      (await db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow())
        .password_hash;
    await db.updateTable('users').set({ password_hash: old }).where('id', '=', user.id).execute();
    const log = (password: string) =>
      test.createClient().request({
        method: 'POST',
        url: '/api/auth/login',
        payload: { username: 'thandi', password },
      });
    expect((await log('a wrong guess')).statusCode).toBe(401);
    expect(await readHash()).toBe(old);
    expect((await log(PASSWORD)).statusCode).toBe(200);
    const renewed = await readHash();
    expect(isOutdatedHash(renewed, test.deps.passwordCost)).toBe(false);
    expect((await log(PASSWORD)).statusCode).toBe(200);
    expect(await readHash()).toBe(renewed);
  });

  it('keeps sessions on other devices', async () => {
    const { client } = await createUser(test);
    await test
      .createClient()
      .request(post('/api/auth/login', { username: 'thandi', password: PASSWORD }));
    expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(200);
  });
});

describeOnSqlite('session', () => {
  it('sets a cookie that scripts and other sites cannot use', async () => {
    const response = await test.createClient().request(newUser());
    const rules = { path: '/', httpOnly: true, sameSite: 'Lax' };
    expect(response.cookies).toEqual([
      {
        name: 'session',
        value: expect.stringMatching(/^[\w-]{43}$/),
        maxAge: 30 * 24 * 60 * 60,
        ...rules,
      },
      {
        name: 'device',
        value: expect.stringMatching(/^[\w-]{43}\.[\w-]{43}$/),
        maxAge: 365 * 24 * 60 * 60,
        ...rules,
      },
    ]);
  });

  it('is extended by use and ends 30 days after the last visit', async () => {
    const { client } = await createUser(test);
    test.clock.advance(29 * DAY);
    const rolled = await client.request({ url: '/api/auth/me' });
    expect(rolled.cookies).toHaveLength(1);
    test.clock.advance(30 * DAY - 1);
    expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(200);
    test.clock.advance(30 * DAY);
    expect((await client.request({ url: '/api/auth/me' })).statusCode).toBe(401);
  });

  it('is updated at most once an hour', async () => {
    const { client } = await createUser(test);
    const before = await readTables(test.deps.database.db);
    test.clock.advance(HOUR - 1);
    await client.request({ url: '/api/auth/me' });
    expect(await readTables(test.deps.database.db)).toEqual(before);
    test.clock.advance(1);
    await client.request({ url: '/api/auth/me' });
    const { sessions } = await readTables(test.deps.database.db);
    expect(sessions[0]?.last_seen_at).toBe(test.clock.now());
  });

  it('ends with logout, which is safe to repeat', async () => {
    const { client } = await createUser(test);
    const token = client.cookies.get('session') ?? '';
    const response = await client.request({ method: 'POST', url: '/api/auth/logout' });
    expect(response.statusCode).toBe(204);
    expect(client.cookies.has('session')).toBe(false);
    const me = await test.app.inject({ url: '/api/auth/me', cookies: { session: token } });
    expect(me.statusCode).toBe(401);
    const again = await client.request({ method: 'POST', url: '/api/auth/logout' });
    expect(again.statusCode).toBe(204);
  });

  it.each([undefined, '', 'x', 'a'.repeat(43), '%00', "' or 1=1 --"])(
    'refuses the token %j',
    async (token) => {
      await createUser(test);
      const cookies = token === undefined ? {} : { session: token };
      const response = await test.app.inject({ url: '/api/auth/me', cookies });
      expect(response.statusCode).toBe(401);
      expect(response.json()).toMatchObject({ code: 'unauthenticated' });
    },
  );
});

describe('profile', () => {
  const patch = (id: string, payload: object) => ({
    method: 'PATCH' as const,
    url: `/api/users/${id}`,
    payload,
  });

  it('changes the username, asks to confirm the new e-mail and returns the user', async () => {
    const { client, user } = await createUser(test);
    const change = { username: 'Thandi2', email: 'new@example.com', password: PASSWORD };
    const response = await client.request(patch(user.id, change));
    expect(response.json()).toEqual({
      ...user,
      username: 'Thandi2',
      unconfirmedEmail: 'new@example.com',
    });
  });

  it('changes the case of an e-mail address at once and without a message', async () => {
    const { client, user } = await createUser(test);
    const response = await client.request(patch(user.id, { email: 'THANDI@example.com' }));
    expect(response.json()).toEqual({ ...user, email: 'THANDI@example.com' });
    await test.worker.runDue();
    expect((await readTables(test.deps.database.db)).outbox).toEqual([]);
  });

  itOnSqlite('changes a single field, or just its case', async () => {
    const { client, user } = await createUser(test);
    const response = await client.request(patch(user.id, { username: 'THANDI' }));
    expect(response.json()).toEqual({ ...user, username: 'THANDI' });
  });

  itOnSqlite.each([
    { username: 'LERATO' },
    { username: 'LERATO', email: 'new@example.com', password: PASSWORD },
  ])('rejects a name that is taken: %j', async (change) => {
    const { client, user } = await createUser(test);
    await createUser(test, 'lerato');
    const before = await readTables(test.deps.database.db);
    const response = await client.request(patch(user.id, change));
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ code: 'username_taken' });
    expect(await readTables(test.deps.database.db)).toEqual(before);
  });

  itOnSqlite("hides other users' profiles", async () => {
    const { client } = await createUser(test);
    const other = await createUser(test, 'lerato');
    const before = await readTables(test.deps.database.db);
    const response = await client.request(patch(other.user.id, { username: 'mine' }));
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'not_found' });
    expect(await readTables(test.deps.database.db)).toEqual(before);
  });

  itOnSqlite.each([
    { isSubscriber: true },
    { isAdmin: true },
    { paidThrough: 9e15 },
    { password: 'another-quiet-harbour' },
    { username: 'ab' },
    { email: 'nobody' },
    { username: 5 },
    {},
    [],
    'text',
    null,
  ])('rejects %j', async (payload) => {
    const { client, user } = await createUser(test);
    const before = await readTables(test.deps.database.db);
    const response = await client.request({
      ...patch(user.id, {}),
      payload: JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'validation_failed' });
    expect(await readTables(test.deps.database.db)).toEqual(before);
  });

  itOnSqlite('requires a login', async () => {
    const response = await test.createClient().request(patch('x', { username: 'mine' }));
    expect(response.statusCode).toBe(401);
  });
});

describe('access', () => {
  it('lasts as long as the paid period plus three days of grace', async () => {
    const { client, user } = await createUser(test);
    const paidThrough = test.clock.now() + 10 * 60_000;
    await test.deps.database.db
      .updateTable('users')
      .set({ paid_through: paidThrough })
      .where('id', '=', user.id)
      .execute();
    const isSubscriber = async () =>
      (await client.request({ url: '/api/auth/me' })).json<{ isSubscriber: boolean }>()
        .isSubscriber;
    expect(await isSubscriber()).toBe(true);
    test.clock.advance(10 * 60_000 + 3 * DAY - 1);
    expect(await isSubscriber()).toBe(true);
    test.clock.advance(1);
    expect(await isSubscriber()).toBe(false);
  });
});
