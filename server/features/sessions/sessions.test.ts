/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import { MAX_SESSIONS } from '#contract/rules/sessions.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { DeviceSession } from '#contract/security.ts';
import { confirmDevices, createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, PASSWORD, type TestUser } from '../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

let test: TestApp;
let testUser: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  testUser = await createUser(test);
});
afterEach(() => test.close());

async function signInOnPhone(username = 'thandi'): Promise<TestClient> {
  const client = test.createClient();
  const response = await client.request({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password: PASSWORD },
    headers: { 'user-agent': PHONE },
  });
  expect(response.statusCode).toBe(200);
  return client;
}

const list = async (client: TestClient): Promise<DeviceSession[]> => {
  const response = await client.request({ url: '/api/me/sessions' });
  expect(response.statusCode).toBe(200);
  return response.json<{ items: DeviceSession[] }>().items;
};
const end = (client: TestClient, id: string) =>
  client.request({ method: 'DELETE', url: `/api/me/sessions/${id}` });
const isLoggedIn = async (client: TestClient) =>
  (await client.request({ url: '/api/auth/me' })).statusCode === 200;

describe('the list of sessions', () => {
  it('names each device, most recently used first, and marks the current one', async () => {
    test.clock.advance(60_000);
    const phone = await signInOnPhone();
    const now = test.clock.now();
    expect(await list(phone)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        device: 'Chrome on Android',
        isCurrent: true,
        createdAt: now,
        lastSeenAt: now,
      },
      expect.objectContaining({ device: 'Unknown device', isCurrent: false }),
    ]);
    expect((await list(testUser.client)).map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
  });

  it('reveals neither tokens nor addresses', async () => {
    const { db } = test.deps.database;
    const rows = await db.selectFrom('sessions').selectAll().execute();
    const { body } = await testUser.client.request({ url: '/api/me/sessions' });
    for (const { token_hash, ip } of rows) {
      expect(body).not.toContain(token_hash);
      expect(body).not.toContain(token_hash.slice(0, 16));
      expect(body).not.toContain(ip);
    }
  });

  it('omits expired sessions and those of other users', async () => {
    await createUser(test, 'sipho');
    expect(await list(testUser.client)).toHaveLength(1);
    test.clock.advance(31 * DAY);
    expect(await list(await signInOnPhone())).toHaveLength(1);
  });
});

describe('logging out a device', () => {
  it('ends only its session, immediately', async () => {
    const phone = await signInOnPhone();
    const [session] = (await list(testUser.client)).filter(({ isCurrent }) => !isCurrent);
    expect((await end(testUser.client, session?.id ?? '')).statusCode).toBe(204);
    expect(await isLoggedIn(phone)).toBe(false);
    expect(await isLoggedIn(testUser.client)).toBe(true);
    expect((await end(testUser.client, session?.id ?? '')).statusCode).toBe(404);
  });

  itOnSqlite("does not affect other users' sessions", async () => {
    const other = await createUser(test, 'sipho');
    const [theirs] = await list(other.client);
    const response = await end(testUser.client, theirs?.id ?? '');
    expect([response.statusCode, response.json<ErrorBody>().code]).toEqual([404, 'not_found']);
    expect(await isLoggedIn(other.client)).toBe(true);
  });

  it('rejects an invalid id', async () => {
    for (const id of ['x', '%00', 'f'.repeat(64), "' or 1=1 --", '..%2f..'])
      expect([400, 404]).toContain((await end(testUser.client, id)).statusCode);
    expect(await isLoggedIn(testUser.client)).toBe(true);
  });

  itOnSqlite('does not accept the stored hash of a token as an id', async () => {
    const { db } = test.deps.database;
    const { token_hash: hash } = await db
      .selectFrom('sessions')
      .select('token_hash')
      .executeTakeFirstOrThrow();
    for (const id of [hash, hash.slice(0, 32)])
      expect([400, 404]).toContain((await end(testUser.client, id)).statusCode);
    expect(await isLoggedIn(testUser.client)).toBe(true);
  });

  it('keeps the current session when logging out all others', async () => {
    const phones = [await signInOnPhone(), await signInOnPhone()];
    const stranger = await createUser(test, 'sipho');
    const response = await testUser.client.request({ method: 'DELETE', url: '/api/me/sessions' });
    expect(response.statusCode).toBe(204);
    for (const phone of phones) expect(await isLoggedIn(phone)).toBe(false);
    expect(await isLoggedIn(testUser.client)).toBe(true);
    expect(await isLoggedIn(stranger.client)).toBe(true);
  });

  itOnSqlite('requires a login', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['DELETE', `/${'a'.repeat(32)}`],
    ] as const) {
      const response = await test.app.inject({ method, url: `/api/me/sessions${path}` });
      expect(response.statusCode).toBe(401);
    }
  });
});

describeOnSqlite('the life of a session', () => {
  /** Uses the session once a day. */
  const useDaily = async (client: TestClient, days: number) => {
    for (let day = 0; day < days; day += 1) {
      test.clock.advance(DAY - 1);
      if (!(await isLoggedIn(client))) return day;
    }
    return days;
  };

  it('that was used least recently ends when the account logs in on one device too many', async () => {
    const first = await signInOnPhone();
    test.clock.advance(HOUR);
    expect(await isLoggedIn(testUser.client)).toBe(true);
    for (let n = 2; n < MAX_SESSIONS; n += 1) await signInOnPhone();
    expect(await list(testUser.client)).toHaveLength(MAX_SESSIONS);
    const last = await signInOnPhone();
    expect([await isLoggedIn(first), await isLoggedIn(last)]).toEqual([false, true]);
    expect(await isLoggedIn(testUser.client)).toBe(true);
    expect(await list(last)).toHaveLength(MAX_SESSIONS);
  });

  it('ends after 30 idle days', async () => {
    test.clock.advance(30 * DAY - 1);
    expect(await isLoggedIn(testUser.client)).toBe(true);
    test.clock.advance(30 * DAY);
    expect(await isLoggedIn(testUser.client)).toBe(false);
  });

  it('ends after a year, however often it is used', async () => {
    for (let month = 0; month < 12; month += 1) {
      test.clock.advance(29 * DAY);
      expect(await isLoggedIn(testUser.client)).toBe(true);
    }
    test.clock.advance(17 * DAY - 1);
    expect(await isLoggedIn(testUser.client)).toBe(true);
    test.clock.advance(1);
    expect(await isLoggedIn(testUser.client)).toBe(false);
  });

  it('of an administrator ends after an idle day, and after a week at most', async () => {
    await createAdmin(test);
    const client = await signInOnPhone('naledi');
    expect(await useDaily(client, 10)).toBe(7);
    const idle = await signInOnPhone('naledi');
    test.clock.advance(DAY);
    expect(await isLoggedIn(idle)).toBe(false);
  });

  it('becomes that of an administrator when its user becomes one', async () => {
    const admin = await createAdmin(test);
    test.clock.advance(2 * HOUR);
    await confirmDevices(test, admin);
    const promoted = await admin.client.request({
      method: 'PUT',
      url: `/api/admin/subscribers/${testUser.user.id}/admin`,
      payload: { isAdmin: true, reason: 'She helps us.' },
    });
    expect(promoted.statusCode).toBe(200);
    expect(await isLoggedIn(testUser.client)).toBe(true);
    test.clock.advance(DAY);
    expect(await isLoggedIn(testUser.client)).toBe(false);
  });
});
