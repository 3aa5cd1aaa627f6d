import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportNames } from '#contract/admin/report-groups.ts';
import { Report, type ReportName } from '#contract/admin/reports.ts';
import { Week } from '#contract/admin/week.ts';
import { dayOf, hourOf } from '#contract/rules/days.ts';
import { addDays, listDays, mondayOf, weekdayOf } from '#contract/rules/report-days.ts';
import { formatWeekKey, weekOf, type WeekOfYear } from '#contract/rules/weeks.ts';
import type { PlaysTable } from '../../db/types/listening-tables.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { listenAtRandom, logInAgain, type Start } from '../../testing/random-listening.ts';
import { createRandom, type Random } from '../../testing/random.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { addTrack } from '../../testing/search-catalogue.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { DAY } from '#contract/rules/time.ts';
import { readPulse } from '../week/service.ts';

const HOUR = DAY / 24;
const SEED = 2026_11_15;

let test: TestApp;
let admin: TestClient;
let tracks: TracksTable[];
let plays: PlaysTable[];
const random: Random = createRandom(SEED);

const timeZone = () => test.deps.config.timeZone;
const db = () => test.deps.database.db;

/** Which subscriber started which track on which day. */
let started: Map<string, Start>;

beforeAll(async () => {
  // Its clocks change on 14 March: a day of these has 23 hours.
  test = await createTestApp({ env: { SITE_TIME_ZONE: 'America/New_York' } });
  test.clock.advance(100 * DAY);
  ({ client: admin } = await createAdmin(test));
  const { storage, clock } = test.deps;
  const seed = (change: Partial<TracksTable>) =>
    seedTrack({ db: db(), storage, now: clock.now() }, change);
  tracks = [
    await seed({ week: 44, title: '=cmd|"/c calc"!A1, with a comma' }),
    await seed({ week: 45 }),
    await seed({ week: 45, year: 2025 }),
  ];
  ({ started } = await listenAtRandom({ test, admin, random, tracks }, 70));
  plays = await db().selectFrom('plays').selectAll().where('is_counted', '=', 1).execute();
  for (const { id, listened_at: at } of plays) days.set(id, dayOf(at, timeZone()));
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
const different = (list: readonly PlaysTable[]) =>
  new Set(list.map((one) => one.listener_key)).size;

const describeWeek = ({ year, week }: WeekOfYear) => `Week ${week}, ${year}`;

/** Ranges of all lengths: within a month, across months, whole months. */
function pickRanges(): { from: string; to: string }[] {
  const today = dayOf(test.clock.now(), timeZone());
  const picked = Array.from({ length: 6 }, () => {
    const to = addDays(today, -random.below(60));
    return { from: addDays(to, -random.below(50)), to };
  });
  return [
    ...picked,
    { from: '2027-03-01', to: '2027-03-31' },
    { from: '2027-03-13', to: '2027-03-14' },
    { from: addDays(today, -400), to: today },
  ];
}

describe('listening reports match a recount of all plays', () => {
  it('with enough plays to be meaningful', () => {
    expect(plays.length).toBeGreaterThan(25);
    expect(different(plays)).toBeGreaterThan(4);
  });

  it('for plays per day and in the previous period', async () => {
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
      expect(report.previousRange?.to).toBe(addDays(from, -1));
      const before = playsIn(report.previousRange?.from ?? '', report.previousRange?.to ?? '');
      expect(previousOf(report).plays).toBe(before.length);
      expect(report.previousRows).toHaveLength(report.rows.length);
    }
  });

  it('for unique and new listeners', async () => {
    const firstDays = new Map<string, string>();
    for (const one of plays.toSorted((a, b) => b.listened_at - a.listened_at))
      firstDays.set(one.listener_key, dayOfPlay(one));
    for (const { from, to } of pickRanges()) {
      const report = await read('listeners', { from, to });
      const counted = playsIn(from, to);
      const newListeners = [...firstDays.values()].filter((day) => day >= from && day <= to).length;
      const perDay = listDays({ from, to }).map((day) => different(playsIn(day, day)));
      const mean = perDay.reduce((sum, n) => sum + n, 0) / perDay.length;
      expect(valuesOf(report)).toEqual({
        listeners: different(counted),
        newListeners,
        perDay: Math.round(mean),
      });
      const before = report.previousRange ?? { from: '', to: '' };
      expect(previousOf(report).listeners).toBe(different(playsIn(before.from, before.to)));
      for (const [day, listeners] of cellsOf(report))
        expect(listeners).toBe(different(playsIn(String(day), String(day))));
    }
  });

  it('for plays per release week and per mix', async () => {
    const byId = new Map(tracks.map((track) => [track.id, track]));
    for (const { from, to } of pickRanges()) {
      const counted = playsIn(from, to);
      const weeks = countBy(counted, ({ track_id }) =>
        formatWeekKey(byId.get(track_id) ?? { year: 0, week: 0 }),
      );
      const releases = await read('releases', { from, to });
      expect(new Map(cellsOf(releases).map(([key, , n]) => [key, n]))).toEqual(weeks);
      expect(valuesOf(releases)).toEqual({ weeks: weeks.size, plays: counted.length });
      const [number] = (await read('plays', { from, to })).figures;
      expect([number?.href, number?.value]).toEqual([
        `/admin/reports?report=releases&from=${from}&to=${to}`,
        valuesOf(releases).plays,
      ]);
      const mostPlayed = await read('tracks', { from, to });
      const expected = [...countBy(counted, ({ track_id }) => track_id).values()];
      expect(cellsOf(mostPlayed).map(([, , n]) => n)).toEqual(expected.toSorted((a, b) => b - a));
      expect(valuesOf(mostPlayed)).toEqual({ tracks: expected.length });
    }
  });

  it('for plays per hour of the week and the busiest weeks', async () => {
    for (const { from, to } of pickRanges()) {
      const counted = playsIn(from, to);
      const shareOf = (isOne: (weekday: number, hour: number) => boolean) =>
        counted.length === 0
          ? null
          : counted.filter((one) =>
              isOne(weekdayOf(dayOfPlay(one)), hourOf(one.listened_at, timeZone())),
            ).length / counted.length;
      const hours = countBy(
        counted,
        (one) => `${weekdayOf(dayOfPlay(one))}/${hourOf(one.listened_at, timeZone())}`,
      );
      const activity = await read('activity', { from, to });
      expect(valuesOf(activity)).toEqual({
        weekend: shareOf((weekday) => weekday > 4),
        night: shareOf((_, hour) => hour > 17 || hour < 6),
      });
      const cells = cellsOf(activity).filter(([, , n]) => n !== 0);
      expect(new Map(cells.map(([weekday, hour, n]) => [`${weekday}/${hour}`, n]))).toEqual(hours);
      const weeks = countBy(counted, (one) => mondayOf(dayOfPlay(one)));
      const ranking = cellsOf(await read('weeks', { from, to }));
      expect(new Map(ranking.map(([, , n, monday]) => [monday, n]))).toEqual(weeks);
      expect(ranking.map(([, , n]) => n)).toEqual([...weeks.values()].toSorted((a, b) => b - a));
      for (const [name, , , monday] of ranking)
        expect(name).toBe(describeWeek(weekOf(Date.parse(`${String(monday)}T12:00:00Z`), 'UTC')));
    }
  });

  it('for how far each subscriber got into a mix', async () => {
    const all = await db()
      .selectFrom('plays')
      .innerJoin('users', 'users.id', 'plays.user_id')
      .selectAll('plays')
      .where('plays.is_subscriber', '=', 1)
      .where('is_admin', '=', 0)
      .where('listened_ms', '>', 0)
      .execute();
    const finished = await db()
      .selectFrom('progress')
      .selectAll()
      .where('is_finished', '=', 1)
      .execute();
    const reachIn = (track: TracksTable, from: string, to: string) =>
      [...started.values()]
        .filter(({ trackId, day }) => trackId === track.id && day >= from && day <= to)
        .map(({ userId }) => {
          const own = all.filter((one) => one.user_id === userId && one.track_id === track.id);
          const isFinished = finished.some(
            (row) => row.user_id === userId && row.track_id === track.id,
          );
          const furthest = Math.max(...own.map((one) => one.position_ms));
          return isFinished ? 100 : Math.floor((furthest * 100) / track.duration_ms);
        });
    expect(started.size).toBeGreaterThan(4);
    for (const [index, { from, to }] of pickRanges().entries()) {
      const track = tracks[index % tracks.length] as TracksTable;
      const reached = reachIn(track, from, to);
      const report = await read('completion', { track: track.id, from, to });
      const shareFrom = (percent: number) =>
        reached.length > 0 ? reached.filter((r) => r >= percent).length / reached.length : null;
      expect(valuesOf(report)).toEqual({
        started: reached.length,
        half: shareFrom(50),
        finished: shareFrom(100),
      });
      const before = report.previousRange ?? { from: '', to: '' };
      expect(previousOf(report).started).toBe(reachIn(track, before.from, before.to).length);
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

describe('live listeners', () => {
  it('are everyone active in the last two minutes, each once, without administrators', async () => {
    test.clock.advance(DAY);
    await logInAgain(admin);
    const readWeek = async () =>
      Week.parse((await admin.request({ url: '/api/admin/week' })).json());
    const { playsToday } = await readWeek();
    const count = async () => {
      const report = await read('live');
      const inRows = cellsOf(report).reduce((sum, [, , n]) => sum + Number(n), 0);
      expect(valuesOf(report).listeners).toBe(inRows);
      return inRows;
    };
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
    const { playId } = (await start(visitor, first)).json<{ playId: string }>();
    test.clock.advance(20_000);
    await visitor.request({
      method: 'POST',
      url: `/api/plays/${playId}/heartbeat`,
      payload: { secondsListened: 20, position: 20 },
    });
    expect(await count()).toBe(1);
    expect((await readWeek()).playsToday).toBe(playsToday + 1);
  });

  it('are announced when one plays another mix or takes another’s place', async () => {
    test.clock.advance(2 * 60_000 + 1);
    const [first, second] = tracks as [TracksTable, TracksTable];
    const pulses: string[] = [];
    const start = async (client: TestClient, track: TracksTable) => {
      await client.request({ method: 'POST', url: `/api/tracks/${track.id}/play`, payload: {} });
      pulses.push(await readPulse(test.deps));
    };
    const visitor = test.createClient();
    await start(visitor, first);
    expect(await readPulse(test.deps)).toBe(pulses[0]);
    test.clock.advance(60_000);
    await start(visitor, second);
    test.clock.advance(2 * 60_000 + 1);
    await start(test.createClient(), second);
    expect(new Set(pulses).size).toBe(3);
  });
});

describe('visits', () => {
  it('match a recount of the analytics events', async () => {
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
    const kept = await db().selectFrom('analytics_events').selectAll().execute();
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
  it('are summed over the days of the period', async () => {
    await addTrack(test, { title: 'Golden Hour' });
    const golden = await admin.request({ url: '/api/tracks/search', query: { q: 'golden' } });
    expect(golden.json<{ items: unknown[] }>().items).toHaveLength(1);
    const searched: { day: string; query: string }[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const query = `=zz${random.below(6)}qx`;
      const response = await admin.request({
        method: 'GET',
        url: '/api/tracks/search',
        query: { q: query },
      });
      expect(response.statusCode).toBe(200);
      searched.push({ day: dayOf(test.clock.now(), timeZone()), query });
      test.clock.advance(random.below(14) * HOUR);
      await logInAgain(admin);
    }
    const today = dayOf(test.clock.now(), timeZone());
    for (const ago of [0, 5, 30]) {
      const range = { from: addDays(today, -ago), to: today };
      const found = searched.filter(({ day }) => day >= range.from);
      const sums = Map.groupBy(found, ({ query }) => query.slice(1));
      const report = await read('searches', range);
      const times = new Map(
        cellsOf(report).map(([query, n]) => [String(query).replace('=', ''), n]),
      );
      expect(times).toEqual(new Map([...sums].map(([query, all]) => [query, all.length])));
      expect(valuesOf(report)).toEqual({ searches: found.length, different: sums.size });
      const counts = cellsOf(report).map(([, n]) => Number(n));
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    }
  });
});

/** A file as a spreadsheet reads it: quotes hold commas, line ends and quotes. */
function parseCsv(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const lines: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(cell)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

describe('the CSV of every report', () => {
  it.each(reportNames)('%s has the rows of the page and no formulas', async (name) => {
    const query = { from: addDays(dayOf(test.clock.now(), timeZone()), -200) };
    const report = await read(name, query);
    const url = `/api/admin/reports/${name}.csv`;
    const file = await admin.request({ method: 'GET', url, query });
    const [head = [], ...lines] = parseCsv(file.body.replace('\uFEFF', ''));
    expect(head).toEqual(report.columns.map(({ label }) => label));
    const expected = cellsOf(report).map((cells) =>
      cells.map((value, index) => {
        if (typeof value === 'string') return /^[=+@-]/.test(value) ? `'${value}` : value;
        return report.columns[index]?.kind === 'cents' ? Number(value) / 100 : value;
      }),
    );
    const found = lines.map((line) =>
      line.map((text, index) => {
        const kind = report.columns[index]?.kind ?? 'text';
        if (['text', 'day', 'month'].includes(kind)) return text;
        return text === '' ? null : Number(text);
      }),
    );
    expect(found).toHaveLength(expected.length);
    for (const [index, line] of found.entries())
      for (const [column, value] of line.entries()) {
        const wanted = expected[index]?.[column] ?? null;
        if (typeof wanted === 'number') expect(value).toBeCloseTo(wanted, 5);
        else expect(value).toBe(wanted);
      }
  });
});
