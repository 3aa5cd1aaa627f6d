/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findListeningState, isTrackMissed } from '#contract/rules/progress.ts';
import { DAY } from '#contract/rules/time.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import type { ProgressTable } from '../../db/types/listening-tables.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { findFullScans, recordPlan } from '../../testing/explain.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, createSubscriber, type TestUser } from '../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const seed = (title: string, change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, { title, ...change });
};

const listen = (
  { user }: TestUser,
  track: TracksTable,
  listenedMs: number,
  change: Partial<ProgressTable> = {},
) =>
  test.deps.database.db
    .insertInto('progress')
    .values({
      user_id: user.id,
      track_id: track.id,
      position_ms: listenedMs,
      listened_ms: listenedMs,
      is_finished: 0,
      last_listened_at: test.clock.now(),
      reach: null,
      reach_day: null,
      ...change,
    })
    .execute();

const download = ({ user }: TestUser, track: TracksTable, format: 'mp3' | 'flac') =>
  test.deps.database.db
    .insertInto('downloads')
    .values({
      user_id: user.id,
      track_id: track.id,
      format,
      first_at: test.clock.now(),
      last_at: test.clock.now(),
      times: 1,
    })
    .execute();

async function list(client: TestClient, query: string) {
  const response = await client.request({ method: 'GET', url: `/api/tracks${query}` });
  expect(response.statusCode).toBe(200);
  const { items, nextCursor } = response.json<{ items: Track[]; nextCursor: string | null }>();
  return { titles: items.map((track) => track.title), nextCursor };
}

async function listAll(client: TestClient, query: string): Promise<string[]> {
  const titles: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list(client, `${query}&limit=2${cursor && `&cursor=${cursor}`}`);
    titles.push(...page.titles);
    cursor = page.nextCursor;
  }
  return titles;
}

describe('the library filtered by listening state', () => {
  async function seedShelves(member: TestUser) {
    const tracks = [];
    for (const week of [46, 45, 44, 43, 42, 41]) tracks.push(await seed(`W${week}`, { week }));
    const [w46, , w44, w43, w42, w41] = tracks as [
      TracksTable,
      TracksTable,
      TracksTable,
      TracksTable,
      TracksTable,
      TracksTable,
    ];
    // Not in the order of the weeks, and one was only played for a few seconds.
    await listen(member, w42, 95_000);
    await listen(member, w46, 20_000);
    await listen(member, w43, 15_000);
    await listen(member, w41, 14_999);
    await download(member, w41, 'mp3');
    await download(member, w44, 'flac');
    await download(member, w44, 'mp3');
  }

  it('splits into listened and missed tracks, page by page', async () => {
    const member = await createUser(test);
    await seedShelves(member);
    expect(await listAll(member.client, '?state=listened')).toEqual(['W46', 'W43', 'W42']);
    expect(await listAll(member.client, '?state=missed')).toEqual(['W45', 'W44', 'W41']);
  });

  it.each([
    ['a free user', createUser],
    ['a subscriber', createSubscriber],
  ])('agrees with what every page shows %s', async (_who, create) => {
    const member = await create(test);
    const { client } = member;
    const positions = [0, 14_999, 15_000, 100_000, 121_000, 121_001, 580_000, 600_000];
    for (const [n, position_ms] of positions.entries())
      for (const [m, listenedMs] of [0, 14_999, 15_000, 400_000].entries()) {
        const at = { year: 2020 + m, week: n + 1, duration_ms: 600_000, preview_start_ms: 100_000 };
        const change = { position_ms, is_finished: listenedMs === 400_000 ? 1 : 0 } as const;
        await listen(member, await seed(`${position_ms}/${listenedMs}`, at), listenedMs, change);
      }
    const all = await client.request({ url: '/api/tracks?limit=100' });
    const { items } = all.json<{ items: Track[] }>();
    const thisWeek = weekOf(test.clock.now(), test.deps.config.timeZone);
    const titles = (isChosen: (track: Track) => boolean) =>
      items.filter(isChosen).map((track) => track.title);
    const listened = titles((track) => findListeningState(track) !== 'unheard');
    expect(listened.length).toBeGreaterThan(16);
    expect(listened.length).toBeLessThan(32);
    expect((await list(client, '?state=listened&limit=100')).titles).toEqual(listened);
    const missed = titles((track) => isTrackMissed(track, thisWeek));
    expect((await list(client, '?state=missed&limit=100')).titles).toEqual(missed);
  });

  itOnSqlite('counts a track as missed only once its week is over', async () => {
    const member = await createUser(test);
    await seed('Last year', { year: 2025, week: 52 });
    const { year, week } = weekOf(test.clock.now(), test.deps.config.timeZone);
    await seed('Last week', { year, week: week - 1 });
    await seed('This week', { year, week });
    expect(await listAll(member.client, '?state=missed')).toEqual(['Last week', 'Last year']);
    test.clock.advance(7 * DAY);
    expect(await listAll(member.client, '?state=missed')).toEqual([
      'This week',
      'Last week',
      'Last year',
    ]);
  });

  it('lists a downloaded track once, whatever the formats', async () => {
    const member = await createSubscriber(test);
    await seedShelves(member);
    expect(await listAll(member.client, '?state=downloaded')).toEqual(['W44', 'W41']);
  });

  it('combines with year and genre', async () => {
    const member = await createUser(test);
    const gqom = await seed('Gqom', { genre: 'Gqom' });
    const older = await seed('Older', { genre: 'Gqom', year: 2025 });
    const other = await seed('Other');
    for (const track of [gqom, older, other]) await listen(member, track, 20_000);
    const { client } = member;
    expect((await list(client, '?state=listened&genre=Gqom')).titles).toEqual(['Gqom', 'Older']);
    expect((await list(client, '?state=listened&genre=Gqom&year=2025')).titles).toEqual(['Older']);
    expect((await list(client, '?state=missed&genre=Gqom')).titles).toEqual([]);
  });

  itOnSqlite('is different for each user', async () => {
    const member = await createUser(test);
    await seedShelves(member);
    const other = await createUser(test, 'sipho');
    expect((await list(other.client, '?state=listened')).titles).toEqual([]);
    expect((await list(other.client, '?state=downloaded')).titles).toEqual([]);
    // Week 46 is the current one.
    expect((await list(other.client, '?state=missed')).titles).toHaveLength(5);
  });

  itOnSqlite('leaves out tracks the user may no longer see', async () => {
    const member = await createUser(test);
    const draft = await seed('Draft', { publish_at: null });
    const premium = await seed('Premium', { is_subscriber_only: 1 });
    for (const track of [draft, premium]) {
      await listen(member, track, 20_000);
      await download(member, track, 'mp3');
    }
    for (const state of ['listened', 'missed', 'downloaded'])
      expect((await list(member.client, `?state=${state}`)).titles).toEqual([]);
  });

  itOnSqlite('needs a logged-in user and a known state', async () => {
    const visitor = test.createClient();
    const answer = (url: string) => visitor.request({ method: 'GET', url });
    expect((await answer('/api/tracks?state=listened')).statusCode).toBe(401);
    expect((await answer('/api/tracks?state=loved')).statusCode).toBe(400);
  });
});

describeOnSqlite('the filters of the library', () => {
  const facets = async (client: TestClient) =>
    (await client.request({ method: 'GET', url: '/api/tracks/facets' })).json<{
      years: number[];
      weeks: number[];
      genres: string[];
    }>();

  it('are empty while nothing is published', async () => {
    expect(await facets(test.createClient())).toEqual({ years: [], weeks: [], genres: [] });
  });

  it('are the years and weeks, newest first, and the genres of what the viewer may see', async () => {
    await seed('A', { genre: 'Kwaito' });
    await seed('B', { genre: 'Amapiano', year: 2024 });
    await seed('C', { genre: 'Amapiano', year: 2024, week: 2 });
    await seed('D', { genre: null, year: 2025 });
    await seed('E', { genre: 'Zouk', year: 2019, publish_at: null });
    await seed('F', { genre: 'Techno', year: 2018, is_subscriber_only: 1 });
    await seed('G', { year: 2026, week: 3, genre: null });
    const open = { years: [2026, 2025, 2024], weeks: [46, 3], genres: ['Amapiano', 'Kwaito'] };
    expect(await facets(test.createClient())).toEqual(open);
    const { client } = await createSubscriber(test);
    expect(await facets(client)).toEqual({
      years: [2026, 2025, 2024, 2018],
      weeks: [46, 3],
      genres: ['Amapiano', 'Kwaito', 'Techno'],
    });
  });
});

describeOnSqlite('the neighbours of a track', () => {
  const neighbours = async (client: TestClient, id: string) => {
    const response = await client.request({ method: 'GET', url: `/api/tracks/${id}/neighbours` });
    const { previous, next } = response.json<{ previous: Track | null; next: Track | null }>();
    return [previous?.title, next?.title];
  };

  it('are the tracks before and after it, also at the turn of the year', async () => {
    const visitor = test.createClient();
    const last = await seed('Last of 2025', { year: 2025, week: 52 });
    const first = await seed('First of 2026', { week: 1 });
    await seed('Draft', { week: 2, publish_at: null });
    await seed('Premium', { week: 3, is_subscriber_only: 1 });
    const newest = await seed('Newest', { week: 4 });
    expect(await neighbours(visitor, last.id)).toEqual([undefined, 'First of 2026']);
    expect(await neighbours(visitor, first.id)).toEqual(['Last of 2025', 'Newest']);
    expect(await neighbours(visitor, newest.id)).toEqual(['First of 2026', undefined]);
    const { client } = await createSubscriber(test);
    expect(await neighbours(client, first.id)).toEqual(['Last of 2025', 'Premium']);
  });

  it('are not found for an unknown track', async () => {
    const draft = await seed('Draft', { publish_at: null });
    const response = await test
      .createClient()
      .request({ method: 'GET', url: `/api/tracks/${draft.id}/neighbours` });
    expect(response.statusCode).toBe(404);
  });
});

describe('the cost of a list', () => {
  const BIG = ['tracks', 'renditions', 'favorites', 'progress', 'downloads', 'plays', 'users'];
  const paths = [
    '/api/tracks',
    '/api/tracks?year=2026',
    '/api/tracks?genre=Amapiano',
    '/api/tracks?genre=Amapiano&year=2026',
    '/api/tracks?state=listened',
    '/api/tracks?state=missed',
    '/api/tracks?state=downloaded',
    '/api/tracks/facets',
    '/api/favorites',
  ];

  it.each(paths)('%s scans no table', async (url) => {
    const { client } = await createUser(test);
    const track = await seed('One');
    await client.request({ method: 'POST', url: `/api/tracks/${track.id}/favorite` });
    const steps = await recordPlan(test.deps.database, async () => {
      expect((await client.request({ method: 'GET', url })).statusCode).toBe(200);
    });
    expect(steps.length).toBeGreaterThan(0);
    expect(findFullScans(steps, ...BIG)).toEqual([]);
  });

  it('a page and neighbours in the middle of the list start at an index', async () => {
    const { client } = await createUser(test);
    const tracks = [await seed('One'), await seed('Two'), await seed('Three')];
    const { nextCursor } = await list(client, '?limit=1');
    for (const url of [
      `/api/tracks?limit=1&cursor=${nextCursor}`,
      `/api/tracks/${tracks[1]?.id}/neighbours`,
    ]) {
      const steps = await recordPlan(test.deps.database, () =>
        client.request({ method: 'GET', url }),
      );
      expect(steps.filter(({ table }) => table === 'tracks')).not.toEqual([]);
      expect(steps.filter(({ access }) => access !== 'search')).toEqual([]);
    }
  });
});
