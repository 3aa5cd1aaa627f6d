import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EARLY_ACCESS_MS, GRACE_MS } from '#contract/rules/access.ts';
import { SECOND } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { fileBytes, seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import {
  createSubscriber,
  createUser,
  PASSWORD,
  payUntil,
  type TestUser,
} from '../../testing/test-user.ts';
import { LONGEST_CAST_MS, START_MS } from './service.ts';

let test: TestApp;
let track: TracksTable;
let sipho: TestUser;

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

beforeEach(async () => {
  test = await createTestApp();
  track = await seed();
  sipho = await createSubscriber(test);
});
afterEach(() => test.close());

const ask = ({ client }: Pick<TestUser, 'client'>, id = track.id, rendition: unknown = 'stream') =>
  client.request({ method: 'POST', url: `/api/tracks/${id}/cast`, payload: { rendition } });

async function cast(member: Pick<TestUser, 'client'> = sipho): Promise<string> {
  const response = await ask(member);
  expect(response.statusCode).toBe(200);
  return response.json<{ url: string }>().url;
}

/** A speaker has no cookies. */
const load = (url: string, range = 'bytes=0-99') => test.app.inject({ url, headers: { range } });

async function play({ client } = sipho): Promise<string> {
  const response = await client.request({ method: 'POST', url: `/api/tracks/${track.id}/play` });
  return response.json<{ playId: string }>().playId;
}

const report = (playId: string, seconds: number, client: TestClient = sipho.client) =>
  client.request({
    method: 'POST',
    url: `/api/plays/${playId}/heartbeat`,
    payload: { secondsListened: seconds, position: seconds },
  });

describe('a cast URL', () => {
  it('plays the full mix on a device without a session', async () => {
    const response = await load(await cast());
    expect(response.statusCode).toBe(206);
    expect(response.rawPayload).toEqual(fileBytes('stream').subarray(0, 100));
    expect(response.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'access-control-allow-origin': '*',
      'cache-control': 'private, no-cache',
    });
    expect(response.headers).not.toHaveProperty('set-cookie');
  });

  it('says how long the mix is, and sends any part of it, before a speaker plays', async () => {
    const url = await cast();
    const size = fileBytes('stream').length;
    const whole = await test.app.inject({ method: 'HEAD', url });
    expect([whole.statusCode, whole.body]).toEqual([200, '']);
    expect(whole.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(size),
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
    });
    const end = await load(url, 'bytes=-50');
    expect(end.rawPayload).toEqual(fileBytes('stream').subarray(-50));
    expect(end.headers['content-range']).toBe(`bytes ${size - 50}-${size - 1}/${size}`);
    const beyond = await load(url, `bytes=${size}-`);
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`]);
  });

  it('is only for listeners with full access, of mixes that they may hear', async () => {
    const free = await createUser(test);
    expect((await ask(free)).json()).toMatchObject({ code: 'subscribers_only' });
    expect((await ask({ client: test.createClient() })).statusCode).toBe(401);
    const draft = await seed({ publish_at: null });
    const far = await seed({ publish_at: test.clock.now() + 2 * EARLY_ACCESS_MS });
    for (const id of [draft.id, far.id, 'unknown'])
      expect((await ask(sipho, id)).statusCode).toBe(404);
    for (const rendition of ['mp3', 'flac', 'preview', '', null])
      expect((await ask(sipho, track.id, rendition)).statusCode).toBe(400);
  });

  it('is for one file only, and invalid after any change', async () => {
    const other = await seed({ title: 'Another' });
    const url = await cast();
    const [path = '', token = ''] = url.split('?token=');
    const last = token.endsWith('A') ? 'B' : 'A';
    const changed = [
      url.replace(track.id, other.id),
      url.replace('/stream', '/dataSaver'),
      `${path}?token=${token.slice(0, -3)}${last}${token.slice(-2)}`,
      `${path}?token=v1.AAAA`,
      `${path}?token=${'A'.repeat(2000)}`,
      `${path}?token=${token}&token=${token}`,
      `${path}?token=`,
      path,
    ];
    for (const address of changed) {
      const response = await load(address);
      expect([address, response.statusCode]).toEqual([address, 403]);
      expect(response.body).not.toContain('STREAM');
    }
    for (const rendition of ['mp3', 'flac', 'preview'])
      expect((await load(url.replace('/stream', `/${rendition}`))).statusCode).toBe(404);
    expect((await load(url)).statusCode).toBe(206);
  });

  it('works for some minutes, and longer only while the device that cast reports that it plays', async () => {
    const url = await cast();
    test.clock.advance(START_MS - 1);
    expect((await load(url)).statusCode).toBe(206);
    test.clock.advance(1);
    expect((await load(url)).statusCode).toBe(403);
    const playId = await play();
    expect((await load(url)).statusCode).toBe(206);
    for (let seconds = 30; seconds <= 300; seconds += 30) {
      test.clock.advance(30 * SECOND);
      await report(playId, seconds);
      expect((await load(url)).statusCode).toBe(206);
    }
    // The speaker goes on without the device: what it loads doesn't keep the link alive.
    for (let n = 0; n < 3; n += 1) {
      test.clock.advance(30 * SECOND);
      await load(url);
    }
    expect((await load(url)).statusCode).toBe(403);
  });

  it('ends in any case after some hours', async () => {
    const url = await cast();
    test.clock.advance(LONGEST_CAST_MS);
    await play();
    expect((await load(url)).statusCode).toBe(403);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'logs out on that device',
      () => sipho.client.request({ method: 'POST', url: '/api/auth/logout' }),
    ],
    [
      'is logged out from another device',
      async () => {
        const other = test.createClient();
        const payload = { username: 'sipho', password: PASSWORD };
        await other.request({ method: 'POST', url: '/api/auth/login', payload });
        await other.request({ method: 'DELETE', url: '/api/me/sessions' });
      },
    ],
    ['stops paying', () => payUntil(test, sipho.user, test.clock.now() - GRACE_MS)],
    [
      'loses the mix',
      () => test.deps.database.db.updateTable('tracks').set({ publish_at: null }).execute(),
    ],
  ])('stops working at once when the listener %s', async (_what, act) => {
    await play();
    const url = await cast();
    expect((await load(url)).statusCode).toBe(206);
    await act();
    const refused = await load(url, 'bytes=100-199');
    expect([401, 403, 404]).toContain(refused.statusCode);
    expect(refused.body).not.toContain('STREAM');
  });

  it('counts as a stream of the device that cast', async () => {
    const url = await cast();
    await play();
    for (let n = 0; n < 3; n += 1) {
      test.clock.advance(SECOND);
      const client = test.createClient();
      const payload = { username: 'sipho', password: PASSWORD };
      await client.request({ method: 'POST', url: '/api/auth/login', payload });
      await play({ ...sipho, client });
    }
    expect((await load(url)).json()).toMatchObject({ code: 'stream_elsewhere' });
  });

  it('is not written to the log', async () => {
    const url = await cast();
    await load(url);
    expect(test.logText()).toContain('/media/casts/');
    expect(test.logText()).not.toContain(url.split('?token=')[1]);
  });
});
