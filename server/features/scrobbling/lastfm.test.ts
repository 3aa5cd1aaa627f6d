import { once } from 'node:events';
import { LastFmNode } from 'lastfm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scrobbling } from '#contract/clients/scrobbling.ts';
import { HOUR, MINUTE } from '#contract/rules/time.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import {
  LASTFM_KEY,
  LASTFM_SECRET,
  readCall,
  startLastfm,
  type FakeScrobbler,
} from '../../testing/fake-scrobblers.ts';
import { findTraces } from '../../testing/read-all-tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { createSubscriber, type TestUser } from '../../testing/test-user.ts';
import { nameService, signCall } from './lastfm.ts';

let test: TestApp;
let fake: FakeScrobbler;
let sipho: TestUser;
let track: TracksTable;

beforeEach(async () => {
  fake = await startLastfm();
  const lastfm = { apiKey: LASTFM_KEY, secret: LASTFM_SECRET, url: `${fake.origin}/2.0/` };
  const authUrl = 'https://www.last.fm/api/auth/';
  test = await createTestApp({ config: { lastfm: { ...lastfm, authUrl } } });
  const { database, storage, clock } = test.deps;
  const chapters = JSON.stringify([
    { at: 0, artist: 'Relay Room', title: 'Subs & Bass = 1' },
    { at: 120, artist: 'Björk', title: 'Jóga ✨' },
  ]);
  const change = { duration_ms: 5 * MINUTE, chapters };
  track = await seedTrack({ db: database.db, storage, now: clock.now() }, change);
  sipho = await createSubscriber(test);
});
afterEach(async () => {
  await test.close();
  await fake.close();
});

const start = async ({ client } = sipho) => {
  const response = await client.request({ method: 'POST', url: '/api/me/scrobbling/lastfm' });
  const url = new URL(response.json<{ url: string }>().url);
  const callback = new URL(url.searchParams.get('cb') ?? '');
  return { url, callback, state: callback.searchParams.get('lastfm') ?? '' };
};
const finish = (state: string, token = 'page-token', { client } = sipho) =>
  client.request({
    method: 'PUT',
    url: '/api/me/scrobbling/lastfm',
    payload: { token, state },
  });

async function connect() {
  fake.tokens.add('page-token');
  const response = await finish((await start()).state);
  expect(response.statusCode).toBe(200);
  return response.json<Scrobbling>();
}

async function hear(from: number, to: number) {
  const { client } = sipho;
  const started = await client.request({ method: 'POST', url: `/api/tracks/${track.id}/play` });
  const { playId } = started.json<{ playId: string }>();
  for (let position = from + 10; position <= to; position += 10) {
    test.clock.advance(10_000);
    const payload = { secondsListened: position - from, position };
    await client.request({ method: 'POST', url: `/api/plays/${playId}/heartbeat`, payload });
  }
}

/** The parameters of each call so far. */
const findCalls = (method: string) =>
  fake.requests
    .map((request) => Object.fromEntries(readCall(request)))
    .filter((call) => call.method === method);

it('signs a call as the documentation shows', () => {
  // md5('api_keyxxxxxxxxxxmethodauth.getSessiontokenyyyyyymysecret')
  const parameters = { api_key: 'xxxxxxxxxx', token: 'yyyyyy', method: 'auth.getSession' };
  expect(signCall(parameters, 'mysecret')).toBe('61c45a02d5f7b9a11e7db6ec6b01e1d3');
});

it('is called by its name', () => {
  const name = (url: string) => nameService({ apiKey: '', secret: '', url, authUrl: '' });
  expect(name('https://ws.audioscrobbler.com/2.0/')).toBe('Last.fm');
  expect(name('https://libre.fm/2.0/')).toBe('Libre.fm');
  expect(name('https://music.example/2.0/')).toBe('music.example');
});

describe('connecting', () => {
  it('leads to the service’s page and back, and exchanges its token for a key', async () => {
    const { url, callback } = await start();
    expect(`${url.origin}${url.pathname}`).toBe('https://www.last.fm/api/auth/');
    expect(url.searchParams.get('api_key')).toBe(LASTFM_KEY);
    expect(`${callback.origin}${callback.pathname}`).toBe(`${test.deps.site.origin}/settings`);
    expect(await connect()).toMatchObject({
      lastfm: { username: 'sipho_fm', server: null, state: 'connected' },
    });
    expect(await findTraces(test.deps.database, ['session-key', 'page-token'])).toEqual([]);
  });

  it('works only on the device that started it, and for an hour', async () => {
    const naledi = await createSubscriber(test, 'naledi');
    const { state } = await start(naledi);
    fake.tokens.add('page-token');
    for (const wrong of [state, 'x.y', `${Date.now()}.${'A'.repeat(43)}`])
      expect((await finish(wrong)).json()).toMatchObject({ code: 'service_refused' });
    const own = await start();
    test.clock.advance(HOUR);
    expect((await finish(own.state)).json()).toMatchObject({ code: 'service_refused' });
    expect(fake.requests).toEqual([]);
  });

  it('says when the page’s token isn’t valid', async () => {
    const response = await finish((await start()).state, 'made-up');
    expect([response.statusCode, response.json()]).toMatchObject([
      422,
      { code: 'service_refused' },
    ]);
  });

  it('isn’t offered where the operator has no key', async () => {
    await test.close();
    test = await createTestApp();
    sipho = await createSubscriber(test);
    const url = '/api/me/scrobbling/lastfm';
    expect((await sipho.client.request({ method: 'POST', url })).statusCode).toBe(404);
    expect((await finish('x.y')).statusCode).toBe(404);
  });
});

describe('listening', () => {
  it('scrobbles chapters with a valid signature, whatever characters their names have', async () => {
    await connect();
    await hear(0, 300);
    await test.worker.runDue();
    expect([...fake.listens.values()]).toMatchObject([
      { artist: 'Relay Room', title: 'Subs & Bass = 1', release: track.title },
      { artist: 'Björk', title: 'Jóga ✨', release: track.title },
    ]);
    expect(findCalls('track.scrobble')).toHaveLength(1);
  });

  it('says what is playing', async () => {
    await connect();
    await hear(0, 10);
    await test.worker.runDue();
    expect(fake.playing).toMatchObject([{ artist: 'Relay Room', title: 'Subs & Bass = 1' }]);
  });

  it('stops when the listener has revoked the key', async () => {
    await connect();
    fake.tokens.clear();
    await hear(0, 100);
    await test.worker.runDue();
    const response = await sipho.client.request({ url: '/api/me/scrobbling' });
    expect(response.json<Scrobbling>().lastfm).toMatchObject({ state: 'refused', queued: 1 });
  });

  it('waits while the service is over its limit', async () => {
    await connect();
    fake.setMood('limited');
    await hear(0, 100);
    await test.worker.runDue();
    fake.setMood('well');
    test.clock.advance(MINUTE);
    await test.worker.runDue();
    expect(fake.listens.size).toBe(1);
  });
});

describe('the npm client lastfm, beside us', () => {
  const createOther = () => {
    const { hostname: host, port } = new URL(fake.origin);
    return new LastFmNode({
      api_key: LASTFM_KEY,
      secret: LASTFM_SECRET,
      host,
      port: Number(port),
    });
  };

  it.each(['auth.getSession', 'track.updateNowPlaying', 'track.scrobble'])(
    'signs and sends %s as we do',
    async (method) => {
      await connect();
      await hear(0, 10);
      await test.worker.runDue();
      await hear(10, 300);
      await test.worker.runDue();
      const [ours] = findCalls(method);
      const {
        method: _method,
        api_key: _key,
        api_sig,
        format: _format,
        ...parameters
      } = ours ?? {};
      expect(api_sig).toMatch(/^[0-9a-f]{32}$/);
      fake.tokens.add('page-token');
      fake.requests.length = 0;
      await once(createOther().request(method, parameters), 'success');
      expect(findCalls(method)).toEqual([ours]);
    },
  );

  it('logs in, says what is playing and scrobbles with the same result', async () => {
    const other = createOther();
    fake.tokens.add('page-token');
    const session = other.session({ token: 'page-token' });
    await once(session, 'success');
    expect([session.user, session.key]).toEqual(['sipho_fm', 'session-key']);
    const names = { artist: 'Relay Room', track: 'Subs & Bass = 1', album: track.title };
    const timestamp = String(test.clock.now() / 1000);
    await once(other.update('nowplaying', session, names), 'success');
    await once(other.update('scrobble', session, { ...names, timestamp }), 'success');
    const theirs = { listens: [...fake.listens], playing: fake.playing.splice(0) };
    expect(theirs.listens).toHaveLength(1);
    fake.listens.clear();

    await connect();
    await hear(0, 10);
    await test.worker.runDue();
    await hear(10, 100);
    await test.worker.runDue();
    expect({ listens: [...fake.listens], playing: fake.playing }).toEqual(theirs);
  });
});
