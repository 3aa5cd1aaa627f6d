/** @module-tag both-databases */
import { once } from 'node:events';
import { truncate } from 'node:fs/promises';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';
import { buildApp } from '../../app.ts';
import { changeSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { createSubscriber, createUser, PASSWORD } from '../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let track: TracksTable;

beforeEach(async () => {
  test = await createTestApp();
  const { database, storage, clock } = test.deps;
  track = await seedTrack({ db: database.db, storage, now: clock.now() });
  await createSubscriber(test);
});
afterEach(() => test.close());

async function logIn(): Promise<TestClient> {
  const client = test.createClient();
  const payload = { username: 'sipho', password: PASSWORD };
  const response = await client.request({ method: 'POST', url: '/api/auth/login', payload });
  expect(response.statusCode).toBe(200);
  return client;
}

async function play(client: TestClient): Promise<string> {
  const response = await client.request({ method: 'POST', url: `/api/tracks/${track.id}/play` });
  expect(response.statusCode).toBe(200);
  return response.json<{ playId: string }>().playId;
}

const report = (client: TestClient, playId: string, seconds: number) =>
  client.request({
    method: 'POST',
    url: `/api/plays/${playId}/heartbeat`,
    payload: { secondsListened: seconds, position: seconds },
  });

const load = (client: TestClient, range = 'bytes=0-99', rendition = 'stream') =>
  client.request({ url: `/media/tracks/${track.id}/${rendition}`, headers: { range } });

const PAST_THE_BEGINNING = `bytes=${5 * 1024 * 1024}-`;

/** Devices that start one second after the other. */
async function playOn(count: number) {
  const devices: { client: TestClient; playId: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const client = await logIn();
    devices.push({ client, playId: await play(client) });
    test.clock.advance(SECOND);
  }
  return devices as [(typeof devices)[number], ...typeof devices];
}

const STOPPED = {
  code: 'stream_elsewhere',
  message:
    'You’re listening on another device. Your account plays on 3 devices at a time, so playback stopped here. Press play to continue on this device.',
};

describeOnSqlite('an account that listens on three devices', () => {
  it('stops the one that began first when a fourth starts, and says why', async () => {
    const [first, ...others] = await playOn(4);
    const refused = await load(first.client);
    expect([refused.statusCode, refused.json()]).toEqual([403, STOPPED]);
    const told = await report(first.client, first.playId, 3);
    expect([told.statusCode, told.json()]).toEqual([403, STOPPED]);
    for (const { client, playId } of others) {
      expect((await load(client)).statusCode).toBe(206);
      expect((await report(client, playId, 1)).statusCode).toBe(204);
    }
  });

  it('keeps what the stopped device reports', async () => {
    const [first] = await playOn(4);
    await report(first.client, first.playId, 3);
    const { listened_ms } = await test.deps.database.db
      .selectFrom('plays')
      .select('listened_ms')
      .where('id', '=', first.playId)
      .executeTakeFirstOrThrow();
    expect(listened_ms).toBe(3000);
  });

  it('continues on the stopped device when play is pressed there, and stops the next one', async () => {
    const [first, second] = await playOn(4);
    await report(first.client, first.playId, 3);
    expect((await load(first.client)).statusCode).toBe(206);
    await play(first.client);
    expect((await load(second!.client)).json()).toEqual(STOPPED);
    expect((await load(first.client, PAST_THE_BEGINNING)).statusCode).toBe(416);
  });

  it('doesn’t start again on a stopped device that still loads for a moment', async () => {
    const [first, second] = await playOn(4);
    await report(first.client, first.playId, 3);
    await load(first.client, PAST_THE_BEGINNING);
    expect((await load(second!.client)).statusCode).toBe(206);
  });

  it('has room again once a device is quiet, however many ranges the others load', async () => {
    const [first, second, third] = await playOn(3);
    for (let n = 0; n < 10; n += 1) {
      test.clock.advance(10 * SECOND);
      await load(second!.client);
      await report(third!.client, third!.playId, n);
    }
    const fourth = await logIn();
    await play(fourth);
    for (const client of [second!.client, third!.client, fourth])
      expect((await load(client)).statusCode).toBe(206);
    expect((await report(first.client, first.playId, 3)).statusCode).toBe(204);
  });

  it('notices a device that loads past the beginning and reports nothing', async () => {
    const [first] = await playOn(3);
    const silent = await logIn();
    await load(silent);
    expect((await load(first.client)).statusCode).toBe(206);
    await load(silent, PAST_THE_BEGINNING);
    expect((await load(first.client)).statusCode).toBe(403);
  });

  it('lets a device that only saves wait, and stops none for it', async () => {
    const [first] = await playOn(3);
    const saving = await logIn();
    const save = () => load(saving, PAST_THE_BEGINNING, 'stream?v=1&save=1');
    expect((await save()).json()).toMatchObject({ code: 'stream_elsewhere' });
    expect((await load(first.client)).statusCode).toBe(206);
    // Whoever saves counts, so that nobody listens on many devices by saying that they save.
    test.clock.advance(5 * MINUTE);
    const others = [saving, first.client, await logIn(), await logIn()];
    const answers: number[] = [];
    for (const client of others) {
      const { statusCode } = await load(client, PAST_THE_BEGINNING, 'stream?save=1');
      answers.push(statusCode);
      test.clock.advance(SECOND);
    }
    expect(answers).toEqual([416, 416, 416, 403]);
    // Playing goes first.
    await play(others[3]!);
    expect((await save()).json()).toMatchObject({ code: 'stream_elsewhere' });
  });

  it('notices a device that counts its ranges from the end of the file', async () => {
    const [first] = await playOn(3);
    const size = { size: 8 * 1024 * 1024 };
    await test.deps.database.db.updateTable('renditions').set(size).execute();
    const url = `/media/tracks/${track.id}/stream`;
    const silent = await logIn();
    await silent.request({ method: 'HEAD', url, headers: { range: 'bytes=-100' } });
    expect((await load(first.client)).statusCode).toBe(403);
  });

  it('gives audio to a stopped device again after two minutes, if its player never asked why', async () => {
    const [first] = await playOn(4);
    expect((await load(first.client)).statusCode).toBe(403);
    test.clock.advance(2 * MINUTE);
    expect((await load(first.client)).statusCode).toBe(206);
  });

  it('isn’t stopped by previews, nor by pauses and other tracks of the same device', async () => {
    const [first] = await playOn(3);
    const visitor = test.createClient();
    await play(visitor);
    expect((await load(visitor, 'bytes=0-99', 'preview')).statusCode).toBe(206);
    for (let n = 0; n < 5; n += 1) await play(first.client);
    expect((await load(first.client)).statusCode).toBe(206);
  });

  it('signals the change to open pages', async () => {
    await playOn(4);
    const signals = await test.deps.database.db.selectFrom('signals').selectAll().execute();
    expect(signals.filter(({ topic }) => topic.endsWith('/streams'))).toHaveLength(1);
  });

  it('can’t take turns without end: then the newcomer stops', async () => {
    const devices = await playOn(4);
    const takeOver = async ({ client, playId }: { client: TestClient; playId: string }) => {
      await report(client, playId, 1);
      await play(client);
      test.clock.advance(SECOND);
    };
    for (let n = 0; n < 29; n += 1) await takeOver(devices[n % 4]!);
    const [stopped, next] = [devices[1]!, devices[2]!];
    await takeOver(stopped);
    expect((await load(stopped.client)).json()).toEqual(STOPPED);
    expect((await load(next.client)).statusCode).toBe(206);
    test.clock.advance(HOUR);
    await takeOver(stopped);
    expect((await load(stopped.client)).statusCode).toBe(206);
  });
});

itOnSqlite('follows the setting', async () => {
  await changeSettings(test.deps.database.db, { streamsPerAccount: 1 }, test.clock.now());
  const [first] = await playOn(2);
  expect((await load(first.client)).json()).toMatchObject({
    message: expect.stringContaining('Your account plays on one device at a time'),
  });
});

itOnSqlite('counts each account for itself, and never someone without full access', async () => {
  await playOn(3);
  const other = await createSubscriber(test, 'lerato');
  await play(other.client);
  expect((await load(other.client)).statusCode).toBe(206);
  const { client } = await createUser(test);
  await play(client);
  const rows = await test.deps.database.db.selectFrom('streams').selectAll().execute();
  expect(rows).toHaveLength(4);
});

it('stops a device that plays from another server on the same database', async () => {
  const [first] = await playOn(3);
  const database = (test.deps.database as TestDatabase).connectAgain();
  const app = await buildApp({ ...test.deps, database });
  try {
    const fourth = await logIn();
    const cookies = Object.fromEntries(fourth.cookies);
    await app.inject({ method: 'POST', url: `/api/tracks/${track.id}/play`, cookies });
    expect((await load(first.client)).json()).toEqual(STOPPED);
  } finally {
    await app.close();
  }
});

describe('audio that is being sent', () => {
  /** More than the connection takes before someone reads it. */
  const SIZE = 64 * 1024 * 1024;

  const open = async ({ cookies }: TestClient): Promise<IncomingMessage> => {
    const { port } = test.app.server.address() as AddressInfo;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const path = `/media/tracks/${track.id}/stream`;
    const sent = get({ host: '127.0.0.1', port, path, headers: { cookie } });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.headers['content-length']).toBe(String(SIZE));
    return response;
  };
  /** `complete`, or `cut` if the connection ended before. */
  const readToEnd = async (response: IncomingMessage): Promise<'complete' | 'cut'> => {
    response.resume();
    await once(response, 'close').catch(() => undefined);
    return response.complete ? 'complete' : 'cut';
  };

  it('ends when a fourth device starts, also on another server, and goes on for the others', async () => {
    const { database, storage } = test.deps;
    const key = `tracks/${track.id}-stream.bin`;
    await truncate(storage.localPath!(key), SIZE);
    await database.db.updateTable('renditions').set({ size: SIZE }).execute();
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const responses: ServerResponse[] = [];
    test.app.server.on('request', (_request, response) => responses.push(response));
    const [first, second] = await playOn(3);
    const [stopped, other] = [await open(first.client), await open(second!.client)];
    const ended = once(responses[0]!, 'close');
    const again = (database as TestDatabase).connectAgain();
    const app = await buildApp({ ...test.deps, database: again });
    try {
      const cookies = Object.fromEntries((await logIn()).cookies);
      await app.inject({ method: 'POST', url: `/api/tracks/${track.id}/play`, cookies });
      await ended;
    } finally {
      await app.close();
    }
    expect(await readToEnd(stopped)).toBe('cut');
    expect(await readToEnd(other)).toBe('complete');
  });
});

itOnSqlite('forgets a device with its session', async () => {
  const [first] = await playOn(1);
  await first.client.request({ method: 'POST', url: '/api/auth/logout' });
  expect(await test.deps.database.db.selectFrom('streams').selectAll().execute()).toEqual([]);
});
