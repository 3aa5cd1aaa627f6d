/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GRACE_MS, EARLY_ACCESS_MS } from '#contract/rules/access.ts';
import type { Track } from '#contract/tracks.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { savePeaks } from '../ingest/queries.ts';
import { readTrack, seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, createSubscriber, MONTH, payUntil } from '../../testing/test-user.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const seed = (change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

type Page = { items: Track[]; nextCursor: string | null };

async function list(query = '', client: TestClient = test.createClient()): Promise<Page> {
  const response = await client.request({ url: `/api/tracks${query}` });
  expect(response.statusCode).toBe(200);
  return response.json<Page>();
}

const titles = ({ items }: Page) => items.map((track) => track.title);

describe('the list of tracks', () => {
  itOnSqlite('has the newest week first, and the newest release first within a week', async () => {
    const now = test.clock.now();
    await seed({ title: 'older week', year: 2026, week: 45 });
    await seed({ title: 'last year', year: 2025, week: 52 });
    await seed({ title: 'first this week', week: 46, publish_at: now - 5000 });
    await seed({ title: 'second this week', week: 46, publish_at: now - 1000 });
    expect(titles(await list())).toEqual([
      'second this week',
      'first this week',
      'older week',
      'last year',
    ]);
  });

  itOnSqlite('leaves out unpublished, unprocessed and failed tracks', async () => {
    const out = await seed({ title: 'out' });
    const hidden = [
      await seed({ title: 'draft', publish_at: null }),
      await seed({ title: 'later', publish_at: test.clock.now() + 1 }),
      await seed({ title: 'processing', status: 'processing' }),
      await seed({ title: 'failed', status: 'failed' }),
    ];
    expect(titles(await list())).toEqual(['out']);
    const load = ({ id }: TracksTable) => test.app.inject({ url: `/api/tracks/${id}` });
    expect((await load(out)).json()).toMatchObject({ title: 'out' });
    for (const track of hidden)
      expect([track.title, (await load(track)).statusCode]).toEqual([track.title, 404]);
  });

  it('is filtered by year, week and genre', async () => {
    await seed({ title: 'a', year: 2026, week: 46, genre: 'Amapiano' });
    await seed({ title: 'b', year: 2026, week: 45, genre: 'Deep House' });
    await seed({ title: 'c', year: 2025, week: 46, genre: 'Amapiano' });
    expect(titles(await list('?year=2026'))).toEqual(['a', 'b']);
    expect(titles(await list('?week=46'))).toEqual(['a', 'c']);
    expect(titles(await list('?genre=Deep%20House'))).toEqual(['b']);
    expect(titles(await list('?year=2025&week=46&genre=Amapiano'))).toEqual(['c']);
    expect(titles(await list("?genre=' or 1=1 --"))).toEqual([]);
  });

  itOnSqlite.each(['?year=1', '?week=54', '?week=x', '?limit=0', '?limit=101', '?page=2'])(
    'refuses %s',
    async (query) => {
      const response = await test.app.inject({ url: `/api/tracks${query}` });
      expect(response.statusCode).toBe(400);
    },
  );
});

describeOnSqlite('a list in pages', () => {
  const readAll = async (query: string, between = async () => {}) => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; await between()) {
      const page: Page = await list(`${query}${cursor && `&cursor=${cursor}`}`);
      seen.push(...titles(page));
      cursor = page.nextCursor;
    }
    return seen;
  };

  it('shows every track exactly once, also with equal release times', async () => {
    const expected: string[] = [];
    for (let index = 0; index < 7; index += 1)
      expected.unshift((await seed({ title: `mix ${index}`, week: 40 + (index >> 1) })).title);
    const pages = await readAll('?limit=2');
    expect(pages.toSorted()).toEqual(expected.toSorted());
    expect(pages).toEqual(titles(await list('?limit=100')));
    expect(await readAll('?limit=7')).toHaveLength(7);
  });

  it('continues at the same track when new ones appear', async () => {
    for (const week of [40, 41, 42, 43]) await seed({ title: `week ${week}`, week });
    const seen = await readAll('?limit=1', async () => {
      await seed({ title: 'just released', week: 46 });
    });
    expect(seen).toEqual(['week 43', 'week 42', 'week 41', 'week 40']);
  });

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each([
    'x',
    '%00',
    encode(null),
    encode({}),
    encode([2026, 46, 1]),
    encode([2026, 46, 1, 'a', 'b']),
    encode(['2026', 46, 1, 'a']),
    encode([2026, 46, 1.5, 'a']),
    encode([2026, 46, 1, 'a'.repeat(65)]),
    encode([2026, 46, 1, { $gt: '' }]),
  ])('rejects the cursor %s', async (cursor) => {
    const response = await test.app.inject({ url: `/api/tracks?cursor=${cursor}` });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      code: 'validation_failed',
      fields: { cursor: expect.stringMatching(/./) },
    });
  });

  it('shows nothing extra for a forged cursor', async () => {
    await seed({ title: 'early', publish_at: test.clock.now() + 1000 });
    await seed({ title: 'out', week: 45 });
    const cursor = encode([9999, 53, Number.MAX_SAFE_INTEGER, 'z']);
    expect(titles(await list(`?cursor=${cursor}`))).toEqual(['out']);
  });
});

describeOnSqlite('early access', () => {
  itOnSqlite('gives only subscribers a track two days early', async () => {
    const release = test.clock.now() + EARLY_ACCESS_MS + 60_000;
    const track = await seed({ title: 'next week', publish_at: release });
    const { client: member } = await createUser(test);
    const { client: subscriber } = await createSubscriber(test);
    const clients = { visitor: test.createClient(), member, subscriber };
    const whoSees = async () => {
      const seen: string[] = [];
      for (const [name, client] of Object.entries(clients)) {
        const isListed = (await list('', client)).items.length === 1;
        for (const path of [`/api/tracks/${track.id}`, `/api/tracks/${track.id}/peaks`]) {
          const { statusCode } = await client.request({ url: path });
          expect(statusCode).toBe(isListed ? 200 : 404);
        }
        const preview = await client.request({ url: `/media/tracks/${track.id}/preview` });
        expect(preview.statusCode).toBe(isListed ? 200 : 404);
        if (isListed) seen.push(name);
      }
      return seen;
    };
    expect(await whoSees()).toEqual([]);
    test.clock.advance(60_000);
    expect(await whoSees()).toEqual(['subscriber']);
    test.clock.advance(EARLY_ACCESS_MS - 1);
    expect(await whoSees()).toEqual(['subscriber']);
    test.clock.advance(1);
    expect(await whoSees()).toEqual(['visitor', 'member', 'subscriber']);
  });
});

describe('a subscribers-only track', () => {
  itOnSqlite(
    'is hidden from the lists of others, and its page says that it is for subscribers',
    async () => {
      const track = await seed({ is_subscriber_only: 1 });
      const { client: member } = await createUser(test);
      const { client: subscriber } = await createSubscriber(test);
      for (const client of [test.createClient(), member]) {
        expect((await list('', client)).items).toEqual([]);
        for (const path of [
          `/api/tracks/${track.id}`,
          `/api/tracks/${track.id}/peaks`,
          `/media/tracks/${track.id}/preview`,
          `/media/tracks/${track.id}/stream`,
        ]) {
          const response = await client.request({ url: path });
          expect(response.statusCode).toBe(403);
          expect(response.json()).toMatchObject({ code: 'subscribers_only' });
        }
      }
      expect((await list('', subscriber)).items).toMatchObject([{ isSubscriberOnly: true }]);
      expect((await subscriber.request({ url: `/api/tracks/${track.id}` })).statusCode).toBe(200);
    },
  );

  it('is one that an administrator marked', async () => {
    const { id } = await seed();
    const { client: admin } = await createAdmin(test);
    const mark = async (isSubscriberOnly: boolean) => {
      const version = (await readTrack(test.deps.database.db, id)).version;
      const payload = { version, isSubscriberOnly };
      const url = `/api/admin/tracks/${id}`;
      expect((await admin.request({ method: 'PATCH', url, payload })).statusCode).toBe(200);
      return (await test.createClient().request({ url: `/api/tracks/${id}` })).statusCode;
    };
    expect(await mark(true)).toBe(403);
    expect(await mark(false)).toBe(200);
  });
});

describeOnSqlite('the audio of a track', () => {
  it('is the preview without a subscription and the full track with one', async () => {
    const track = await seed({ cover_key: 'covers/abc.webp' });
    const { client: member } = await createUser(test);
    const { client: subscriber, user } = await createSubscriber(test);
    const common = {
      id: track.id,
      title: 'Golden Hour Pressure',
      year: 2026,
      weekNumber: 46,
      description: 'Log drums at walking pace.',
      genre: 'Amapiano',
      bpm: 113,
      duration: 95,
      coverUrl: '/media/covers/abc.webp',
      previewStart: 30,
      isSubscriberOnly: false,
      publishedAt: track.publish_at,
      plays: 0,
      isFavorite: false,
      progress: null,
    };
    const preview = {
      ...common,
      access: 'preview',
      fileUrl: expect.stringMatching(new RegExp(`^/media/tracks/${track.id}/preview\\?v=`)),
      dataSaverUrl: null,
    };
    const full = {
      ...common,
      access: 'full',
      fileUrl: expect.stringMatching(new RegExp(`^/media/tracks/${track.id}/stream\\?v=`)),
      dataSaverUrl: expect.stringMatching(new RegExp(`^/media/tracks/${track.id}/dataSaver\\?v=`)),
      sizes: { stream: 4096, dataSaver: 4096 },
    };
    const more = {
      chapters: [{ at: 0, title: 'Substation Intro', artist: 'Relay Room' }],
      formats: ['mp3', 'flac'],
      sizes: { stream: 4096, dataSaver: 4096, mp3: 4096, flac: 4096 },
    };
    const check = async (client: TestClient, expected: object) => {
      expect((await list('', client)).items).toEqual([expected]);
      const detail = await client.request({ url: `/api/tracks/${track.id}` });
      expect(detail.json()).toEqual({ ...expected, ...more });
    };
    await check(test.createClient(), preview);
    await check(member, preview);
    await check(subscriber, full);

    await payUntil(test, user, test.clock.now() - GRACE_MS + 1);
    await check(subscriber, full);
    test.clock.advance(1);
    await check(subscriber, preview);
    await payUntil(test, user, test.clock.now() + MONTH);
    await check(subscriber, full);
  });

  it('is complete for administrators', async () => {
    await seed();
    const { client, user } = await createUser(test);
    const { db } = test.deps.database;
    await db.updateTable('users').set({ is_admin: 1 }).where('id', '=', user.id).execute();
    expect((await list('', client)).items).toMatchObject([{ access: 'full' }]);
  });

  it('has peaks from 0 to 1, with two decimals', async () => {
    const track = await seed();
    await savePeaks(test.deps.database.db, track.id, [0, 0.2, 1 / 3, 1]);
    const response = await test.app.inject({ url: `/api/tracks/${track.id}/peaks` });
    expect(response.json()).toEqual({ peaks: [0, 0.2, 0.33, 1] });
  });

  it.each(['nothing', '..', 'a'.repeat(64)])('is nothing for the id %s', async (id) => {
    const response = await test.app.inject({ url: `/api/tracks/${id}/peaks` });
    expect(response.statusCode).toBe(404);
  });
});
