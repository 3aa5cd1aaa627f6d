import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseCases } from '#tools/testing/random-runs.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { EarlyRelease, Track } from '#contract/tracks.ts';
import { changeSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createUser, createSubscriber } from '../../testing/test-user.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const seed = (change: Partial<TracksTable>) => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() }, change);
};

const read = async <Body>(client: TestClient, url: string): Promise<Body> => {
  const response = await client.request({ url });
  expect(response.statusCode).toBe(200);
  return response.json<Body>();
};

const readEarly = async (client = test.createClient()) =>
  (await read<{ release: EarlyRelease | null }>(client, '/api/tracks/early')).release;

const listIds = async (client: TestClient) =>
  (await read<{ items: Track[] }>(client, '/api/tracks?limit=100')).items.map(({ id }) => id);

describe('a track in early access', () => {
  it('tells subscribers when it becomes public', async () => {
    const publish_at = test.clock.now() + 30 * HOUR;
    const { id } = await seed({ publish_at });
    const { client } = await createSubscriber(test);
    const { items } = await read<{ items: Track[] }>(client, '/api/tracks');
    expect(items).toMatchObject([{ id, publishedAt: publish_at, access: 'full' }]);
    expect(await read<Track>(client, `/api/tracks/${id}`)).toMatchObject({
      publishedAt: publish_at,
    });
  });

  it('tells everyone else its name, week and hour, and nothing more', async () => {
    const publish_at = test.clock.now() + 30 * HOUR;
    const track = await seed({ publish_at, title: 'Secret Garden', year: 2026, week: 47 });
    const { client: member } = await createUser(test);
    for (const client of [test.createClient(), member]) {
      const response = await client.request({ url: '/api/tracks/early' });
      expect(response.json()).toEqual({
        now: test.clock.now(),
        release: { title: 'Secret Garden', year: 2026, weekNumber: 47, publishedAt: publish_at },
        upcoming: [{ year: 2026, weekNumber: 47, at: publish_at, earlyAt: publish_at - 48 * HOUR }],
      });
      expect(response.body).not.toContain(track.id);
      const teaser = await client.request({ url: `/api/tracks/${track.id}/teaser` });
      expect(teaser.statusCode).toBe(404);
    }
  });

  it('is announced by its week and hours alone before that, unless the site doesn’t want to', async () => {
    const now = test.clock.now();
    const { db } = test.deps.database;
    const early = await seed({ publish_at: now + HOUR, title: 'Heard early', week: 47 });
    const planned = await seed({
      publish_at: now + 60 * HOUR,
      title: 'Secret Garden',
      cover_key: 'covers/secret.webp',
      week: 48,
    });
    await seed({ publish_at: now + 50 * HOUR, is_subscriber_only: 1, week: 49 });
    await seed({ publish_at: now + 55 * HOUR, status: 'processing', week: 50 });
    const { client: free } = await createUser(test);
    const { client: subscriber } = await createSubscriber(test);
    const bodies = new Set<string>();
    for (const client of [test.createClient(), free, subscriber]) {
      const { body } = await client.request({ url: '/api/tracks/early' });
      bodies.add(body);
      for (const secret of [early.id, planned.id, 'Secret', 'secret'])
        expect(body).not.toContain(secret);
    }
    // Everyone gets the same answer.
    expect([...bodies].map((body) => JSON.parse(body).upcoming)).toEqual([
      [
        { year: 2026, weekNumber: 47, at: now + HOUR, earlyAt: now - 47 * HOUR },
        { year: 2026, weekNumber: 48, at: now + 60 * HOUR, earlyAt: now + 12 * HOUR },
      ],
    ]);
    await changeSettings(db, { earlyAccessHours: 0 }, now);
    const readUpcoming = async () =>
      (await read<{ upcoming: unknown[] }>(free, '/api/tracks/early')).upcoming;
    expect(await readUpcoming()).toMatchObject([{ weekNumber: 47, earlyAt: null }]);
    await changeSettings(db, { isNextAnnounced: false }, now);
    expect(await readUpcoming()).toEqual([]);
  });

  it('is visible to subscribers and announced to others at exactly the same times', async () => {
    const { client: subscriber } = await createSubscriber(test);
    const visitor = test.createClient();
    const { db } = test.deps.database;
    const release = fc.record({
      hours: fc.integer({ min: -3, max: 80 }),
      isSubscriberOnly: fc.boolean(),
      isReady: fc.boolean(),
    });
    const setting = fc.constantFrom(0, 1, 24, 48, 72);
    await fc.assert(
      fc.asyncProperty(fc.array(release, { maxLength: 4 }), setting, async (releases, early) => {
        const now = test.clock.now();
        await changeSettings(db, { earlyAccessHours: early }, now);
        const rows: TracksTable[] = [];
        for (const { hours, isSubscriberOnly, isReady } of releases)
          rows.push(
            await seed({
              publish_at: now + hours * HOUR,
              is_subscriber_only: isSubscriberOnly ? 1 : 0,
              status: isReady ? 'ready' : 'processing',
            }),
          );
        const out = (until: number) =>
          rows.filter(({ status, publish_at }) => status === 'ready' && (publish_at ?? 0) <= until);
        const ids = (list: TracksTable[]) => list.map(({ id }) => id).toSorted();
        const isForAll = ({ is_subscriber_only }: TracksTable) => is_subscriber_only === 0;
        const isEarly = ({ publish_at }: TracksTable) => (publish_at ?? 0) > now;
        const latest = now + early * HOUR;

        expect((await listIds(subscriber)).toSorted()).toEqual(ids(out(latest)));
        expect((await listIds(visitor)).toSorted()).toEqual(ids(out(now).filter(isForAll)));
        const hours = out(latest)
          .filter(isForAll)
          .filter(isEarly)
          .map((row) => row.publish_at ?? 0);
        expect((await readEarly())?.publishedAt).toBe(
          hours.length > 0 ? Math.min(...hours) : undefined,
        );
        await db.deleteFrom('tracks').execute();
      }),
      { numRuns: chooseCases(12, 200) },
    );
  });
});

describe('the teaser of a track', () => {
  it('gives the week of a subscribers-only track to everyone once it is out', async () => {
    const released = await seed({ is_subscriber_only: 1, year: 2026, week: 44 });
    const early = await seed({ is_subscriber_only: 1, publish_at: test.clock.now() + HOUR });
    const { client: member } = await createUser(test);
    for (const client of [test.createClient(), member]) {
      const teaser = await read<object>(client, `/api/tracks/${released.id}/teaser`);
      expect(teaser).toEqual({ year: 2026, weekNumber: 44 });
      const hidden = await client.request({ url: `/api/tracks/${early.id}/teaser` });
      expect(hidden.statusCode).toBe(404);
    }
  });
});
