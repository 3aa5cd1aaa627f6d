/** @module-tag both-databases */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchPage, Suggestions } from '#contract/search.ts';
import { explainQueries } from '../../testing/explain-queries.ts';
import { addTrack, searchCatalogue } from '../../testing/search-catalogue.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { createUser, createSubscriber } from '../../testing/test-user.ts';
import { searchIndexFor } from './search-index.ts';
import { indexTrack, searchTracks, unindexTrack } from './service.ts';
import { suggest } from './suggest.ts';
import { HOUR } from '#contract/rules/time.ts';

let test: TestApp;
let visitor: TestClient;
beforeEach(async () => {
  test = await createTestApp();
  visitor = test.createClient();
});
afterEach(() => test.close());

async function search(q: string, client = visitor, more: Record<string, string> = {}) {
  const response = await client.request({ url: '/api/tracks/search', query: { q, ...more } });
  expect(response.statusCode).toBe(200);
  return response.json<SearchPage>();
}
const titles = async (q: string, client = visitor) =>
  (await search(q, client)).items.map(({ title }) => title);
async function suggestTo(client: TestClient, q: string) {
  const response = await client.request({ url: '/api/tracks/suggest', query: { q } });
  expect(response.statusCode).toBe(200);
  return response.json<Suggestions>();
}

describe('a track that the viewer may not see', () => {
  const secret = { title: 'Zanzibar Nightfall', genre: 'Singeli', week: 47 };
  const states = [
    ['a draft', { publish_at: null }],
    ['a mix in the making', { status: 'processing' }],
    ['a mix that failed', { status: 'failed', failure: 'No audio.' }],
    ['a release to come', { publish_at: Date.UTC(2026, 10, 15, 12) + 49 * HOUR }],
  ] as const;
  it.each(states)(
    'is not found by anyone, by title, week, genre or typo: %s',
    async (_name, state) => {
      await addTrack(test, { ...secret, ...state });
      const { client } = await createSubscriber(test);
      for (const q of ['zanzibar', 'zanz', 'zanzibr', 'week 47', '47', 'singeli', 'singli']) {
        expect(await search(q, client)).toMatchObject({
          items: [],
          correctedQuery: null,
          suggestedQuery: null,
          popularGenres: [],
        });
        expect(await suggestTo(client, q)).toMatchObject({
          tracks: [],
          weeks: [],
          genres: [],
          correctedQuery: null,
        });
      }
    },
  );

  it('is found by subscribers before its release and by everyone after it', async () => {
    await addTrack(test, { ...secret, publish_at: test.clock.now() + HOUR });
    const { client: subscriber } = await createSubscriber(test);
    const { client: member } = await createUser(test);
    for (const q of ['zanzibar', 'zanzibr', 'week 47', 'singeli']) {
      expect(await titles(q, subscriber)).toEqual([secret.title]);
      expect(await titles(q, member)).toEqual([]);
    }
    expect((await suggestTo(subscriber, 'singe')).genres).toEqual(['Singeli']);
    expect((await suggestTo(member, 'singe')).genres).toEqual([]);
    test.clock.advance(HOUR);
    expect(await titles('zanzibar', member)).toEqual([secret.title]);
  });

  it('is found only by subscribers when it is for subscribers', async () => {
    await addTrack(test, { ...secret, is_subscriber_only: 1 });
    const { client: subscriber } = await createSubscriber(test);
    const { client: member } = await createUser(test);
    expect(await titles('zanzibar', subscriber)).toEqual([secret.title]);
    expect(await titles('zanzibar', member)).toEqual([]);
    expect((await search('zanzibar', subscriber)).items[0]?.access).toBe('full');
  });
});

describe('the index', () => {
  it('updates when a track changes, without its old words', async () => {
    const { database } = test.deps;
    const track = await addTrack(test, { title: 'Harmattan', week: 3, genre: 'Gqom' });
    const changed = { ...track, title: 'Sirocco', week: 4, genre: 'Techno' };
    await database.db.transaction().execute(async (tx) => {
      const { id, title, week, genre } = changed;
      await tx.updateTable('tracks').set({ title, week, genre }).where('id', '=', id).execute();
      await indexTrack(tx, database.dialect, changed);
    });
    for (const q of ['harmattan', 'harmatan', 'w3', 'gqom']) expect(await titles(q)).toEqual([]);
    for (const q of ['sirocco', 'siroco', 'w4', 'techno'])
      expect(await titles(q)).toEqual(['Sirocco']);
    expect((await suggestTo(visitor, 'gqo')).genres).toEqual([]);
  });

  it('is rolled back with the track', async () => {
    const { database } = test.deps;
    const track = await addTrack(test, { title: 'Harmattan' });
    const refused = database.db.transaction().execute(async (tx) => {
      await indexTrack(tx, database.dialect, { ...track, title: 'Sirocco' });
      throw new Error('Something else failed.');
    });
    await expect(refused).rejects.toThrow('Something else failed.');
    expect(await titles('sirocco')).toEqual([]);
    expect(await titles('harmattan')).toEqual(['Harmattan']);
  });

  it('removes a deleted track with its words', async () => {
    const { database } = test.deps;
    const indexed = await addTrack(test, { title: 'Harmattan', week: 3 });
    const unindexed = await addTrack(test, { title: 'Sirocco', week: 3 });
    await database.db.transaction().execute(async (tx) => {
      await unindexTrack(tx, database.dialect, indexed.id);
      await tx.deleteFrom('tracks').where('id', 'in', [indexed.id, unindexed.id]).execute();
    });
    // Its slot in the week is free again, even if the index was not updated.
    await addTrack(test, { title: 'Zephyr', week: 3 });
    expect(await titles('w3')).toEqual(['Zephyr']);
    for (const q of ['harmattan', 'harmatan', 'sirocco']) expect(await titles(q)).toEqual([]);
    const words = await database.db.selectFrom('search_words').select('word').execute();
    expect(words.map(({ word }) => word)).not.toContain('harmattan');
  });

  it('counts each track once, however often it is indexed', async () => {
    const { database } = test.deps;
    const track = await addTrack(test, { title: 'Harmattan', genre: 'Gqom' });
    await indexTrack(database.db, database.dialect, { ...track, description: 'Dust.' });
    await indexTrack(database.db, database.dialect, track);
    const word = await database.db
      .selectFrom('search_words')
      .select('docs')
      .where('word', '=', 'harmattan')
      .executeTakeFirst();
    expect(word).toEqual({ docs: 1 });
    expect(await database.db.selectFrom('search_genres').selectAll().execute()).toEqual([
      { genre: 'Gqom', docs: 1 },
    ]);
  });

  it('is compacted after many writes, and finds the same', async () => {
    const { database } = test.deps;
    for (let i = 0; i < 12; i++) await addTrack(test, { title: `Savanna ${i}`, week: 1 + i });
    const before = await titles('savana');
    const index = searchIndexFor(database.dialect);
    await index.compact(database.db, AbortSignal.timeout(30_000));
    expect(before).toHaveLength(12);
    expect(await titles('savana')).toEqual(before);
    if (database.dialect === 'postgres') return;
    const parts = await sql<{ count: number }>`
      select count(distinct segid) as count from search_index_idx`.execute(database.db);
    expect(parts.rows).toEqual([{ count: 1 }]);
  });

  it('adds tracks that are not indexed yet', async () => {
    const { database, storage, clock } = test.deps;
    for (const [i, title] of ['Harmattan', 'Sirocco'].entries())
      await seedTrack({ db: database.db, storage, now: clock.now() }, { title, week: i + 1 });
    expect(await titles('harmattan')).toEqual([]);
    await database.db
      .insertInto('jobs')
      .values({
        id: 'reindex',
        name: 'reindex-search',
        payload: '{}',
        unique_key: null,
        state: 'ready',
        run_at: clock.now(),
        attempts: 0,
        max_attempts: 1,
        lane: 'housekeeping',
        interruptions: 0,
        lease_token: null,
        lease_until: null,
        last_error: null,
        created_at: clock.now(),
        updated_at: clock.now(),
      })
      .execute();
    await test.worker.runDue();
    expect(await titles('harmattan')).toEqual(['Harmattan']);
    expect(await titles('siroco')).toEqual(['Sirocco']);
  });
});

describe('the pages of a search', () => {
  async function readAll(q: string, limit: number) {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const more: Record<string, string> = cursor ? { cursor } : {};
      const page: SearchPage = await search(q, visitor, { limit: String(limit), ...more });
      expect(page.items.length).toBeLessThanOrEqual(limit);
      found.push(...page.items.map(({ title }) => title));
      cursor = page.nextCursor;
    } while (cursor);
    return found;
  }

  it('have 20 results and no gaps, across all kinds of match', async () => {
    for (let i = 0; i < 45; i++)
      await addTrack(test, {
        title: i % 3 === 0 ? `Savanna ${i}` : `Number ${i}`,
        week: 1 + i,
        genre: i % 3 === 1 ? 'Savanna' : null,
        description: 'On the savanna.',
      });
    const first = await search('savanna');
    expect(first.items).toHaveLength(20);
    const all = await readAll('savanna', 20);
    expect(new Set(all).size).toBe(45);
    expect(all).toHaveLength(45);
    expect(all.slice(0, 15).every((title) => title.startsWith('Savanna'))).toBe(true);
    expect(await readAll('savanna', 7)).toEqual(all);
    expect(await readAll('savana', 20)).toEqual(all);
  });
});

describe('a search without results', () => {
  const misses = () =>
    test.deps.database.db
      .selectFrom('search_misses')
      .selectAll()
      .orderBy('day')
      .orderBy('query')
      .execute();

  it('suggests popular genres', async () => {
    for (const genre of ['Gqom', 'Techno', 'Gqom']) await addTrack(test, { title: 'A', genre });
    expect((await search('qqqqqq')).popularGenres).toEqual(['Gqom', 'Techno']);
    expect((await search('gqom')).popularGenres).toEqual([]);
  });

  it('is counted per day, anonymously, and not for every letter', async () => {
    await addTrack(test, { title: 'Golden Hour' });
    const { client } = await createUser(test);
    await suggestTo(client, 'sun ra');
    await search('Sun  Ra!', client);
    await search('sun ra', client);
    await search('golden', client);
    await search('goldn', client);
    await search('🎧', client);
    await search(`${'z'.repeat(30)} ${'y'.repeat(90)}`, client);
    await search('sun ra', visitor);
    test.clock.advance(24 * HOUR);
    await search('sun ra', client);
    const rows = await misses();
    expect(rows.filter(({ query }) => query === 'sun ra')).toEqual([
      { day: '2026-11-15', query: 'sun ra', searches: 2 },
      { day: '2026-11-16', query: 'sun ra', searches: 1 },
    ]);
    expect(rows).toHaveLength(3);
    expect(Math.max(...rows.map(({ query }) => query.length))).toBeLessThanOrEqual(60);
  });

  it('is no longer stored once a day has two thousand others', async () => {
    const { client } = await createUser(test);
    await test.deps.database.db
      .insertInto('search_misses')
      .values(
        Array.from({ length: 2000 }, (_, i) => ({
          day: '2026-11-15',
          query: `q${i}`,
          searches: 1,
        })),
      )
      .execute();
    await search('sun ra', client);
    await search('q7', client);
    const rows = await misses();
    expect(rows).toHaveLength(2000);
    expect(rows.find(({ query }) => query === 'q7')?.searches).toBe(2);
  });
});

it('scans no table, for any kind of query', async () => {
  for (const entry of searchCatalogue) await addTrack(test, entry);
  const database = test.deps.database as TestDatabase;
  const plans = await explainQueries(database, async (db) => {
    const deps = { ...test.deps, database: { ...database, db } };
    for (const q of [
      'golden hour',
      'g',
      'amapn',
      'week 12',
      'depe huose',
      'goldenhour',
      'qqqqqq',
    ]) {
      await searchTracks(deps, null, { q });
      await suggest(deps, null, { q });
    }
  });
  expect(plans.length).toBeGreaterThan(10);
  expect(plans.filter(({ fullScans }) => fullScans.length > 0)).toEqual([]);
});
