/** @module-tag both-databases */
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EARLY_ACCESS_MS } from '#contract/rules/access.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createSubscriber, createUser, payUntil, type TestUser } from '../../testing/test-user.ts';
import { drawChart } from '../../testing/draw-chart.ts';
import { indexTrack } from '../search/service.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

type Seen = Record<string, unknown> & {
  id: string;
  access: string;
  isFavorite: boolean;
  progress: unknown;
};
type Viewers = Record<'visitor' | 'free' | 'sipho' | 'zola' | 'admin', TestClient>;

const URLS = ['/api/tracks', '/api/top-20', '/api/tracks/search?q=golden'];

let test: TestApp;
let viewers: Viewers;
let users: Record<'free' | 'sipho' | 'zola', TestUser>;
let tracks: Record<'open' | 'members' | 'early' | 'draft', TracksTable>;

beforeEach(async () => {
  test = await createTestApp();
  const { database, storage, clock } = test.deps;
  const now = clock.now();
  const seed = async (change: Partial<TracksTable>) => {
    const context = { db: database.db, storage, now };
    const track = await seedTrack(context, { title: 'Golden hour', ...change });
    await database.db.transaction().execute((tx) => indexTrack(tx, database.dialect, track));
    return track;
  };
  tracks = {
    open: await seed({}),
    members: await seed({ is_subscriber_only: 1 }),
    early: await seed({ publish_at: now + EARLY_ACCESS_MS / 2 }),
    draft: await seed({ publish_at: null }),
  };
  const trackIds = Object.values(tracks).map(({ id }) => id);
  await drawChart(database.db, trackIds, now);
  users = {
    free: await createUser(test),
    sipho: await createSubscriber(test, 'sipho'),
    zola: await createSubscriber(test, 'zola'),
  };
  const { client: admin } = await createAdmin(test);
  const { free, sipho, zola } = users;
  const visitor = { ...free.client, request: test.app.inject.bind(test.app) } as TestClient;
  viewers = { visitor, free: free.client, sipho: sipho.client, zola: zola.client, admin };
});
afterEach(() => test.close());

/** The tracks in an answer, whatever it is. */
async function ask(viewer: keyof Viewers, url: string): Promise<Seen[]> {
  const body = (await viewers[viewer].request({ url })).json<Record<string, unknown>>();
  if ('items' in body)
    return (body.items as Seen[]).map((item) => (item.track as Seen | undefined) ?? item);
  return 'id' in body ? [body as Seen] : [];
}

const urls = () => [...URLS, ...Object.values(tracks).map(({ id }) => `/api/tracks/${id}`)];

async function favorite(viewer: 'free' | 'sipho' | 'zola', track: TracksTable) {
  const user_id = users[viewer].user.id;
  const row = { user_id, track_id: track.id, created_at: test.clock.now() };
  await test.deps.database.db.insertInto('favorites').values(row).execute();
}

async function listen(viewer: 'free' | 'sipho' | 'zola', track: TracksTable, seconds: number) {
  const row = {
    user_id: users[viewer].user.id,
    track_id: track.id,
    position_ms: seconds * 1000,
    listened_ms: seconds * 1000,
    is_finished: 0 as const,
    last_listened_at: test.clock.now(),
    reach: null,
    reach_day: null,
  };
  await test.deps.database.db.insertInto('progress').values(row).execute();
}

const ORDERS: (keyof Viewers)[][] = [
  ['admin', 'sipho', 'zola', 'free', 'visitor'],
  ['visitor', 'free', 'zola', 'sipho', 'admin'],
];

describe('an answer that many viewers share', () => {
  itOnSqlite.each(ORDERS)(
    'has only what each viewer may see, whoever asks first: %s',
    async (...order) => {
      const { open, members, early, draft } = tracks;
      const full = [open.id, members.id, early.id];
      const check = async (viewer: keyof Viewers, publicIds: string[]) => {
        const isFull = !['visitor', 'free'].includes(viewer);
        const listed = isFull ? full : publicIds;
        const opened = viewer === 'admin' ? [...full, draft.id] : listed;
        for (const url of urls()) {
          const ids = URLS.includes(url) ? listed : opened.filter((id) => url.endsWith(id));
          const seen = await ask(viewer, url);
          const access = isFull ? 'full' : 'preview';
          expect({
            viewer,
            url,
            seen: seen.map((each) => `${each.id} ${each.access}`).toSorted(),
          }).toEqual({
            viewer,
            url,
            seen: ids.map((id) => `${id} ${access}`).toSorted(),
          });
        }
      };
      for (const _ of [1, 2]) for (const viewer of order) await check(viewer, [open.id]);
      // From here on the last release is the same one for everybody.
      const { database, clock } = test.deps;
      await database.db
        .updateTable('tracks')
        .set({ publish_at: clock.now() })
        .where('id', '=', early.id)
        .execute();
      for (const _ of [1, 2]) for (const viewer of order) await check(viewer, [open.id, early.id]);
    },
  );

  itOnSqlite.each(ORDERS)('has each viewer’s own state and nobody else’s: %s', async (...order) => {
    const { open } = tracks;
    await favorite('free', open);
    await favorite('sipho', open);
    await listen('sipho', open, 30);
    await listen('zola', open, 60);
    const expected = {
      visitor: [false, undefined],
      free: [true, undefined],
      sipho: [true, 30],
      zola: [false, 60],
      admin: [false, undefined],
    };
    for (const _ of [1, 2])
      for (const viewer of order)
        for (const url of [...URLS, `/api/tracks/${open.id}`, '/api/tracks?limit=50']) {
          const track = (await ask(viewer, url)).find(({ id }) => id === open.id);
          const position = (track?.progress as { position: number } | null)?.position;
          expect({ viewer, url, own: [track?.isFavorite, position] }).toEqual({
            viewer,
            url,
            own: expected[viewer],
          });
        }
  });

  it('has everyone’s own state at once, in the same turn, and their own tracks', async () => {
    const { open, members, early } = tracks;
    const favorites = { sipho: [open, early], zola: [members], free: [open] };
    for (const viewer of ['sipho', 'zola', 'free'] as const)
      for (const track of favorites[viewer]) await favorite(viewer, track);
    const askAll = async (url: string) => {
      const order = ['visitor', 'free', 'sipho', 'zola', 'admin'] as const;
      const seen = await Promise.all(order.map((viewer) => ask(viewer, url)));
      return seen.map((each) => each.filter(({ isFavorite }) => isFavorite).map(({ id }) => id));
    };
    for (const _ of [1, 2])
      for (const url of URLS) {
        const [visitor, free, sipho, zola, admin] = await askAll(url);
        expect({ url, visitor, free, sipho: sipho?.toSorted(), zola, admin }).toEqual({
          url,
          visitor: [],
          free: [open.id],
          sipho: [open.id, early.id].toSorted(),
          zola: [members.id],
          admin: [],
        });
      }
  });

  itOnSqlite('has a member’s own state compressed too', async () => {
    await favorite('sipho', tracks.open);
    const askCompressed = async (viewer: keyof Viewers) => {
      const headers = { 'accept-encoding': 'gzip' };
      const answer = await viewers[viewer].request({ url: '/api/tracks', headers });
      expect(answer.headers['content-encoding']).toBe('gzip');
      const { items } = JSON.parse(gunzipSync(answer.rawPayload).toString()) as { items: Seen[] };
      return items.find(({ id }) => id === tracks.open.id)?.isFavorite;
    };
    for (const _ of [1, 2]) {
      expect(await askCompressed('sipho')).toBe(true);
      expect(await askCompressed('zola')).toBe(false);
    }
  });

  it('shows what a member does at once', async () => {
    const { open } = tracks;
    const isFavorite = () =>
      Promise.all(
        [...URLS, `/api/tracks/${open.id}`].map(
          async (url) => (await ask('sipho', url)).find(({ id }) => id === open.id)?.isFavorite,
        ),
      );
    expect(await isFavorite()).toEqual([false, false, false, false]);
    await viewers.sipho.request({ method: 'POST', url: `/api/tracks/${open.id}/favorite` });
    expect(await isFavorite()).toEqual([true, true, true, true]);
    await viewers.sipho.request({ method: 'DELETE', url: `/api/tracks/${open.id}/favorite` });
    expect(await isFavorite()).toEqual([false, false, false, false]);
  });

  itOnSqlite('is another one as soon as access ends or begins', async () => {
    const { open } = tracks;
    const accessOf = async () => (await ask('sipho', `/api/tracks/${open.id}`))[0]?.access;
    expect(await accessOf()).toBe('full');
    await payUntil(test, users.sipho.user, null);
    expect(await accessOf()).toBe('preview');
    expect((await ask('sipho', '/api/tracks')).map(({ id }) => id)).toEqual([open.id]);
    await payUntil(test, users.sipho.user, test.clock.now() + 1000);
    expect(await accessOf()).toBe('full');
  });

  itOnSqlite('is never a list of what one member has listened to', async () => {
    await listen('sipho', tracks.open, 90);
    const { db } = test.deps.database;
    await db.updateTable('progress').set({ is_finished: 1 }).execute();
    const idsFor = async (viewer: keyof Viewers) =>
      (await ask(viewer, '/api/tracks?state=listened')).map(({ id }) => id);
    for (const _ of [1, 2]) {
      expect(await idsFor('sipho')).toEqual([tracks.open.id]);
      expect(await idsFor('zola')).toEqual([]);
      expect(await idsFor('visitor')).toEqual([]);
    }
  });
});
