/** @module-tag both-databases */
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminArtist } from '#contract/admin/artists.ts';
import type { ArtistName } from '#contract/artists/artists.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { Track } from '#contract/tracks.ts';
import { seedArtist } from '../../testing/seed-artist.ts';
import { readTrackFiles } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createCatalogue, type TestCatalogue } from '../../testing/test-catalogue.ts';
import { readLook } from '../look/service.ts';
import { buildTags, hashTags } from '../ingest/download-tags.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let admin: TestClient;
let catalogue: TestCatalogue;

beforeEach(async () => {
  test = await createTestApp();
  admin = (await createAdmin(test)).client;
  catalogue = createCatalogue(test, admin);
});
afterEach(() => test.close());

const seed = (name: string, trackIds: string[] = []) =>
  seedArtist({ db: test.deps.database.db, now: test.clock.now() }, name, trackIds);

type Method = 'GET' | 'PATCH' | 'PUT' | 'POST' | 'DELETE';
const send = (method: Method, path: string, options: object = {}) =>
  admin.request({ method, url: `/api/admin/artists/${path}`, ...options });
const edit = (id: string, payload: object) => send('PATCH', id, { payload });
const merge = (id: string, into: string) => send('POST', `${id}/merge`, { payload: { into } });
const read = async (id: string) => (await send('GET', id)).json<AdminArtist>();
const list = async (query = '') =>
  (await admin.request({ url: `/api/admin/artists${query}` })).json<{ items: AdminArtist[] }>()
    .items;
const namesOf = async (trackId: string) => {
  const answer = await test.app.inject({ url: `/api/tracks/${trackId}` });
  return (answer.json<Track>().artists ?? []).map(({ name }) => name);
};

describe('an artist', () => {
  it('is edited from the version that the administrator saw, and every change is recorded', async () => {
    const { id } = await seed('Zola');
    const links = ['https://example.com/zola'];
    const saved = await edit(id, { version: 0, name: ' Zola  7 ', about: 'A\r\nB', links });
    expect(saved.json()).toMatchObject({ name: 'Zola 7', about: 'A\nB', links, version: 1 });
    expect((await edit(id, { version: 0, about: 'Late' })).json()).toMatchObject({
      code: 'artist_changed',
    });
    const audit = await admin.request({ url: `/api/admin/audit?subject=${id}` });
    expect(audit.json<{ items: object[] }>().items).toEqual([
      expect.objectContaining({
        action: 'artist.edited',
        subject: expect.objectContaining({ kind: 'artist', name: 'Zola 7' }),
        changes: [
          { field: 'name', before: 'Zola', after: 'Zola 7' },
          { field: 'about', before: null, after: 'A\nB' },
          { field: 'links', before: null, after: links[0] },
        ],
      }),
    ]);
  });

  itOnSqlite.each([
    'javascript:alert(1)',
    'http://example.com',
    'https://user:x@example.com',
    'data:,x',
  ])('has no hostile link: %s', async (link) => {
    const { id } = await seed('Zola');
    const answer = await edit(id, { version: 0, links: ['https://example.com', link] });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      fields: { 'links.1': expect.stringMatching(/^Enter/) },
    });
    expect((await read(id)).links).toEqual([]);
  });

  itOnSqlite('can’t take the name of another one', async () => {
    const { id } = await seed('Zola');
    await seed('Ama');
    expect((await edit(id, { version: 0, name: 'AMA' })).json()).toMatchObject({
      code: 'artist_name_taken',
      fields: { name: expect.any(String) },
    });
    expect((await edit(id, { version: 0, name: 'ZOLA' })).json()).toMatchObject({ name: 'ZOLA' });
  });

  it('is found by part of its name', async () => {
    for (const name of ['Zola', 'DJ Zol%', 'Ama']) await seed(name);
    expect((await list('?q=ZOL')).map(({ name }) => name).toSorted()).toEqual(['DJ Zol%', 'Zola']);
    expect((await list('?q=%25')).map(({ name }) => name)).toEqual(['DJ Zol%']);
    expect(await list()).toHaveLength(3);
  });

  itOnSqlite('is in the tags of downloads, which follow a new name', async () => {
    const { database, config } = test.deps;
    const track = await catalogue.seed();
    const artists = [await seed('Zola', [track.id]), await seed('Ama', [track.id])];
    const look = readLook({ config });
    expect(buildTags({ ...track, artists: [] }, look)).not.toHaveProperty('albumArtist');
    expect(buildTags({ ...track, artists }, look)).toMatchObject({
      artist: 'Zola; Ama',
      albumArtist: config.siteName,
    });
    for (const file of await readTrackFiles(database.db, track.id))
      await database.db
        .updateTable('renditions')
        .set({ key: `tracks/a-${file.name}-${hashTags({ ...track, artists }, look)}.mp3` })
        .where('track_id', '=', track.id)
        .where('name', '=', file.name)
        .execute();
    const jobs = () =>
      database.db
        .selectFrom('jobs')
        .select('payload')
        .where('name', '=', 'retag-downloads')
        .execute();
    await edit(artists[0]?.id ?? '', { version: 0, about: 'Still the same name.' });
    expect(await jobs()).toEqual([]);
    await edit(artists[0]?.id ?? '', { version: 1, name: 'Thandi' });
    expect(await jobs()).toEqual([{ payload: JSON.stringify({ trackId: track.id }) }]);
  });
});

describeOnSqlite('the picture of an artist', () => {
  const image = { 'content-type': 'image/png' };
  const put = (id: string, payload: Buffer | string, headers: object = image) =>
    send('PUT', `${id}/picture`, { payload, headers });
  const draw = () =>
    sharp({ create: { width: 40, height: 20, channels: 3, background: '#a40' } })
      .png()
      .toBuffer();

  it('is drawn anew as a square, and the old file goes', async () => {
    const { id } = await seed('Zola', [(await catalogue.seed()).id]);
    const first = (await put(id, await draw())).json<AdminArtist>();
    const file = await test.app.inject({ url: first.pictureUrl ?? '' });
    expect(file.headers['content-type']).toBe('image/webp');
    expect(await sharp(file.rawPayload).metadata()).toMatchObject({ width: 20, height: 20 });
    const second = (await put(id, await draw())).json<AdminArtist>();
    expect(second.pictureUrl).not.toBe(first.pictureUrl);
    test.clock.advance(2 * HOUR);
    await test.worker.runDue();
    const statusOf = async (url: string | null) =>
      (await test.app.inject({ url: url ?? '' })).statusCode;
    expect([await statusOf(first.pictureUrl), await statusOf(second.pictureUrl)]).toEqual([
      404, 200,
    ]);
    expect((await send('DELETE', `${id}/picture`)).json()).toMatchObject({ pictureUrl: null });
    await test.worker.runDue();
    expect(await statusOf(second.pictureUrl)).toBe(404);
  });

  it.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), image, 422],
    ['a vector', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), image, 422],
    ['half a picture', Buffer.from('\x89PNG\r\n\x1a\n half', 'latin1'), image, 422],
    ['nothing', Buffer.alloc(0), image, 422],
    ['a page by its type', '<p>', { 'content-type': 'text/html' }, 415],
    ['a vector by its type', '<svg/>', { 'content-type': 'image/svg+xml' }, 415],
  ])('is never %s', async (_what, bytes, headers, status) => {
    const { id } = await seed('Zola');
    expect((await put(id, bytes, headers)).statusCode).toBe(status);
    expect((await read(id)).pictureUrl).toBeNull();
  });
});

describe('two artists that are the same', () => {
  it('are merged: mixes, name and address of one lead to the other', async () => {
    const [both, one] = [await catalogue.seed(), await catalogue.seed({ week: 45 })];
    const wrong = await seed('Zolla', [both.id, one.id]);
    const guest = await seed('Thando', [both.id]);
    const right = await seed('Zola', [both.id]);
    await edit(wrong.id, { version: 0, about: 'Plays late.' });
    const merged = (await merge(wrong.id, right.id)).json<AdminArtist>();
    expect(merged).toMatchObject({
      id: right.id,
      name: 'Zola',
      about: 'Plays late.',
      tracks: 2,
      aliases: [{ id: wrong.id, name: 'Zolla' }],
    });
    expect(await namesOf(both.id)).toEqual(['Zola', 'Thando']);
    expect(await namesOf(one.id)).toEqual(['Zola']);
    const old = await test.app.inject({ url: `/api/artists/${wrong.id}` });
    expect(old.json()).toMatchObject({ id: right.id });
    const { version } = await catalogue.seed({ id: 'next', week: 44 });
    await catalogue.edit('next', { version, artists: [{ name: 'ZOLLA' }, { name: 'Zola' }] });
    expect(await namesOf('next')).toEqual(['Zola']);
    expect((await edit(guest.id, { version: 0, name: 'Zolla' })).json()).toMatchObject({
      code: 'artist_name_taken',
    });
    const byOldName = await test.app.inject({ url: '/api/tracks/search?q=zolla' });
    expect(byOldName.json()).toMatchObject({ artists: [{ id: right.id, name: 'Zola' }] });
    const found = await test.app.inject({ url: '/api/tracks/search?q=thando' });
    expect(found.json<{ items: Track[] }>().items.map(({ id }) => id)).toEqual([both.id]);
  });

  it('are found by both names afterwards, with all mixes of both, until one is removed', async () => {
    const [first, second] = [await catalogue.seed(), await catalogue.seed({ week: 45 })];
    const guest = await catalogue.seed({ week: 44 });
    const old = await seed('Kofi Bright', [first.id]);
    const now = await seed('Mensah', [second.id]);
    await seed('Thando', [guest.id]);
    const find = async (q: string) => {
      const found = await test.app.inject({ url: `/api/tracks/search?q=${encodeURI(q)}` });
      const { items, artists = [] } = found.json<{ items: Track[]; artists?: ArtistName[] }>();
      return [items.map(({ id }) => id), artists.map(({ name }) => name)];
    };
    await merge(old.id, now.id);
    for (const name of ['Kofi Bright', 'kofi', 'Mensah', 'kofi bright mensah', 'Kofy Bright'])
      expect([name, (await find(name))[0]]).toEqual([name, [first.id, second.id]]);
    expect((await find('kofi bright'))[1]).toEqual(['Mensah']);
    expect((await send('DELETE', old.id)).statusCode).toBe(204);
    expect(await find('kofi bright')).toEqual([[], []]);
    expect((await find('mensah'))[0]).toEqual([first.id, second.id]);
  });

  itOnSqlite('can be merged further, and the names of both keep working', async () => {
    const { id } = await catalogue.seed();
    const [first, second, third] = [await seed('A', [id]), await seed('B'), await seed('C')];
    await merge(first.id, second.id);
    await edit(second.id, { version: (await read(second.id)).version, name: 'A' });
    await merge(second.id, third.id);
    for (const old of [first.id, second.id])
      expect((await test.app.inject({ url: `/api/artists/${old}` })).json()).toMatchObject({
        name: 'C',
      });
    expect((await send('DELETE', first.id)).statusCode).toBe(204);
    expect((await test.app.inject({ url: `/api/artists/${first.id}` })).statusCode).toBe(404);
    expect(await namesOf(id)).toEqual(['C']);
  });

  itOnSqlite('are two, and both exist', async () => {
    const { id } = await seed('Zola');
    expect((await merge(id, id)).json()).toMatchObject({ code: 'validation_failed' });
    expect((await merge(id, 'nobody')).json()).toMatchObject({ code: 'not_found' });
    expect((await merge('nobody', id)).json()).toMatchObject({ code: 'not_found' });
    expect(await read(id)).toMatchObject({ name: 'Zola', aliases: [], version: 0 });
  });
});

itOnSqlite('an artist is deleted once no mix names them, not even a deleted one', async () => {
  const track = await catalogue.seed();
  const { id } = await seed('Zola', [track.id]);
  await catalogue.bulk({ action: 'delete', ids: [track.id] });
  expect((await send('DELETE', id)).json()).toMatchObject({ code: 'artist_in_use' });
  await catalogue.bulk({ action: 'restore', ids: [track.id] });
  expect(await namesOf(track.id)).toEqual(['Zola']);
  const { version } = (await admin.request({ url: `/api/admin/tracks/${track.id}` })).json<{
    version: number;
  }>();
  await catalogue.edit(track.id, { version, artists: [] });
  expect((await send('DELETE', id)).statusCode).toBe(204);
  expect((await send('DELETE', id)).statusCode).toBe(404);
  const audit = await admin.request({ url: `/api/admin/audit?subject=${id}` });
  expect(audit.json()).toMatchObject({
    items: [{ action: 'artist.deleted', changes: [{ field: 'name', before: 'Zola' }] }],
  });
});
