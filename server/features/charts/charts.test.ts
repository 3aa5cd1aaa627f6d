/** @module-tag both-databases */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Chart } from '#contract/charts.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { enqueueRun, toSchedule } from '../../jobs/schedules.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createSubscriber } from '../../testing/test-user.ts';
import { updateCharts } from './jobs.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';

/** The tests start on the Sunday of week 46. */
const SUNDAY = '2026-11-15';

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

const addTrack = (id: string, change: Partial<TracksTable> = {}) => {
  const { database, storage, clock } = test.deps;
  const published = { publish_at: clock.now() - 90 * DAY };
  return seedTrack({ db: database.db, storage, now: clock.now() }, { id, ...published, ...change });
};

const addDay = (day: string, track_id: string, subscribers: number, free = 0) =>
  test.deps.database.db
    .insertInto('play_days')
    .values({
      day,
      track_id,
      plays: subscribers + free,
      subscriber_listeners: subscribers,
      free_listeners: free,
    })
    .execute();

/** As a worker does when it starts; from then on the job plans itself. */
async function drawChartsNow(): Promise<void> {
  const schedule = toSchedule(updateCharts);
  const now = test.clock.now();
  if (schedule) await enqueueRun(test.deps.database.db, schedule, { now, runAt: now });
  expect(await test.worker.runDue()).toBe(1);
}

const ask = (query = '') =>
  test.createClient().request({ method: 'GET', url: `/api/top-20${query}` });
const readChart = async (query = ''): Promise<Chart> => {
  const response = await ask(query);
  expect(response.statusCode).toBe(200);
  return response.json<Chart>();
};
const places = (chart: Chart) => chart.items.map(({ rank, track }) => `${rank} ${track.id}`);

describeOnSqlite('the live chart', () => {
  it('ranks the last seven days by listener days, and explains the points', async () => {
    await addTrack('a');
    await addTrack('b');
    await addDay('2026-11-09', 'a', 2, 3);
    await addDay(SUNDAY, 'a', 1);
    await addDay(SUNDAY, 'b', 3, 4);
    // As many points, from older weeks.
    for (const [id, week] of [
      ['0', 45],
      ['c', 44],
    ] as const) {
      await addTrack(id, { week });
      await addDay(SUNDAY, id, 4);
    }
    // One day too old to count.
    await addDay('2026-11-08', 'a', 50);
    await drawChartsNow();
    const chart = await readChart();
    expect(chart).toMatchObject({ week: null, from: '2026-11-09', to: SUNDAY });
    expect(chart.asOf).toBe(test.clock.now());
    expect(chart.items).toMatchObject([
      { rank: 1, points: 4, subscriberDays: 3, freeDays: 4, track: { id: 'b', access: 'preview' } },
      { rank: 2, points: 4, track: { id: '0' } },
      { rank: 3, points: 4, track: { id: 'c' } },
      { rank: 4, points: 3.75, subscriberDays: 3, freeDays: 3, track: { id: 'a' } },
    ]);
  });

  it('changes with what members and visitors play, each once a day', async () => {
    await addTrack('a');
    await drawChartsNow();
    expect(await readChart()).toMatchObject({ items: [] });
    const listen = async (client: TestClient) => {
      const started = await client.request({ method: 'POST', url: '/api/tracks/a/play' });
      test.clock.advance(20_000);
      await client.request({
        method: 'POST',
        url: `/api/plays/${started.json<{ playId: string }>().playId}/heartbeat`,
        payload: { secondsListened: 20, position: 20 },
      });
    };
    const { client: subscriber } = await createSubscriber(test);
    const visitor = test.createClient();
    // Both plays count, and the listener's day once.
    for (const client of [visitor, subscriber, visitor, subscriber]) {
      await listen(client);
      test.clock.advance(HOUR);
    }
    await test.worker.runDue();
    const first = { rank: 1, movement: null, points: 1.25, subscriberDays: 1, freeDays: 1 };
    expect((await readChart()).items).toMatchObject([{ ...first, track: { plays: 4 } }]);
    test.clock.advance(DAY);
    await listen(subscriber);
    test.clock.advance(HOUR);
    await test.worker.runDue();
    expect((await readChart()).items).toMatchObject([{ points: 2.25, subscriberDays: 2 }]);
  });

  it('ranks only public tracks', async () => {
    const now = test.clock.now();
    await addTrack('open');
    await addTrack('early', { publish_at: now + DAY });
    await addTrack('members', { is_subscriber_only: 1 });
    await addTrack('draft', { publish_at: null });
    for (const id of ['early', 'members', 'draft']) await addDay(SUNDAY, id, 9);
    await addDay(SUNDAY, 'open', 1);
    await drawChartsNow();
    expect(places(await readChart())).toEqual(['1 open']);
  });

  it('keeps the other ranks when a track is unpublished', async () => {
    await addTrack('a');
    await addTrack('b');
    await addDay(SUNDAY, 'a', 2);
    await addDay(SUNDAY, 'b', 1);
    await drawChartsNow();
    await test.deps.database.db
      .updateTable('tracks')
      .set({ publish_at: null })
      .where('id', '=', 'a')
      .execute();
    expect(places(await readChart())).toEqual(['2 b']);
  });

  it('finds twenty tracks however many hidden ones have more points', async () => {
    const { db } = test.deps.database;
    const template = await addTrack('last');
    await addDay(SUNDAY, 'last', 1);
    const hidden = Array.from({ length: 450 }, (_, at) => `hidden-${at}`);
    await db
      .insertInto('tracks')
      .values(hidden.map((id) => ({ ...template, id, is_subscriber_only: 1 as const })))
      .execute();
    const days = hidden.map((track_id) => ({ day: SUNDAY, track_id, plays: 5 }));
    await db
      .insertInto('play_days')
      .values(days.map((day) => ({ ...day, subscriber_listeners: 5, free_listeners: 0 })))
      .execute();
    await drawChartsNow();
    expect(places(await readChart())).toEqual(['1 last']);
  });
});

describe('an archived chart', () => {
  it("is archived on Monday 00:00 in the site's time zone, and never changes", async () => {
    await addTrack('a');
    await addTrack('b');
    await addDay(SUNDAY, 'a', 2);
    // 14:00 on Sunday in Johannesburg: the week is not over.
    await drawChartsNow();
    expect((await ask('?week=2026-W46')).statusCode).toBe(404);

    test.clock.advance(10 * HOUR + 60_000);
    await test.worker.runDue();
    const frozen = await readChart('?week=2026-W46');
    expect(new Date(frozen.asOf).toISOString()).toBe('2026-11-15T22:00:00.000Z');
    expect(frozen).toMatchObject({ week: '2026-W46', from: '2026-11-09', to: SUNDAY });
    expect(places(frozen)).toEqual(['1 a']);

    await addDay('2026-11-16', 'b', 9);
    test.clock.advance(60_000);
    await test.worker.runDue();
    expect(await readChart('?week=2026-W46')).toEqual(frozen);
    expect(places(await readChart())).toEqual(['1 b', '2 a']);
  });

  it('that a fast clock archived is drawn again once its week is over', async () => {
    await addTrack('a');
    await addTrack('b');
    await addDay(SUNDAY, 'a', 2);
    await addDay('2026-11-16', 'a', 1);
    await drawChartsNow();
    test.clock.advance(20 * DAY);
    await test.worker.runDue();
    expect(places(await readChart('?week=2026-W47'))).toEqual(['1 a']);

    test.clock.advance(-20 * DAY);
    await test.worker.runDue();
    test.clock.advance(60_000);
    await test.worker.runDue();
    for (const week of ['2026-W46', '2026-W47', '2026-W48'])
      expect((await ask(`?week=${week}`)).statusCode).toBe(404);
    await addDay('2026-11-18', 'b', 9);
    test.clock.advance(8 * DAY);
    await test.worker.runDue();
    expect(places(await readChart('?week=2026-W46'))).toEqual(['1 a']);
    expect(places(await readChart('?week=2026-W47'))).toEqual(['1 b', '2 a']);
    expect((await ask('?week=2026-W48')).statusCode).toBe(404);
  });

  it('is the same after the clock jumped an hour back and forth', async () => {
    await addTrack('a');
    await addDay(SUNDAY, 'a', 2);
    await drawChartsNow();
    test.clock.advance(10 * HOUR + 60_000);
    await test.worker.runDue();
    const frozen = await readChart('?week=2026-W46');
    for (const jump of [-HOUR, HOUR, -HOUR, HOUR]) {
      test.clock.advance(jump);
      await test.worker.runDue();
    }
    test.clock.advance(60_000);
    await test.worker.runDue();
    expect(await readChart('?week=2026-W46')).toEqual(frozen);
  });

  itOnSqlite('is added after a downtime, week by week, with movement, peak and weeks', async () => {
    await addTrack('a');
    await addTrack('b');
    await addDay('2026-10-20', 'a', 5);
    await addDay('2026-10-20', 'b', 1);
    // Nobody listened in week 44.
    await addDay('2026-11-03', 'b', 5);
    await addDay('2026-11-03', 'a', 1);
    await addDay(SUNDAY, 'a', 1);
    await drawChartsNow();

    expect(places(await readChart('?week=2026-W43'))).toEqual(['1 a', '2 b']);
    expect(await readChart('?week=2026-W44')).toMatchObject({
      items: [],
      previousWeek: '2026-W43',
      nextWeek: '2026-W45',
    });
    expect((await readChart('?week=2026-W45')).items).toMatchObject([
      { rank: 1, movement: null, peak: 1, weeksOnChart: 2, track: { id: 'b' } },
      { rank: 2, movement: null, peak: 1, weeksOnChart: 2, track: { id: 'a' } },
    ]);
    const live = await readChart();
    expect(live).toMatchObject({ previousWeek: '2026-W45', nextWeek: null });
    expect(live.items).toMatchObject([
      {
        rank: 1,
        movement: 1,
        previousRank: 2,
        peak: 1,
        weeksOnChart: 3,
        recent: [null, null, null, null, 1, null, 2, 1],
      },
    ]);
  });

  itOnSqlite.each(['?week=46', '?week=2026-46', '?week=live', "?week=2026-W4'", '?weeks=2026-W46'])(
    'rejects %s',
    async (query) => {
      expect((await ask(query)).statusCode).toBe(400);
    },
  );
});
