/** @module-tag both-databases */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { randomSeed } from '#tools/testing/random-runs.ts';
import type { PlaysTable } from '../../db/types/listening-tables.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { createRandom } from '../../testing/random.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { runSchedule } from '../../testing/test-payments.ts';
import { measureEntries, readHeard } from './service.ts';

/**
 * A quarter in New York, in which clocks go back on 1 November, checked against the plays themselves
 * by code that shares nothing with what adds them up.
 */
let test: TestApp;
beforeEach(async () => {
  test = await createTestApp({ config: { timeZone: 'America/New_York' } });
});
afterEach(() => test.close());

const HOUR = 3_600_000;
const FROM = Date.parse('2026-10-01T04:00:00Z');
const TO = Date.parse('2027-01-01T05:00:00Z');
const REPLACED_AT = Date.parse('2026-11-10T17:00:00Z');

type Entry = { at: number | null; title: string; artist: null };
const entry = (at: number | null): Entry => ({ at, title: `At ${at}`, artist: null });

/** What each entry of a tracklist must come to, in plays and seconds; null if that is unknown. */
type Expected = { kind: string; list: string; entries: ([number, number] | null)[]; heard: number };

const random = createRandom(randomSeed);

async function seedPlays(tracks: readonly TracksTable[]) {
  const plays = Array.from({ length: 1500 }, (_, n): PlaysTable => {
    const track = random.pick(tracks);
    const isClockChange = random.below(4) === 0;
    const startedAt = isClockChange
      ? Date.parse('2026-11-01T03:00:00Z') + random.below(30 * HOUR)
      : FROM - 50 * HOUR + random.below(TO - FROM + 100 * HOUR);
    const listened = random.pick([0, 499, 4_600, 60_000, random.below(900_000)]);
    const position = random.pick([0, 3_000, track.duration_ms, random.below(track.duration_ms)]);
    return {
      id: `p${n}`,
      track_id: track.id,
      user_id: null,
      listener_key: `visitor:${n % 50}`,
      is_subscriber: random.below(3) === 0 ? 0 : 1,
      started_at: startedAt,
      listened_at: startedAt + listened,
      listened_ms: listened,
      position_ms: position,
      is_counted: 0,
      counted_at: null,
      suspicion: null,
      source: random.pick([null, null, 'subsonic', 'staff'] as const),
    };
  });
  for (let from = 0; from < plays.length; from += 100)
    await test.deps.database.db
      .insertInto('plays')
      .values(plays.slice(from, from + 100))
      .execute();
}

/** Straight from the table: one play after another, and one second after another. */
async function recompute(lists: Record<string, { entries: Entry[]; seconds: number }>) {
  const { rows } = await sql<{
    list: string;
    kind: string;
    listened: number;
    place: number;
    preview: number;
  }>`select plays.track_id || case when plays.started_at < ${REPLACED_AT} and tracks.title = 'Replaced'
         then ' before' else '' end as list,
       case when is_subscriber = 0 then 'preview' when source = 'subsonic' then 'subsonic'
         else 'full' end as kind,
       listened_ms as listened,
       case when source = 'subsonic' and position_ms = 0 then -1 else position_ms end as place,
       case when is_subscriber = 0 then preview_start_ms else 0 end as preview
     from plays inner join tracks on tracks.id = plays.track_id
     where plays.started_at >= ${FROM} and plays.started_at < ${TO}
       and (source is null or source <> 'staff')
     order by plays.id`.execute(test.deps.database.db);
  const expected = new Map<string, Expected>();
  for (const { list, kind, listened, place, preview } of rows) {
    const seconds = Math.round(listened / 1000);
    if (seconds === 0) continue;
    const { entries, seconds: length } = lists[list] ?? { entries: [], seconds: 0 };
    const first = place < 0 ? Math.round(preview / 1000) : Math.round(place / 1000) - seconds;
    const end = Math.min(length, first + seconds);
    const begin = place < 0 ? first : Math.max(0, end - seconds);
    const sum = expected.get(`${list} ${kind}`) ?? {
      kind,
      list,
      heard: 0,
      entries: entries.map((): [number, number] => [0, 0]),
    };
    expected.set(`${list} ${kind}`, sum);
    sum.heard += seconds;
    for (const [index, { at }] of entries.entries()) {
      const stop = entries.slice(index + 1).find((next) => next.at !== null)?.at ?? length;
      const isShared = at === null || at >= length || entries[index + 1]?.at === null;
      const isLate = (entries[index + 1]?.at ?? 0) >= length;
      const figures = sum.entries[index];
      if (isShared || isLate || !figures) {
        sum.entries[index] = null;
        continue;
      }
      let heard = 0;
      for (let second = begin; second < end; second += 1)
        if (second >= at && second < stop) heard += 1;
      figures[1] += heard;
      if (heard >= 5 || (heard > 0 && heard === stop - at)) figures[0] += 1;
    }
  }
  return expected;
}

it('a quarter comes to what the plays say, with clocks that change and a mix that is replaced', async () => {
  const { database, storage, clock } = test.deps;
  const { db } = database;
  const seed = (title: string, seconds: number, entries: Entry[]) =>
    seedTrack(
      { db, storage, now: clock.now() },
      {
        title,
        duration_ms: seconds * 1000,
        preview_start_ms: 40_000,
        chapters: JSON.stringify(entries),
      },
    );
  const timed = [0, 61, 64, 200, 300].map(entry);
  const untimed = [entry(10), entry(null), entry(90), entry(150), entry(9999)];
  const before = [entry(0), entry(100)];
  const after = [entry(30), entry(250)];
  const tracks = [
    await seed('Timed', 400, timed),
    await seed('Untimed', 300, untimed),
    await seed('Replaced', 500, after),
  ];
  const [one, two, three] = tracks.map(({ id }) => id);
  await db
    .insertInto('past_tracklists')
    .values({
      track_id: three ?? '',
      until_at: REPLACED_AT,
      chapters: JSON.stringify(before),
      duration_ms: 180_000,
    })
    .execute();
  await seedPlays(tracks);
  const lists = {
    [`${one}`]: { entries: timed, seconds: 400 },
    [`${two}`]: { entries: untimed, seconds: 300 },
    [`${three}`]: { entries: after, seconds: 500 },
    [`${three} before`]: { entries: before, seconds: 180 },
  };

  test.clock.advance(TO + 4 * 24 * HOUR - clock.now());
  for (let run = 0; run < 4; run += 1) await runSchedule(test, 'add-up-usage');
  const expected = await recompute(lists);

  const found = new Map<string, Expected>();
  const quarter = { fromDay: '2026-10-01', toDay: '2026-12-31' };
  for await (const heard of readHeard(db, quarter)) {
    const { trackId, kind, until, spans, listenedMs, unplacedMs } = heard;
    const list = until === null ? trackId : `${trackId} before`;
    const { entries, seconds } = lists[list] ?? { entries: [], seconds: 0 };
    const sum = found.get(`${list} ${kind}`) ?? {
      kind,
      list,
      heard: 0,
      entries: entries.map((): [number, number] | null => [0, 0]),
    };
    found.set(`${list} ${kind}`, sum);
    sum.heard += listenedMs / 1000;
    for (const [index, figures] of measureEntries(entries, seconds, spans).entries()) {
      const total = sum.entries[index];
      sum.entries[index] =
        figures && total ? [total[0] + figures.plays, total[1] + figures.seconds] : null;
    }
    const placed = spans.reduce((total, [from, to]) => total + to - from, 0);
    expect(placed * 1000 + unplacedMs).toBe(listenedMs);
  }
  const sorted = (sums: Map<string, Expected>) =>
    [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
  expect(found.size).toBe(12);
  expect(sorted(found)).toEqual(sorted(expected));
});
