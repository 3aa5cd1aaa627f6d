/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { buildApp } from '../../app.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { startPushService } from '../../testing/fake-push-service.ts';
import { findTraces } from '../../testing/read-all-tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { createSubscriber, createUser, PASSWORD } from '../../testing/test-user.ts';
import { disableAccount } from '../accounts/service.ts';
import { announceReleases } from '../releases/jobs.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let pushes: Awaited<ReturnType<typeof startPushService>>;

beforeEach(async () => {
  pushes = await startPushService();
  test = await createTestApp({ config: { allowsPrivateServers: true } });
});
afterEach(async () => {
  await test.close();
  await pushes.close();
});

const url = '/api/me/notifications';
const subscribe = (client: TestClient, payload: object) =>
  client.request({ method: 'PUT', url, payload });
async function turnOn(client: TestClient, device: string) {
  const response = await subscribe(client, pushes.createDevice(device));
  expect(response.statusCode).toBe(204);
}
const read = async (client: TestClient) =>
  (await client.request({ url })).json<{ isOn: boolean; publicKey: string }>();

const release = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  const at = { db: database.db, storage, now: clock.now() };
  return seedTrack(at, { announced_at: null, ...change });
};

/** One look, as every minute. Returns the devices that got a notice. */
async function look(): Promise<string[]> {
  pushes.delivered.length = 0;
  await announceReleases.execute(test.deps, '{}', {
    id: '',
    attempt: 1,
    maxAttempts: 1,
    signal: new AbortController().signal,
    finish: async () => undefined,
  });
  await test.worker.runDue();
  return pushes.delivered.map(({ device }) => device).toSorted();
}

async function logIn(username: string): Promise<TestClient> {
  const client = test.createClient();
  const payload = { username, password: PASSWORD };
  await client.request({ method: 'POST', url: '/api/auth/login', payload });
  return client;
}

describeOnSqlite('a release notice', () => {
  it('reaches each device once, encrypted for it and signed by the site, as http_ece and jose read it', async () => {
    const { client } = await createUser(test);
    const phone = await logIn('thandi');
    await turnOn(client, 'laptop');
    await turnOn(phone, 'phone');
    const { id } = await release();
    expect(await look()).toEqual(['laptop', 'phone']);
    const { publicKey } = await read(client);
    expect(pushes.delivered[0]).toMatchObject({
      message: {
        title: 'Week 46: Golden Hour Pressure',
        body: 'A new mix is out on Weekender.',
        path: `/track/${id}`,
        tag: `release-${id}`,
      },
      key: publicKey,
      sub: expect.stringMatching(/^(?:mailto:|https:)/),
    });
    expect(await look()).toEqual([]);
  });

  it('goes to subscribers early, and to everyone else at its time', async () => {
    const { client } = await createUser(test);
    const paying = await createSubscriber(test);
    await turnOn(client, 'free');
    await turnOn(paying.client, 'paying');
    await release({ publish_at: test.clock.now() + 24 * HOUR });
    expect(await look()).toEqual(['paying']);
    test.clock.advance(25 * HOUR);
    expect(await look()).toEqual(['free']);
  });

  it('of a mix for subscribers only isn’t told to others', async () => {
    const { client } = await createUser(test);
    await turnOn(client, 'free');
    await release({ is_subscriber_only: 1 });
    expect(await look()).toEqual([]);
  });

  it('isn’t sent for a mix that was withdrawn in the meantime', async () => {
    const { client } = await createUser(test);
    await turnOn(client, 'laptop');
    await release();
    pushes.answerWith(503);
    await look();
    await test.deps.database.db.updateTable('tracks').set({ publish_at: null }).execute();
    pushes.answerWith(201);
    test.clock.advance(HOUR);
    expect(await look()).toEqual([]);
  });

  it('is tried again when the push service is away', async () => {
    const { client } = await createUser(test);
    await turnOn(client, 'laptop');
    await release();
    pushes.answerWith(503);
    expect(await look()).toEqual([]);
    pushes.answerWith(201);
    test.clock.advance(HOUR);
    expect(await look()).toEqual(['laptop']);
  });

  it('is given up after half a day, without a dead job', async () => {
    const { client } = await createUser(test);
    await turnOn(client, 'laptop');
    await release();
    pushes.answerWith(503);
    await look();
    for (let attempt = 0; attempt < 60; attempt += 1) {
      test.clock.advance(HOUR);
      await test.worker.runDue();
    }
    const jobs = await test.deps.database.db.selectFrom('jobs').select('name').execute();
    expect(jobs.filter(({ name }) => name === 'push-release-notice')).toEqual([]);
  });
});

describe('a device', () => {
  it('is forgotten when its push service says that it is gone', async () => {
    const { client } = await createUser(test);
    await turnOn(client, 'laptop');
    pushes.remove('laptop');
    await release();
    await look();
    expect((await read(client)).isOn).toBe(false);
  });

  it.each<[string, (client: TestClient, userId: string) => Promise<unknown>]>([
    ['turns notices off', (client) => client.request({ method: 'DELETE', url })],
    ['logs out', (client) => client.request({ method: 'POST', url: '/api/auth/logout' })],
    [
      'is logged out from another device',
      async () => {
        const other = await logIn('thandi');
        await other.request({ method: 'DELETE', url: '/api/me/sessions' });
      },
    ],
    [
      'belongs to a disabled account',
      async (_client, id) => {
        await createSubscriber(test, 'boss');
        const { db } = test.deps.database;
        await db.updateTable('users').set({ is_admin: 1 }).where('username', '=', 'boss').execute();
        await db
          .transaction()
          .execute((tx) => disableAccount(tx, test.deps, { id, reason: 'Spam' }));
      },
    ],
  ])('gets no more notices when it %s', async (_what, act) => {
    const { client, user } = await createUser(test);
    await turnOn(client, 'laptop');
    await act(client, user.id);
    await release();
    expect(await look()).toEqual([]);
  });

  itOnSqlite('gets one notice when someone else logs in on it', async () => {
    const thandi = await createUser(test);
    const sipho = await createUser(test, 'sipho');
    const device = pushes.createDevice('shared');
    await subscribe(thandi.client, device);
    await subscribe(sipho.client, device);
    await release();
    expect(await look()).toEqual(['shared']);
    expect([(await read(thandi.client)).isOn, (await read(sipho.client)).isOn]).toEqual([
      false,
      true,
    ]);
  });

  itOnSqlite('is known by the same key to all servers', async () => {
    const { client } = await createUser(test);
    const { publicKey } = await read(client);
    const database = (test.deps.database as TestDatabase).connectAgain();
    const app = await buildApp({ ...test.deps, database });
    try {
      const cookies = Object.fromEntries(client.cookies);
      expect((await app.inject({ url, cookies })).json()).toMatchObject({ publicKey });
    } finally {
      await app.close();
    }
    expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
  });

  itOnSqlite(
    'is stored encrypted, and leaves nothing behind when the account is deleted',
    async () => {
      const { client, user } = await createUser(test);
      const device = pushes.createDevice('laptop');
      await subscribe(client, device);
      const secrets = [device.endpoint, device.keys.auth, device.keys.p256dh];
      expect(await findTraces(test.deps.database, secrets)).toEqual([]);
      const payload = { password: PASSWORD, confirmation: 'delete' };
      await client.request({ method: 'DELETE', url: '/api/me', payload });
      await test.worker.runDue();
      expect(await findTraces(test.deps.database, [user.id])).toEqual([]);
    },
  );

  it.each<[string, (device: ReturnType<typeof pushes.createDevice>) => object]>([
    ['an address without encryption', (device) => device],
    ['a private address', (device) => ({ ...device, endpoint: 'https://127.0.0.1/x' })],
    ['another scheme', (device) => ({ ...device, endpoint: 'file:///etc/passwd' })],
    [
      'a key that is none',
      ({ keys }) => ({
        endpoint: 'https://push.example/x',
        keys: { ...keys, p256dh: 'B'.repeat(87) },
      }),
    ],
    [
      'a short secret',
      ({ keys }) => ({ endpoint: 'https://push.example/x', keys: { ...keys, auth: 'AAAA' } }),
    ],
  ])('is refused with %s', async (_what, change) => {
    await test.close();
    test = await createTestApp();
    const { client } = await createUser(test);
    const response = await subscribe(client, change(pushes.createDevice('laptop')));
    expect(response.statusCode).toBe(400);
    expect((await read(client)).isOn).toBe(false);
  });
});
