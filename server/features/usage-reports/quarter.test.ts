/** @module-tag both-databases */
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import type { UsageChanges, UsageOutlook, UsageReport } from '#contract/admin/usage-reports.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#contract/rules/time.ts';
import { randomSeed } from '#tools/testing/random-runs.ts';
import { buildInvoice } from '../../db/build-rows.ts';
import type { PlaysTable } from '../../db/types/listening-tables.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import { createRandom } from '../../testing/random.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import { runSchedule } from '../../testing/test-payments.ts';

/**
 * Quarters that are reported, corrected and reported again, and each time checked line by line
 * against the plays themselves, by code that shares nothing with what makes reports.
 */
let test: TestApp;
afterEach(() => test.close());

const random = createRandom(randomSeed);
const db = () => test.deps.database.db;

type Entry = { at: number | null; artist: string | null; title: string; recordingId?: string };

/** A mix with one of its tracklists; the newest mix first. */
type Mix = { id: string; title: string; until: number; length: number; entries: Entry[] };

const entry = (at: number | null): Entry => ({ at, artist: 'Bheki', title: `At ${at}` });
const LONG_ROAD: Entry = { at: 0, artist: 'Thandi', title: 'Long Rd', recordingId: 'long-road' };

async function seedMixes(replacedAt: number): Promise<Mix[]> {
  const { storage, clock } = test.deps;
  let week = 40;
  const seed = async (
    title: string,
    length: number,
    entries: Entry[],
    change: Partial<TracksTable> = {},
  ): Promise<Mix> => {
    week -= 1;
    const track = await seedTrack(
      { db: db(), storage, now: clock.now() },
      {
        title,
        week,
        duration_ms: length * SECOND,
        preview_start_ms: 40 * SECOND,
        chapters: JSON.stringify(entries),
        publish_at: Date.parse('2026-09-04T10:00Z'),
        ...change,
      },
    );
    return { id: track.id, title, until: Infinity, length, entries };
  };
  await db()
    .insertInto('recordings')
    .values({
      id: 'long-road',
      artist: 'Thandi',
      title: 'Long Road',
      name_key: 'long road',
      version: 'Live',
      composer: null,
      publisher: 'Gallo',
      label: 'Gallo',
      isrc: 'ZAUM71900001',
      iswc: null,
      is_own: 0,
      cleared_with: null,
      created_at: 1,
      updated_at: 1,
    })
    .execute();
  const deleted = { deleted_at: clock.now(), purged_at: clock.now() };
  const timed = await seed('Timed', 400, [LONG_ROAD, ...[61, 64, 200, 300].map(entry)]);
  const untimed = await seed('Untimed', 300, [10, null, 90, 150, 150, 200, 9999].map(entry));
  const replaced = await seed('Replaced', 500, [30, 250].map(entry));
  const bare = await seed('Bare', 200, []);
  const gone = await seed('Deleted', 250, [0, 125].map(entry), deleted);
  const before = { ...replaced, until: replacedAt, length: 180, entries: [0, 100].map(entry) };
  await db()
    .insertInto('past_tracklists')
    .values({
      track_id: replaced.id,
      until_at: replacedAt,
      chapters: JSON.stringify(before.entries),
      duration_ms: before.length * SECOND,
    })
    .execute();
  return [timed, untimed, before, replaced, bare, gone];
}

let plays = 0;
const buildPlay = (track: string, startedAt: number, change: Partial<PlaysTable>): PlaysTable => {
  plays += 1;
  return {
    id: `p${plays}`,
    track_id: track,
    user_id: null,
    listener_key: `visitor:${plays % 50}`,
    is_subscriber: 1,
    started_at: startedAt,
    listened_at: startedAt,
    listened_ms: 90 * SECOND,
    position_ms: 100 * SECOND,
    is_counted: 0,
    counted_at: null,
    suspicion: null,
    source: null,
    ...change,
  };
};

/** Random ones, many around the change of clocks, and some at the very ends. */
async function seedListening(mixes: readonly Mix[], quarter: Quarter, replacedAt: number) {
  const [begin, end] = [Date.parse(quarter.begins), Date.parse(quarter.ends)];
  const [first] = mixes;
  const rows = Array.from({ length: 500 }, () => {
    const { id, length } = random.pick(mixes);
    const startedAt =
      random.below(4) === 0
        ? Date.parse(quarter.changes) + random.below(30 * HOUR)
        : begin - 50 * HOUR + random.below(end - begin + 100 * HOUR);
    const listened = random.pick([0, 499, 4_600, 60_000, random.below(900_000)]);
    return buildPlay(id, startedAt, {
      listened_ms: listened,
      position_ms: random.pick([0, 3_000, length * SECOND, random.below(length * SECOND)]),
      is_subscriber: random.below(3) === 0 ? 0 : 1,
      source: random.pick([null, null, 'subsonic', 'staff'] as const),
    });
  });
  for (const edge of [begin, end, replacedAt])
    for (const { id } of mixes)
      rows.push(buildPlay(id, edge - 1, {}), buildPlay(id, edge, { listened_ms: 20 * MINUTE }));
  // Over midnight, and before its player reports the rest.
  rows.push(buildPlay(first?.id ?? '', end - 5 * MINUTE, { id: 'late' }));
  for (let from = 0; from < rows.length; from += 100)
    await db()
      .insertInto('plays')
      .values(rows.slice(from, from + 100))
      .execute();
  for (const [index, { id }] of mixes.entries())
    for (const day of [quarter.from, quarter.to, quarter.dayAfter])
      for (let feed = 0; feed < index; feed += 1)
        await db()
          .insertInto('podcast_requests')
          .values({ day, track_id: id, feed: `feed ${feed}` })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
}

/** R115 with R15 VAT in the quarter, half of it paid back, and money that isn't of this quarter. */
async function seedBooks(quarter: Quarter) {
  const at = Date.parse(quarter.begins);
  const bookings = [quarter.from, quarter.to, quarter.dayAfter];
  for (const [index, booked_on] of bookings.entries())
    await db()
      .insertInto('invoices')
      .values(
        buildInvoice({
          id: `i${index}`,
          number: index + 1,
          user_id: null,
          provider: 'sandbox',
          charge_id: `c${index}`,
          plan: 'monthly',
          at,
          from_at: at,
          to_at: at,
          booked_on,
          amount: 115_00,
          currency: 'ZAR',
          vat_rate: 15_00,
          vat: 15_00,
        }),
      )
      .execute();
  const note = { invoice_id: 'i0', at, issued_at: at, currency: 'ZAR', reason: 'refund' } as const;
  await db()
    .insertInto('credit_notes')
    .values([
      {
        ...note,
        id: 'n1',
        kind: 'credit',
        number: 1,
        booked_on: quarter.to,
        amount: 57_50,
        vat: 7_50,
      },
      {
        ...note,
        id: 'n2',
        kind: 'credit',
        number: 2,
        booked_on: quarter.dayAfter,
        amount: 57_50,
        vat: 7_50,
      },
    ])
    .execute();
  await db()
    .insertInto('refused_payments')
    .values({
      id: 'r1',
      kind: 'payment',
      provider: 'sandbox',
      charge_id: 'euro',
      at,
      booked_on: quarter.from,
      amount: 900_00,
      currency: 'EUR',
      fee: null,
      reason: 'currency',
    })
    .execute();
}

type Row = Record<'track' | 'kind' | 'source', string> &
  Record<'started' | 'listened' | 'place', number>;

const HEADERS =
  'Line,Mix,Released,Position,Starts at second,Title,Version,Performer,Composer,Publisher,Label,ISRC,ISWC,Own production,Plays,Seconds heard,Preview plays,Preview seconds heard,Music app plays (estimate),Music app seconds (estimate),Podcast plays (estimate),From,To,Territory,Currency,Revenue of the period';

/** The file that a report must have: straight from the tables, one play and one second at a time. */
async function checkUsage(mixes: readonly Mix[], quarter: Quarter, composer: string) {
  const { rows } = await sql<Row>`
    select track_id as track, started_at as started, listened_ms as listened, position_ms as place,
      coalesce(source, '') as source,
      case when is_subscriber = 0 then 'preview' when source = 'subsonic' then 'app' else 'full' end
        as kind
    from plays`.execute(db());
  const [begin, end] = [Date.parse(quarter.begins), Date.parse(quarter.ends)];
  const inQuarter = rows.filter(
    ({ started, source, listened }) =>
      begin <= started && started < end && source !== 'staff' && Math.round(listened / 1000) > 0,
  );
  const lines = mixes.flatMap((mix) => {
    const heard = inQuarter.filter(
      ({ track, started }) =>
        track === mix.id &&
        started < mix.until &&
        !mixes.some(({ id, until }) => id === track && until < mix.until && started < until),
    );
    const podcasts = podcastsOf(mix, mixes, quarter);
    return heard.length === 0 && podcasts === 0
      ? []
      : writeMix(mix, heard, { podcasts, quarter, composer });
  });
  const total = lines.map((line) => line.split(','));
  const sums = Array.from({ length: 7 }, (_, column) =>
    total.reduce((sum, cells) => sum + Number(cells[14 + column]), 0),
  );
  const last = `Total,,,,,,,,,,,,,,${sums.join(',')},${quarter.from},${quarter.to},South Africa,ZAR,150.00`;
  return [HEADERS, ...lines, last];
}

/** As many feeds as the mix has mixes before it asked, on its first and its last day. */
function podcastsOf(mix: Mix, mixes: readonly Mix[], quarter: Quarter): number {
  const feeds = Math.max(...mixes.map(({ id }, index) => (id === mix.id ? index : 0)));
  const isNow = mix.until === Infinity;
  const hasOther = mixes.some(({ id, until }) => id === mix.id && until !== mix.until);
  const days = [quarter.from, quarter.to].filter(
    (day) => !hasOther || (day === quarter.to) === isNow,
  );
  return feeds * days.length;
}

type Facts = { podcasts: number; quarter: Quarter; composer: string };

function writeMix(mix: Mix, heard: readonly Row[], { podcasts, quarter, composer }: Facts) {
  const { title, entries, length } = mix;
  const kinds = ['full', 'preview', 'app'].map((kind) => heard.filter((row) => row.kind === kind));
  const ends = `${quarter.from},${quarter.to},South Africa,,`;
  const secondsOf = (of: readonly Row[]) =>
    of.reduce((sum, { listened }) => sum + Math.round(listened / 1000), 0);
  if (entries.length === 0) {
    const figures = kinds.flatMap((of) => [of.length, secondsOf(of)]);
    return [
      `Mix without a tracklist,${title},2026-09-04,,,,,,,,,,,,${figures.join(',')},${podcasts},${ends}`,
    ];
  }
  const isUnknown = (index: number): boolean => {
    const [own, next] = [entries[index], entries[index + 1]];
    const isLost = (one: Entry) => one.at === null || one.at >= length;
    const isShared = entries.filter(({ at }) => at === own?.at).length > 1;
    return !own || isLost(own) || isShared || (next !== undefined && isLost(next));
  };
  const left = kinds.map(secondsOf);
  const lines = entries.map(({ at, artist, title: name, recordingId }, index) => {
    const stop = entries.slice(index + 1).find((next) => next.at !== null)?.at ?? length;
    const figures = kinds.flatMap((of, kind): (number | '')[] => {
      if (of.length === 0) return [0, 0];
      if (isUnknown(index) || at === null) return ['', ''];
      let [count, seconds] = [0, 0];
      for (const row of of) {
        let own = 0;
        for (const second of placesOf(row, length)) if (second >= at && second < stop) own += 1;
        seconds += own;
        if (own >= 5 || (own > 0 && own === stop - at)) count += 1;
      }
      left[kind] = (left[kind] ?? 0) - seconds;
      return [count, seconds];
    });
    const about = recordingId
      ? `Long Road,Live,Thandi,${composer},Gallo,Gallo,ZAUM71900001,,No`
      : `${name},,${artist},,,,,,No`;
    return `Entry,${title},2026-09-04,${index + 1},${at ?? ''},${about},${figures.join(',')},${podcasts},${ends}`;
  });
  if (left.every((seconds) => seconds === 0)) return lines;
  return [
    ...lines,
    `In no known entry,${title},2026-09-04,,,,,,,,,,,,${left.map((seconds) => `,${seconds}`).join(',')},,${ends}`,
  ];
}

/** The seconds of the mix that a play heard: those before its place. */
function placesOf({ kind, source, listened, place }: Row, length: number): number[] {
  const seconds = Math.round(listened / 1000);
  // An app that doesn't say where is taken to have begun at the start.
  const start = kind === 'preview' ? 40 : 0;
  const isGuess = source === 'subsonic' && place === 0;
  // Nobody gets more of a preview than its 20 seconds: the rest was heard again.
  const most = kind === 'preview' ? Math.min(20, seconds) : seconds;
  const stop = Math.min(length, isGuess ? start + most : Math.round(place / 1000));
  const begin = Math.max(stop < start ? 0 : start, stop - most);
  return Array.from({ length: Math.max(0, stop - begin) }, (_, index) => begin + index);
}

type Quarter = Record<
  'timeZone' | 'from' | 'to' | 'dayAfter' | 'begins' | 'ends' | 'changes',
  string
>;

/** By hand: clocks in Berlin go back on 25 October and forward on 28 March. */
const autumn = { from: '2026-10-01', to: '2026-12-31', dayAfter: '2027-01-01' };
const quarters: Quarter[] = [
  {
    timeZone: 'Europe/Berlin',
    ...autumn,
    changes: '2026-10-24T21:00Z',
    begins: '2026-09-30T22:00Z',
    ends: '2026-12-31T23:00Z',
  },
  {
    timeZone: 'Europe/Berlin',
    from: '2027-01-01',
    to: '2027-03-31',
    dayAfter: '2027-04-01',
    begins: '2026-12-31T23:00Z',
    ends: '2027-03-31T22:00Z',
    changes: '2027-03-27T22:00Z',
  },
  {
    timeZone: 'Africa/Johannesburg',
    ...autumn,
    changes: '2026-10-24T21:00Z',
    begins: '2026-09-30T22:00Z',
    ends: '2026-12-31T22:00Z',
  },
];

async function addUp() {
  for (let run = 0; run < 5; run += 1) await runSchedule(test, 'add-up-usage');
}

const get = async <T>(owner: TestClient, path: string): Promise<T> => {
  const response = await owner.request({ url: `/api/admin/rights/${path}` });
  expect([path, response.statusCode]).toEqual([path, 200]);
  return response.json<T>();
};

async function make(owner: TestClient, { from, to }: Quarter, request: string) {
  const period = `${from}_${to}`;
  const { revenue, territory } = await get<UsageOutlook>(owner, `outlook?period=${period}`);
  const response = await owner.request({
    method: 'POST',
    url: '/api/admin/rights/reports',
    payload: { request, period, layout: 'general', territory, revenue: revenue.calculated },
  });
  expect(response.statusCode).toBe(200);
  await test.worker.runDue();
  const { id } = response.json<UsageReport>();
  return get<UsageReport & { changes: UsageChanges | null }>(owner, `reports/${id}`);
}

async function download(owner: TestClient, { id }: UsageReport): Promise<string[]> {
  const { body } = await owner.request({ url: `/api/admin/rights/reports/${id}/report.csv` });
  return body.replace('\uFEFF', '').trimEnd().split('\r\n');
}

it.each(quarters)(
  'in $timeZone, the quarter from $from is what the plays say, also after corrections',
  async (quarter) => {
    test = await createTestApp({ config: { timeZone: quarter.timeZone } });
    const { clock } = test.deps;
    const end = Date.parse(quarter.ends);
    const replacedAt = Date.parse(quarter.changes) - 20 * DAY + 12 * HOUR;
    test.clock.advance(end + 4 * DAY - clock.now());
    const { client: owner } = await createAdmin(test);
    const mixes = await seedMixes(replacedAt);
    await seedListening(mixes, quarter, replacedAt);
    await seedBooks(quarter);
    await addUp();

    const first = await make(owner, quarter, 'the-first-request');
    const file = await download(owner, first);
    expect(file).toEqual(await checkUsage(mixes, quarter, ''));
    expect(first.revenue.calculated).toBe(150_00);

    // A composer, a time, and a player that was offline.
    test.clock.advance(DAY);
    await db().updateTable('recordings').set({ composer: 'T. Mokoena' }).execute();
    const [timed, ...others] = mixes;
    if (!timed) throw new Error('There are mixes.');
    const entries = timed.entries.map((one) => (one.at === 200 ? { ...one, at: 230 } : one));
    await db()
      .updateTable('tracks')
      .set({ chapters: JSON.stringify(entries) })
      .where('id', '=', timed.id)
      .execute();
    await db()
      .updateTable('plays')
      .set({ listened_ms: 300 * SECOND, position_ms: 310 * SECOND, listened_at: clock.now() })
      .where('id', '=', 'late')
      .execute();
    await addUp();

    const second = await make(owner, quarter, 'the-second-request');
    const corrected = [{ ...timed, entries }, ...others];
    expect(await download(owner, second)).toEqual(
      await checkUsage(corrected, quarter, 'T. Mokoena'),
    );
    expect(second.previous).toBe(1);
    const changed = (title: string, column: string, before: string, after: string) =>
      expect.objectContaining({ track: 'Timed', title, column, before, after }) as unknown;
    expect(second.changes?.items).toEqual(
      expect.arrayContaining([
        changed('Long Road', 'Composer', '', 'T. Mokoena'),
        changed('At 200', 'Starts at second', '200', '230'),
      ]),
    );
    expect(second.changes?.items.every(({ track }) => track === 'Timed')).toBe(true);
    expect(await download(owner, first)).toEqual(file);
  },
);
