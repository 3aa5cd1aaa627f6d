/** @module-tag both-databases */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { subsonicCalls, subsonicFailure } from '../../testing/subsonic-schemas.ts';
import { createMusicApp, seed, toSearch, type TestMusicApp } from '../../testing/test-subsonic.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let app: TestMusicApp;
beforeAll(async () => {
  test = await createTestApp();
  await seed(test, { title: 'Café del Mar' });
  app = await createMusicApp(test, await createSubscriber(test));
});
afterAll(() => test.close());

const readCode = (body: string): number =>
  subsonicFailure.parse(JSON.parse(body))['subsonic-response'].error.code;

describe('an unknown call', () => {
  it.each([
    'getEverything',
    '',
    'constructor',
    '__proto__',
    'ping/ping',
    'ping.php',
    '%00',
    'PING',
  ])('is answered in the protocol’s words: %s', async (call) => {
    const client = test.createClient();
    const auth = toSearch({ ...app.auth, f: 'json' });
    const json = await client.request({
      url: `/rest/${call}?${auth}`,
      headers: { accept: 'text/html' },
    });
    expect([json.statusCode, readCode(json.body)]).toEqual([404, 70]);
    const xml = await client.request({ url: `/rest/${call}` });
    expect(xml.headers['content-type']).toBe('text/xml; charset=utf-8');
    expect(xml.body).toContain('status="failed"');
  });
});

it('answers an address that can’t be decoded in the protocol’s words too', async () => {
  for (const call of ['%ff', 'ping%', '%zz', 'ping%C3%28', 'stream%ff/x']) {
    const url = `/rest/${call}`;
    const json = await test.app.inject({ url: `${url}?f=json` });
    expect([json.statusCode, readCode(json.body)]).toEqual([200, 0]);
    expect(json.headers['access-control-allow-origin']).toBe('*');
    const xml = await test.app.inject({ url });
    expect(xml.headers['content-type']).toBe('text/xml; charset=utf-8');
    expect(xml.body).toContain('<error code="0" message="The URL is invalid."/>');
  }
  const other = await test.app.inject({ url: '/api/%ff?f=json' });
  expect([other.statusCode, other.json()]).toMatchObject([400, { code: 'malformed_request' }]);
});

const HOSTILE = [
  '',
  'a\0b',
  "' or 1=1 --",
  '-1',
  '99999999999999999999',
  'week-2026-99',
  'year-0000-artist-',
  'x'.repeat(5000),
];

describe('every call', () => {
  it('answers hostile values of every parameter without an error of the server', async () => {
    const names = ['id', 'type', 'size', 'offset', 'query', 'songId', 'playlistId', 'position'];
    const more = ['count', 'current', 'currentIndex', 'genre', 'artist', 'name', 'albumId', 'f'];
    const query = [...names, ...more].map((name) => name);
    for (const call of [...subsonicCalls, 'stream', 'download', 'getCoverArt', 'getAvatar'])
      for (const value of HOSTILE) {
        const search = new URLSearchParams(app.auth);
        for (const name of query) search.append(name, value);
        const { statusCode } = await test.app.inject({ url: `/rest/${call}?${search.toString()}` });
        expect({ call, value, statusCode }).toEqual({ call, value, statusCode: 200 });
      }
  });

  it('takes the first of a repeated parameter, and the largest page for a larger one', async () => {
    const auth = toSearch({ ...app.auth, f: 'json' });
    const url = `/rest/getAlbumList2?${auth}&type=newest&type=nonsense&size=1&size=x`;
    const response = await test.app.inject({ url });
    expect(response.json()).toMatchObject({ 'subsonic-response': { status: 'ok' } });
    await app.call('getAlbumList2', { type: 'newest', size: 1_000_000, offset: 99_999_999_999 });
    await app.call('getAlbumList2', { type: 'newest', size: 0 });
    expect((await app.fail('getAlbumList2', { type: 'newest', size: 'many' })).code).toBe(10);
  });

  itOnSqlite('reads old encodings', async () => {
    const auth = toSearch({ ...app.auth, f: 'json' });
    for (const query of ['Caf%C3%A9+del', 'Caf%E9%20del', 'cafe del']) {
      const response = await test.app.inject({
        url: `/rest/search3?${auth}&query=${encodeURI(query).replaceAll('%25', '%')}`,
      });
      expect(response.json()).toMatchObject({
        'subsonic-response': { searchResult3: { song: [{ title: 'Café del Mar' }] } },
      });
    }
    for (const broken of ['%', '%e', '%zz', '&&&=&=x&', '?']) {
      const response = await test.app.inject({ url: `/rest/ping?${auth}&${broken}` });
      expect(response.json()).toMatchObject({ 'subsonic-response': { status: 'ok' } });
    }
  });

  it('refuses a form that is too large, and ignores bodies that aren’t forms', async () => {
    const large = await test.app.inject({
      method: 'POST',
      url: '/rest/ping?f=json',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'x'.repeat(600_000),
    });
    expect([large.statusCode, readCode(large.body)]).toEqual([413, 0]);
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      const url = `/rest/ping?${toSearch({ ...app.auth, f: 'json' })}`;
      const headers = { 'content-type': type };
      const response = await test.app.inject({ method: 'POST', url, headers, payload: '{"u":' });
      expect(response.json()).toMatchObject({ 'subsonic-response': { status: 'ok' } });
    }
  });
});

describe('a page of another site', () => {
  it('may call, because only a password means anything here', async () => {
    const headers = { origin: 'https://player.example', 'sec-fetch-site': 'cross-site' };
    const preflight = await test.app.inject({ method: 'OPTIONS', url: '/rest/ping', headers });
    expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([
      204,
      '*',
    ]);
    const response = await test.app.inject({
      method: 'POST',
      url: '/rest/ping',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      payload: toSearch({ ...app.auth, f: 'json' }),
    });
    expect(response.json()).toMatchObject({ 'subsonic-response': { status: 'ok' } });
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

it('lets an app do nothing but listen', async () => {
  const { user } = await app.call<{ user: object }>('getUser');
  expect(user).toMatchObject({ username: 'sipho', adminRole: false, downloadRole: true });
  expect((await app.fail('getUser', { username: 'someone' })).code).toBe(50);
  for (const call of [
    'createUser',
    'changePassword',
    'deleteUser',
    'jukeboxControl',
    'createShare',
    'setRating',
  ])
    expect((await app.fail(call)).code).toBe(50);
  // An app's password is not a session.
  const cookies = { session: app.password };
  expect((await test.app.inject({ url: '/api/auth/me', cookies })).statusCode).toBe(401);
});
