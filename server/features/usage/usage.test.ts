/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HeardDaysTable } from '../../db/types/usage-tables.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { measureEntries, readHeard, type Heard } from './service.ts';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

async function readAll(days: Parameters<typeof readHeard>[1]): Promise<Heard[]> {
  const all: Heard[] = [];
  for await (const heard of readHeard(test.deps.database.db, days)) all.push(heard);
  return all;
}

it('reads what was heard day by day, with the tracklist that was heard', async () => {
  const { database, storage, clock } = test.deps;
  const { db } = database;
  const track = await seedTrack({ db, storage, now: clock.now() });
  const row = (day: string, change: Partial<HeardDaysTable> = {}): HeardDaysTable => ({
    day,
    track_id: track.id,
    kind: 'full',
    until_at: 0,
    spans: '[[0,60]]',
    plays: 1,
    listened_ms: 60_000,
    unplaced_ms: 0,
    ...change,
  });
  await db
    .insertInto('usage_days')
    .values(
      [1, 2, 3, 4].map((n) => ({ day: `2026-11-0${n}`, from_at: n, to_at: n + 1, added_at: 9 })),
    )
    .execute();
  await db
    .insertInto('past_tracklists')
    .values({ track_id: track.id, until_at: 3, chapters: '[]', duration_ms: 60_000 })
    .execute();
  await db
    .insertInto('heard_days')
    .values([
      row('2026-11-04'),
      row('2026-11-03'),
      row('2026-11-03', { until_at: 3 }),
      row('2026-11-02', { kind: 'preview' }),
      row('2026-11-01'),
    ])
    .execute();
  const days = { fromDay: '2026-11-02', toDay: '2026-11-03' };
  const heard = await readAll(days);
  expect(heard.map(({ day, kind, until }) => [day, kind, until])).toEqual([
    ['2026-11-02', 'preview', 3],
    ['2026-11-03', 'full', null],
    ['2026-11-03', 'full', 3],
  ]);
  expect(heard.map(({ spans }) => measureEntries([{ at: 20 }], 60, spans))).toEqual(
    heard.map(() => [{ plays: 1, seconds: 40 }]),
  );
  expect(await readAll({ ...days, trackId: track.id })).toEqual(heard);
  expect(await readAll({ ...days, trackId: 'another' })).toEqual([]);
});
