/** @module-tag both-databases */
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from '../../db/ids.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { playlistClient, seedTracks } from '../../testing/test-playlists.ts';
import { enableTwoStepLogin } from '../../testing/test-totp.ts';
import { createSubscriber, type TestUser } from '../../testing/test-user.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let testUser: TestUser;
beforeEach(async () => {
  test = await createTestApp();
  testUser = await createSubscriber(test);
});
afterEach(() => test.close());

const download = async ({ client } = testUser) => {
  const response = await client.request({ url: '/api/me/export' });
  expect(response.statusCode).toBe(200);
  const files = unzipSync(response.rawPayload);
  const readJson = (name: string) => JSON.parse(strFromU8(files[`${name}.json`]!)) as object[];
  return { response, files, readJson };
};

it('is one archive with all data of the user', async () => {
  const { client, user } = testUser;
  const [track] = await seedTracks(test, ['Golden Hour Pressure']);
  const id = track?.id ?? '';
  const post = (url: string, payload?: object) =>
    client.request({ method: 'POST', url, ...(payload && { payload }) });
  await post(`/api/tracks/${id}/favorite`);
  const { playId } = (await post(`/api/tracks/${id}/play`)).json<{ playId: string }>();
  test.clock.advance(20_000);
  await post(`/api/plays/${playId}/heartbeat`, { secondsListened: 20, position: 20 });
  await playlistClient(client).create({ name: 'Braai <b>', trackIds: [id] });
  await post(`/api/tracks/${id}/download`, { format: 'flac' });
  await client.request({
    method: 'PATCH',
    url: '/api/me/preferences',
    payload: { newsMails: true },
  });
  const create = { width: 8, height: 8, channels: 3, background: '#c52' } as const;
  const payload = await sharp({ create }).png().toBuffer();
  const url = `/api/users/${user.id}/avatar`;
  await client.request({ method: 'PUT', url, payload, headers: { 'content-type': 'image/png' } });

  const event = { at: 1, name: 'Page Viewed', user_id: user.id, device: 'phone' };
  await test.deps.database.db
    .insertInto('analytics_events')
    .values({ id: 'event', ...event, properties: '{"platform":"web"}' })
    .execute();

  const { response, files, readJson } = await download();
  expect(response.headers['content-type']).toBe('application/zip');
  expect(response.headers['content-disposition']).toContain('filename="Weekender - sipho.zip"');
  const mix = { trackId: id, title: 'Golden Hour Pressure', year: 2026, week: 46 };
  expect(readJson('account')).toEqual([
    expect.objectContaining({
      id: user.id,
      username: 'sipho',
      email: 'sipho@example.com',
      createdAt: '2026-11-15T12:00:00.000Z',
    }),
  ]);
  expect(readJson('preferences')).toEqual([expect.objectContaining({ newsMails: true })]);
  expect(readJson('sessions')).toEqual([expect.objectContaining({ address: '127.0.0.1' })]);
  expect(readJson('favorites')).toEqual([{ ...mix, addedAt: '2026-11-15T12:00:00.000Z' }]);
  expect(readJson('progress')).toEqual([expect.objectContaining({ ...mix, listenedMs: 20_000 })]);
  expect(readJson('plays')).toEqual([expect.objectContaining({ ...mix, playId, isCounted: 1 })]);
  expect(readJson('playlists')).toEqual([
    expect.objectContaining({ name: 'Braai <b>', tracks: [expect.objectContaining(mix)] }),
  ]);
  expect(readJson('downloads')).toEqual([
    expect.objectContaining({ ...mix, format: 'flac', times: 1 }),
  ]);
  expect(readJson('achievements')).toContainEqual({
    figures: expect.objectContaining({ plays: 1 }) as object,
  });
  expect(readJson('events')).toEqual([
    {
      name: 'Page Viewed',
      happenedAt: '1970-01-01T00:00:00.001Z',
      device: 'phone',
      properties: { platform: 'web' },
    },
  ]);
  expect(strFromU8(files['READ ME.txt']!)).toContain('sipho');
  expect((await sharp(files['avatar.webp']).metadata()).format).toBe('webp');
});

itOnSqlite('names no mix that was taken back, whatever has become of it', async () => {
  const { client } = testUser;
  const [track] = await seedTracks(test, ['Golden Hour Pressure']);
  const id = track?.id ?? '';
  const post = (url: string, payload: object = {}) =>
    client.request({ method: 'POST', url, payload });
  await post(`/api/tracks/${id}/favorite`);
  const { playId } = (await post(`/api/tracks/${id}/play`)).json<{ playId: string }>();
  test.clock.advance(20_000);
  await post(`/api/plays/${playId}/heartbeat`, { secondsListened: 20, position: 20 });
  await playlistClient(client).create({ name: 'Braai', trackIds: [id] });
  await post(`/api/tracks/${id}/download`, { format: 'flac' });
  const { db } = test.deps.database;
  const at = test.clock.now();
  await db
    .insertInto('bookmarks')
    .values({
      user_id: testUser.user.id,
      track_id: id,
      position_ms: 1,
      comment: '',
      created_at: at,
      changed_at: at,
    })
    .execute();
  const read = async () => {
    const { files, readJson } = await download();
    const [playlist] = readJson('playlists') as { tracks: object[] }[];
    const lists = ['favorites', 'progress', 'plays', 'downloads', 'bookmarks'].map(readJson);
    const all = Object.values(files).map((bytes) => strFromU8(bytes));
    return { rows: [...lists.flat(), ...(playlist?.tracks ?? [])], text: all.join() };
  };
  const change = (to: object) => db.updateTable('tracks').set(to).where('id', '=', id).execute();

  await change({ publish_at: null, title: 'Surprise with Black Coffee', week: 52 });
  const draft = await read();
  const unnamed = { trackId: id, title: null, year: null, week: null };
  expect(draft.rows).toEqual(Array.from({ length: 6 }, () => expect.objectContaining(unnamed)));
  expect(draft.text).not.toContain('Surprise');

  await change({ publish_at: at });
  const named = { ...unnamed, title: 'Surprise with Black Coffee', year: 2026, week: 52 };
  expect((await read()).rows).toEqual(draft.rows.map(() => expect.objectContaining(named)));
});

it('contains no secrets and no data of other users', async () => {
  const other = await createSubscriber(test, 'thandi');
  const { secret, recoveryCodes } = await enableTwoStepLogin(test, testUser);
  const { files } = await download();
  const text = Object.values(files)
    .map((bytes) => strFromU8(bytes))
    .join('\n');
  const { db } = test.deps.database;
  const users = await db.selectFrom('users').selectAll().execute();
  const sessions = await db.selectFrom('sessions').selectAll().execute();
  const codes = await db.selectFrom('recovery_codes').selectAll().execute();
  const secrets = [
    secret,
    ...recoveryCodes,
    ...users.map((user) => user.password_hash),
    ...sessions.map((session) => session.token_hash),
    ...codes.map((code) => code.code_hash),
    ...testUser.client.cookies.values(),
    other.user.id,
    other.user.email,
  ];
  for (const each of secrets) expect(text).not.toContain(each);
});

it('contains every row of a long list once, in order', async () => {
  const [track] = await seedTracks(test, ['Golden Hour Pressure']);
  const { db } = test.deps.database;
  const now = test.clock.now();
  const rows = Array.from({ length: 1234 }, (_, n) => ({
    id: newId(now),
    track_id: track?.id ?? '',
    user_id: testUser.user.id,
    listener_key: `user:${testUser.user.id}`,
    is_subscriber: 1 as const,
    started_at: now,
    // Many at the same time, so that only the id tells them apart.
    listened_at: now + Math.floor(n / 600),
    listened_ms: 0,
    position_ms: 0,
    is_counted: 0 as const,
    counted_at: null,
    source: null,
  }));
  for (let n = 0; n < rows.length; n += 100)
    await db
      .insertInto('plays')
      .values(rows.slice(n, n + 100))
      .execute();
  const { readJson } = await download();
  const ids = (readJson('plays') as { playId: string }[]).map(({ playId }) => playId);
  expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});

itOnSqlite('requires a login and is rate-limited', async () => {
  expect((await test.app.inject({ url: '/api/me/export' })).statusCode).toBe(401);
  const codes: number[] = [];
  for (let n = 0; n < 11; n += 1)
    codes.push((await testUser.client.request({ url: '/api/me/export' })).statusCode);
  expect(codes).toEqual([...Array<number>(10).fill(200), 429]);
});
