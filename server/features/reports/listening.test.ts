import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Report, type ReportName } from '#contract/reports.ts';
import { dayOf, hourOf } from '#contract/rules/days.ts';
import { addDays, listDays, mondayOf, weekdayOf } from '#contract/rules/report-days.ts';
import { formatWeekKey, weekOf } from '#contract/rules/weeks.ts';
import type { PlaysTable, TracksTable } from '../../db/tables.ts';
import { createRandom, type Random } from '../../testing/random.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { createMember, payUntil } from '../../testing/test-member.ts';
import { seedTrack } from '../../testing/seed-track.ts';

const DAY = 24 * 60 * 60 * 1000;
const HOUR = DAY / 24;
const SEED = 2026_11_15;

let test: TestApp;
let admin: TestClient;
let tracks: TracksTable[];
let plays: PlaysTable[];
const random: Random = createRandom(SEED);

const timeZone = () => test.deps.config.timeZone;
const db = () => test.deps.database.db;

async function play(client: TestClient, track: TracksTable): Promise<void> {
  const started = await client.request({
    method: 'POST',
    url: `/api/tracks/${track.id}/play`,
    headers: { 'content-type': 'application/json' },
    payload: {},
  });
  const { playId } = started.json<{ playId: string }>();
  let position = 0;
  for (let beat = 1; beat <= random.below(4); beat += 1) {
    const seconds = 4 + random.below(40);
    test.clock.advance(seconds * 1000);
    position = Math.min(95, position + seconds);
    const payload = { secondsHeard: position, position };
    await client.request({ method: 'POST', url: `/api/plays/${playId}/heartbeat`, payload });
  }
}

/** Members with and without Premium, visitors and an administrator, over more than two months. */
async function listenForMonths() {
  const clients: TestClient[] = [admin];
  for (const name of ['ayanda', 'bongani', 'chloe', 'dumi']) {
    const { client, user } = await createMember(test, name);
    if (clients.length % 2 === 0) await payUntil(test, user, test.clock.now() + 400 * DAY);
    clients.push(client);
  }
  clients.push(test.createClient(), test.createClient());
  const start = test.clock.now() - (test.clock.now() % HOUR);
  for (let day = 0; day < 70; day += 1)
    for (let turn = random.below(3); turn > 0; turn -= 1) {
      const at = start + day * DAY + random.below(24) * HOUR + random.below(50) * 60_000;
      test.clock.advance(Math.max(0, at - test.clock.now()));
      await play(random.pick(clients), random.pick(tracks));
    }
}

beforeAll(async () => {
  test = await createTestApp();
  ({ client: admin } = await createAdmin(test));
  const { storage, clock } = test.deps;
  const seed = (change: Partial<TracksTable>) =>
    seedTrack({ db: db(), storage, now: clock.now() }, change);
  tracks = [
    await seed({ week: 44 }),
    await seed({ week: 45 }),
    await seed({ week: 45, year: 2025 }),
  ];
  await listenForMonths();
  plays = await db().selectFrom('plays').selectAll().where('is_counted', '=', 1).execute();
  for (const { id, heard_at: at } of plays) days.set(id, dayOf(at, timeZone()));
});
afterAll(() => test.close());

async function read(name: ReportName, query: Record<string, string> = {}): Promise<Report> {
  const response = await admin.request({ method: 'GET', url: `/api/admin/reports/${name}`, query });
  expect([response.statusCode, response.body.slice(0, 200)]).toEqual([200, expect.anything()]);
  return Report.parse(response.json());
}

const valuesOf = (report: Report) =>
  Object.fromEntries(report.figures.map(({ key, value }) => [key, value]));
const previousOf = (report: Report) =>
  Object.fromEntries(report.figures.map(({ key, previous }) => [key, previous]));
const cellsOf = ({ rows }: Pick<Report, 'rows'>) => rows.map(({ cells }) => cells);

const days = new Map<string, string>();
const dayOfPlay = ({ id }: PlaysTable) => days.get(id) ?? '';
const playsIn = (from: string, to: string) =>
  plays.filter((one) => dayOfPlay(one) >= from && dayOfPlay(one) <= to);
const countBy = <K>(list: readonly PlaysTable[], keyOf: (one: PlaysTable) => K) =>
  new Map([...Map.groupBy(list, keyOf)].map(([key, group]) => [key, group.length]));
const different = (list: readonly PlaysTable[]) => new Set(list.map((one) => one.listener)).size;

/** Ranges of all lengths: within a month, across months, whole months. */
function pickRanges(): { from: string; to: string }[] {
  const today = dayOf(test.clock.now(), timeZone());
  const picked = Array.from({ length: 6 }, () => {
    const to = addDays(today, -random.below(60));
    return { from: addDays(to, -random.below(50)), to };
  });
  return [
    ...picked,
    { from: '2026-12-01', to: '2026-12-31' },
    { from: addDays(today, -400), to: today },
  ];
}

describe('what was listened to, counted again from the plays themselves', () => {
  it('has something to count', () => {
    expect(plays.length).toBeGreaterThan(25);
    expect(different(plays)).toBeGreaterThan(4);
  });

  it('is the plays of each day and the period before', async () => {
    for (const { from, to } of pickRanges()) {
      const report = await read('plays', { from, to });
      const counted = playsIn(from, to);
      const subscribers = counted.filter((one) => one.is_subscriber).length;
      expect(valuesOf(report)).toEqual({
        plays: counted.length,
        previews: counted.length - subscribers,
        share: counted.length > 0 ? subscribers / counted.length : null,
      });
      const perDay = countBy(counted, dayOfPlay);
      expect(cellsOf(report).map(([day, n]) => [day, n])).toEqual(
        listDays({ from, to }).map((day) => [day, perDay.get(day) ?? 0]),
      );
      expect(report.before?.to).toBe(addDays(from, -1));
      const before = playsIn(report.before?.from ?? '', report.before?.to ?? '');
      expect(previousOf(report).plays).toBe(before.length);
      expect(report.rowsBefore).toHaveLength(report.rows.length);
    }
  });

  it('is the different listeners of any days, and those who are new', async () => {
    const firstDays = new Map<string, string>();
    for (const one of plays.toSorted((a, b) => b.heard_at - a.heard_at))
      firstDays.set(one.listener, dayOfPlay(one));
    for (const { from, to } of pickRanges()) {
      const report = await read('listeners', { from, to });
      const counted = playsIn(from, to);
      const newcomers = [...firstDays.values()].filter((day) => day >= from && day <= to).length;
      expect(valuesOf(report)).toMatchObject({ listeners: different(counted), newcomers });
      for (const [day, listeners] of cellsOf(report))
        expect(listeners).toBe(different(playsIn(String(day), String(day))));
    }
  });

  it('is the plays of each week of release and of each mix', async () => {
    const byId = new Map(tracks.map((track) => [track.id, track]));
    for (const { from, to } of pickRanges()) {
      const counted = playsIn(from, to);
      const weeks = countBy(counted, ({ track_id }) =>
        formatWeekKey(byId.get(track_id) ?? { year: 0, week: 0 }),
      );
      const releases = await read('releases', { from, to });
      expect(new Map(cellsOf(releases).map(([key, , n]) => [key, n]))).toEqual(weeks);
      const ranking = cellsOf(await read('tracks', { from, to })).map(([, , n]) => n);
      const expected = [...countBy(counted, ({ track_id }) => track_id).values()];
      expect(ranking).toEqual(expected.toSorted((a, b) => b - a));
    }
  });

  it('is the plays of each hour of the week and the busiest weeks', async () => {
    const [, , , , , , , range] = pickRanges();
    const { from = '', to = '' } = range ?? {};
    const counted = playsIn(from, to);
    const hours = countBy(
      counted,
      (one) => `${weekdayOf(dayOfPlay(one))}/${hourOf(one.heard_at, timeZone())}`,
    );
    const cells = cellsOf(await read('activity', { from, to })).filter(([, , n]) => n !== 0);
    expect(new Map(cells.map(([weekday, hour, n]) => [`${weekday}/${hour}`, n]))).toEqual(hours);
    const weeks = countBy(counted, (one) => mondayOf(dayOfPlay(one)));
    const ranking = cellsOf(await read('weeks', { from, to }));
    expect(new Map(ranking.map(([, , n, monday]) => [monday, n]))).toEqual(weeks);
    const best = ranking[0];
    expect(best?.[0]).toBe(
      formatWeekKey(weekOf(Date.parse(`${String(best?.[3])}T12:00:00Z`), 'UTC')),
    );
  });

  it('is how far members came into a mix, each once', async () => {
    const all = await db()
      .selectFrom('plays')
      .innerJoin('users', 'users.id', 'plays.user_id')
      .selectAll('plays')
      .where('plays.is_subscriber', '=', 1)
      .where('is_admin', '=', 0)
      .where('heard_ms', '>', 0)
      .execute();
    const heard = await db()
      .selectFrom('listening')
      .selectAll()
      .where('is_heard', '=', 1)
      .execute();
    for (const track of tracks) {
      const ofMix = Map.groupBy(
        all.filter((one) => one.track_id === track.id),
        (one) => one.user_id,
      );
      const reached = [...ofMix].map(([userId, own]) => {
        const isHeard = heard.some((row) => row.user_id === userId && row.track_id === track.id);
        const furthest = Math.max(...own.map((one) => one.position_ms));
        return isHeard ? 100 : Math.floor((furthest * 100) / track.duration_ms);
      });
      const report = await read('completion', { track: track.id });
      expect(valuesOf(report).began).toBe(reached.length);
      expect(cellsOf(report).map(([, share]) => share)).toEqual(
        reached.length === 0
          ? []
          : Array.from(
              { length: 101 },
              (_, p) => reached.filter((r) => r >= p).length / reached.length,
            ),
      );
      expect(report.title).toContain(track.title);
    }
  });
});

describe('who is listening now', () => {
  it('is everybody heard of in the last two minutes, once, without those who run the site', async () => {
    test.clock.advance(DAY);
    const count = async () => valuesOf(await read('live')).listeners;
    expect(await count()).toBe(0);
    const [first, second] = tracks as [TracksTable, TracksTable];
    const visitor = test.createClient();
    const start = (client: TestClient, track: TracksTable) =>
      client.request({ method: 'POST', url: `/api/tracks/${track.id}/play`, payload: {} });
    await start(visitor, first);
    await start(visitor, second);
    await start(admin, first);
    expect(await count()).toBe(1);
    test.clock.advance(2 * 60_000 + 1);
    expect(await count()).toBe(0);
  });
});

describe('visits', () => {
  it('are what browsers told, counted again from the events themselves', async () => {
    const common = {
      platform: 'web',
      app_version: '1.0.0',
      screen_resolution: '1x1',
      viewport_size: '1x1',
      timestamp: new Date(test.clock.now()).toISOString(),
    };
    const names = ['Session Start', 'Session End', 'User Signup', 'User Login'];
    const events = Array.from({ length: 60 }, (_, index) => ({
      event: random.pick(names),
      properties: {
        ...common,
        time: (test.clock.now() - random.below(20 * DAY)) / 1000,
        $insert_id: `visit${index}`,
      },
    }));
    await test.createClient().request({
      method: 'POST',
      url: '/api/events',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `data=${encodeURIComponent(JSON.stringify(events))}`,
    });
    const kept = await db().selectFrom('events').selectAll().execute();
    const today = dayOf(test.clock.now(), timeZone());
    const from = addDays(today, -12);
    const countOf = (name: string, on?: string) =>
      kept.filter((event) => {
        const day = dayOf(event.at, timeZone());
        return event.name === name && (on ? day === on : day >= from);
      }).length;
    const report = await read('visits', { from, to: today });
    expect(valuesOf(report)).toMatchObject({
      visits: countOf('Session Start'),
      signups: countOf('User Signup'),
    });
    expect(cellsOf(report).map(([day, n]) => [day, n])).toEqual(
      listDays({ from, to: today }).map((day) => [day, countOf('Session Start', day)]),
    );
  });
});

describe('searches with no result', () => {
  it('are added up over the days, the most frequent first', async () => {
    const today = dayOf(test.clock.now(), timeZone());
    const misses = Array.from({ length: 60 }, (_, index) => ({
      day: addDays(today, -(index % 20)),
      query: `=word${index % 7}`,
      searches: 1 + random.below(5),
    }));
    const distinct = new Map(misses.map((miss) => [`${miss.day}/${miss.query}`, miss]));
    await db()
      .insertInto('search_misses')
      .values([...distinct.values()])
      .execute();
    const from = addDays(today, -9);
    const sums = new Map<string, number>();
    for (const miss of distinct.values())
      if (miss.day >= from) sums.set(miss.query, (sums.get(miss.query) ?? 0) + miss.searches);
    const report = await read('searches', { from, to: today });
    expect(new Map(cellsOf(report).map(([q, n]) => [q, n]))).toEqual(sums);
    const counts = cellsOf(report).map(([, n]) => Number(n));
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  });
});
