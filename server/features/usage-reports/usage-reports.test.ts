/** @module-tag both-databases */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '#contract/paging.ts';
import type {
  UsageChanges,
  UsageOutlook,
  UsageReport,
  UsageReportForm,
} from '#contract/admin/usage-reports.ts';
import { DAY } from '#contract/rules/time.ts';
import type { RecordingsTable } from '../../db/types/recording-tables.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { HeardDaysTable } from '../../db/types/usage-tables.ts';
import { createS3Storage } from '../../ports/storage/s3-storage.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { Killed } from '../../testing/kill-process.ts';
import { describeOnSqlite } from '../../testing/on-sqlite.ts';
import { startS3Server } from '../../testing/s3-server.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createAdmin, createHelper } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp, type TestClient } from '../../testing/test-app.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { moveFiles } from '../backup/move-site.ts';
import { openBackup } from '../backup/manifest.ts';
import { openRepository } from '../backup/repository.ts';
import { saveBackup } from '../backup/save-backup.ts';
import { makeUsageReport } from './jobs.ts';

const QUARTER = '2026-07-01_2026-09-30';

let test: TestApp;
let owner: TestClient;
beforeEach(async () => {
  test = await createTestApp();
  ({ client: owner } = await createAdmin(test));
  await addUp('2026-06-01', '2026-11-13');
});
afterEach(() => test.close());

const db = () => test.deps.database.db;

async function addUp(...days: string[]) {
  for (const day of days) {
    const at = Date.parse(`${day}T00:00+02:00`);
    const times = { from_at: at, to_at: at + DAY, checked_at: at + DAY };
    await db()
      .insertInto('usage_days')
      .values({ day, ...times })
      .execute();
  }
}

const seed = (chapters: object[], change: Partial<TracksTable> = {}) =>
  seedTrack(
    { db: db(), storage: test.deps.storage, now: test.clock.now() },
    {
      title: 'Golden Hour',
      duration_ms: 300_000,
      publish_at: Date.UTC(2026, 6, 3, 10),
      chapters: JSON.stringify(chapters),
      ...change,
    },
  );

const hear = (track: TracksTable, day: string, change: Partial<HeardDaysTable> = {}) =>
  db()
    .insertInto('heard_days')
    .values({
      day,
      track_id: track.id,
      kind: 'full',
      until_at: 0,
      spans: '[[0,300]]',
      plays: 1,
      listened_ms: 300_000,
      unplaced_ms: 0,
      ...change,
    })
    .execute();

const addRecording = (id: string, change: Partial<RecordingsTable> = {}) =>
  db()
    .insertInto('recordings')
    .values({
      id,
      artist: 'Thandi',
      title: 'Long Road',
      name_key: id,
      version: null,
      composer: 'T. Mokoena',
      publisher: 'Gallo',
      label: 'Gallo',
      isrc: 'ZAUM71900001',
      iswc: null,
      is_own: 0,
      cleared_with: null,
      created_at: 1,
      updated_at: 1,
      ...change,
    })
    .execute();

const get = async <T>(url: string): Promise<T> => {
  const response = await owner.request({ url: `/api/admin/rights/${url}` });
  expect([url, response.statusCode]).toEqual([url, 200]);
  return response.json<T>();
};
const outlook = (period = QUARTER) => get<UsageOutlook>(`outlook?period=${period}`);
const listReports = async () => (await get<Page<UsageReport>>('reports')).items;
const read = (id: string) => get<UsageReport & { changes: UsageChanges | null }>(`reports/${id}`);

let requests = 0;
const ask = (change: Partial<UsageReportForm> = {}) => {
  requests += 1;
  return owner.request({
    method: 'POST',
    url: '/api/admin/rights/reports',
    payload: {
      request: `request-of-a-test-${requests}`,
      period: QUARTER,
      layout: 'general',
      territory: 'South Africa',
      revenue: 500_00,
      ...change,
    },
  });
};

async function make(change: Partial<UsageReportForm> = {}) {
  const response = await ask(change);
  expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
  await test.worker.runDue();
  return read(response.json<UsageReport>().id);
}

const download = async (id: string, file = 'report') =>
  owner.request({ url: `/api/admin/rights/reports/${id}/${file}.csv` });

/** The cells of a file without quotes, by its headers. */
async function readCells(id: string, file = 'report'): Promise<Record<string, string>[]> {
  const { body } = await download(id, file);
  const [head = '', ...lines] = body.replace('\uFEFF', '').trimEnd().split('\r\n');
  const headers = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? '']));
  });
}

const two = [
  { at: 0, artist: 'Thandi', title: 'Long Rd', recordingId: 'long-road' },
  { at: 100, artist: null, title: 'Untitled' },
];

describe('a report', () => {
  it('has each entry of every mix that was heard, also of deleted mixes, and what belongs to none', async () => {
    await addRecording('long-road', { version: 'Live', is_own: 1 });
    const track = await seed([
      { at: 20, artist: 'Thandi', title: 'Long Rd', recordingId: 'long-road' },
      { at: 100, artist: null, title: 'Untitled' },
      { at: 200, artist: 'Bheki', title: 'Timed' },
      { at: null, artist: 'Bheki', title: 'Untimed' },
    ]);
    const bare = await seed([], {
      title: 'Bare',
      week: 30,
      publish_at: null,
      restore_publish_at: Date.UTC(2026, 6, 24, 10),
      deleted_at: test.clock.now(),
    });
    await hear(track, '2026-07-04', {
      spans: '[[0,150],[40,300]]',
      plays: 3,
      listened_ms: 420_000,
      unplaced_ms: 10_000,
    });
    await hear(track, '2026-07-04', { kind: 'preview', spans: '[[20,50]]', listened_ms: 30_000 });
    await hear(track, '2026-09-30', {
      kind: 'subsonic',
      spans: '[[100,200]]',
      plays: 2,
      listened_ms: 100_000,
    });
    await hear(track, '2026-09-30', { kind: 'podcast', spans: '[]', plays: 7, listened_ms: 0 });
    await hear(bare, '2026-07-25');
    // Other days are in other reports.
    await hear(track, '2026-06-30');
    await hear(track, '2026-10-01');
    const report = await make();
    expect(report).toMatchObject({
      number: 1,
      state: 'ready',
      madeBy: 'naledi',
      previous: null,
      changes: null,
      revenue: { calculated: 0, confirmed: 500_00 },
      totals: {
        tracks: 2,
        entries: 4,
        heard: {
          full: { plays: 4, seconds: 720 },
          preview: { plays: 1, seconds: 30 },
          subsonic: { plays: 2, seconds: 100 },
          podcast: { plays: 7, seconds: 0 },
        },
        // Before the first entry, in the last two, and nobody knows where.
        outside: 20 + 100 + 10,
      },
    });
    const { body } = await download(report.id);
    expect(body.replace('\uFEFF', '').trimEnd().split('\r\n').slice(1)).toEqual([
      'Entry,Golden Hour,2026-07-03,1,20,Long Road,Live,Thandi,T. Mokoena,Gallo,Gallo,ZAUM71900001,,Yes,2,140,1,30,0,0,7,2026-07-01,2026-09-30,South Africa,,',
      'Entry,Golden Hour,2026-07-03,2,100,Untitled,,,,,,,,No,2,150,0,0,1,100,7,2026-07-01,2026-09-30,South Africa,,',
      'Entry,Golden Hour,2026-07-03,3,200,Timed,,Bheki,,,,,,No,,,,,,,7,2026-07-01,2026-09-30,South Africa,,',
      'Entry,Golden Hour,2026-07-03,4,,Untimed,,Bheki,,,,,,No,,,,,,,7,2026-07-01,2026-09-30,South Africa,,',
      'In no known entry,Golden Hour,2026-07-03,,,,,,,,,,,,,130,,0,,0,,2026-07-01,2026-09-30,South Africa,,',
      'Mix without a tracklist,Bare,2026-07-24,,,,,,,,,,,,1,300,0,0,0,0,0,2026-07-01,2026-09-30,South Africa,,',
      'Total,,,,,,,,,,,,,,5,720,1,30,1,100,28,2026-07-01,2026-09-30,South Africa,ZAR,500.00',
    ]);
  });

  it('reports what was heard before the audio was replaced with the tracklist of that time', async () => {
    const track = await seed([{ at: 0, artist: 'Thandi', title: 'After' }]);
    const replacedAt = Date.parse('2026-08-10T12:00+02:00');
    await db()
      .insertInto('past_tracklists')
      .values({
        track_id: track.id,
        until_at: replacedAt,
        chapters: JSON.stringify([{ at: 0, artist: 'Thandi', title: 'Before' }]),
        duration_ms: 60_000,
      })
      .execute();
    await addUp('2026-08-09', '2026-08-10', '2026-08-11');
    await hear(track, '2026-08-09', { spans: '[[0,60]]', listened_ms: 60_000 });
    await hear(track, '2026-08-10', {
      spans: '[[0,30]]',
      listened_ms: 30_000,
      until_at: replacedAt,
    });
    await hear(track, '2026-08-10');
    await hear(track, '2026-08-11');
    const { id } = await make({ layout: 'capasso' });
    const lines = await readCells(id);
    expect(lines.map((line) => [line.Title, line.Streams, line['Seconds streamed']])).toEqual([
      ['Before', '2', '90'],
      ['After', '2', '600'],
      ['Total', '4', '690'],
    ]);
  });

  it('says when a mix was released that is a draft again', async () => {
    const release = Date.UTC(2026, 6, 3, 10);
    const complained = await seed([], { title: 'Complained', week: 30 });
    const unpublished = await seed([], { title: 'Unpublished', week: 29, announced_at: release });
    const never = await seed([], {
      title: 'Never',
      week: 28,
      publish_at: Date.UTC(2027, 0, 1),
      announced_at: null,
    });
    for (const track of [complained, unpublished, never]) await hear(track, '2026-07-04');
    const change = async (url: string, payload: object) => {
      const { statusCode, body } = await owner.request({ method: 'POST', url, payload });
      expect([statusCode, body]).toEqual([200, expect.any(String)]);
    };
    const complaint = { complainant: 'A label', reason: 'A sample', email: '', reference: '' };
    for (const { id } of [complained, never]) {
      const url = `/api/admin/tracks/${id}`;
      await change(`${url}/take-down`, complaint);
      await change(`${url}/put-back`, { reason: 'It was cleared', as: 'draft' });
    }
    await change('/api/admin/tracks/bulk', { action: 'unpublish', ids: [unpublished.id] });
    const lines = await readCells((await make()).id);
    expect(lines.map(({ Mix, Released }) => [Mix, Released])).toEqual([
      ['Complained', '2026-07-03'],
      ['Unpublished', '2026-07-03'],
      ['Never', ''],
      ['', ''],
    ]);
  });

  it('is made once for each form, however often it is sent, and once at a time for its subject', async () => {
    const request = 'the-very-same-request';
    const [first, second] = await Promise.all([ask({ request }), ask({ request })]);
    const third = await ask();
    const ids = [first, second, third].map((response) => response.json<UsageReport>().id);
    expect(new Set(ids).size).toBe(1);
    expect(first.json()).toMatchObject({ number: 1, state: 'making', sha256: null });
    const other = await ask({ layout: 'samro' });
    expect(other.json()).toMatchObject({ number: 2 });
    await test.worker.runDue();
    expect((await listReports()).map(({ number, state }) => [number, state])).toEqual([
      [2, 'ready'],
      [1, 'ready'],
    ]);
    expect((await ask({ request })).json()).toMatchObject({ number: 1, state: 'ready' });
  });

  it('is never taken for one that is made with other totals', async () => {
    const answers = await Promise.all([
      ask({ territory: 'Namibia' }),
      ...Array.from({ length: 9 }, (_, index) => ask({ revenue: index * 1_00 })),
    ]);
    const refused = answers.filter(({ statusCode }) => statusCode === 400);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(refused).toHaveLength(9);
    for (const answer of refused)
      expect(answer.json()).toMatchObject({
        message: expect.stringContaining('with other totals is being made') as unknown,
      });
    await test.worker.runDue();
    expect(await make({ revenue: 7 })).toMatchObject({ number: 2, previous: 1 });
  });

  it('of a period in which nothing was heard has the sums alone', async () => {
    await hear(await seed(two), '2026-07-01');
    expect(await outlook('2026-06')).toMatchObject({ gaps: [], totals: { tracks: 0, entries: 0 } });
    const { id, totals } = await make({ period: '2026-06' });
    expect(totals).toMatchObject({ tracks: 0, entries: 0, outside: 0 });
    expect(await readCells(id)).toMatchObject([
      { Line: 'Total', Plays: '0', 'Podcast plays (estimate)': '0', Territory: 'South Africa' },
    ]);
  });

  it('is refused unless its period is over and added up', async () => {
    for (const [period, message] of [
      ['2026-12', 'This period is in the future. Choose one that is over.'],
      ['2026-09-30_2026-07-01', 'The period ends before it begins.'],
      ['2024-01-01_2026-09-30', 'Choose a period of up to a year.'],
      ['1970-01-01_1970-03-31', 'Enter a month or two days from 2000 to 2099.'],
      ['9999-01', 'Enter a month or two days from 2000 to 2099.'],
      ['2026-11-01_2026-11-14', expect.stringContaining('isn’t added up yet')],
    ] as const)
      for (const response of [
        await ask({ period }),
        await owner.request({ url: `/api/admin/rights/outlook?period=${period}` }),
      ])
        expect([response.statusCode, response.json()]).toMatchObject([
          400,
          { fields: { period: message } },
        ]);
    expect((await ask({ revenue: -1 })).statusCode).toBe(400);
    expect((await ask({ territory: ' ' })).statusCode).toBe(400);
    expect(await listReports()).toEqual([]);
  });
});

describe('a tracklist that is corrected afterwards', () => {
  it('leaves the old report as it is, and the next says what changed', async () => {
    await addRecording('long-road', { composer: null });
    const track = await seed(two);
    await hear(track, '2026-07-04');
    const old = await make();
    const bytes = (await download(old.id)).rawPayload;
    await db()
      .updateTable('recordings')
      .set({ composer: '=T. Mokoena' })
      .where('id', '=', 'long-road')
      .execute();
    await db()
      .updateTable('tracks')
      .set({ chapters: JSON.stringify([two[0], { at: 150, artist: null, title: 'Untitled' }]) })
      .where('id', '=', track.id)
      .execute();
    const next = await make({ revenue: 400_00 });
    expect(next).toMatchObject({ number: 2, previous: 1 });
    const change = (title: string, column: string, before: string, after: string) => ({
      change: 'changed',
      track: title === '' ? 'Total' : 'Golden Hour',
      title,
      column,
      before,
      after,
    });
    const items = [
      change('', 'Revenue of the period', '500.00', '400.00'),
      change('Long Road', 'Composer', '', '=T. Mokoena'),
      change('Long Road', 'Seconds heard', '100', '150'),
      change('Untitled', 'Starts at second', '100', '150'),
      change('Untitled', 'Seconds heard', '200', '150'),
    ];
    expect(next.changes).toEqual({ added: 0, removed: 0, changed: 5, items });
    expect(await readCells(next.id, 'changes')).toEqual(
      items.map((item) => ({
        Change: 'changed',
        Mix: item.track,
        Title: item.title,
        Column: item.column,
        Before: item.before,
        // A spreadsheet would run it.
        After: item.after.replace('=', "'="),
      })),
    );
    expect((await download(old.id)).rawPayload).toEqual(bytes);
    expect(await read(old.id)).toEqual(old);
    const again = await owner.request({
      method: 'POST',
      url: `/api/admin/rights/reports/${old.id}/again`,
    });
    expect(again.json()).toEqual({ sha256: old.sha256, isSame: true });
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(old.sha256);
    expect(bytes.length).toBe(old.size);
    // Another period and another layout have changed nothing.
    expect(await make({ layout: 'capasso' })).toMatchObject({ previous: null, changes: null });
    expect((await download(old.id, 'changes')).statusCode).toBe(404);
  });
});

it.each([
  ['missing', null],
  ['damaged', '{"format":1,'],
])(
  'opens a report and gives its file although what is kept of the one before is %s',
  async (problem, content) => {
    await hear(await seed(two), '2026-07-04');
    const [first, second] = [await make(), await make()];
    expect(second.changes).not.toBeNull();
    const { snapshot_key: key } = await db()
      .selectFrom('usage_reports')
      .select('snapshot_key')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    if (content === null) await test.deps.storage.delete(key ?? '');
    else await test.deps.storage.put(key ?? '', Buffer.from(content));
    expect(await read(second.id)).toEqual({ ...second, changes: null });
    expect((await download(second.id)).statusCode).toBe(200);
    const again = { method: 'POST', url: `/api/admin/rights/reports/${first.id}/again` } as const;
    for (const response of [await download(second.id, 'changes'), await owner.request(again)])
      expect([response.statusCode, response.json()]).toMatchObject([
        500,
        { message: `What is kept of the report is ${problem}. Restore ${key} from a backup.` },
      ]);
  },
);

describe('what a report would lack', () => {
  it('is listed before it is made, with the mixes in which it is mended', async () => {
    await addRecording('long-road', { publisher: null });
    await addRecording('same-isrc');
    await addRecording('own', { is_own: 1, publisher: null, label: null, isrc: null });
    const track = await seed([
      ...two,
      { at: null, artist: 'Bheki', title: 'Again', recordingId: 'same-isrc' },
      { at: 200, artist: 'Me', title: 'Mine', recordingId: 'own' },
    ]);
    const bare = await seed([], { title: 'Bare', week: 30, deleted_at: 1 });
    const unheard = await seed([], { title: 'Unheard' });
    await db()
      .insertInto('past_tracklists')
      .values([
        { track_id: track.id, until_at: Date.UTC(2026, 6, 2), chapters: '[]', duration_ms: 1 },
        // On the first second of the day after the quarter, in the site's time zone.
        {
          track_id: bare.id,
          until_at: Date.parse('2026-10-01T00:00+02:00'),
          chapters: '[]',
          duration_ms: 1,
        },
      ])
      .execute();
    await addUp('2026-07-04', '2026-07-25');
    await hear(track, '2026-07-04', { unplaced_ms: 61_000, plays: 2 });
    await hear(track, '2026-07-04', { kind: 'podcast', spans: '[]', plays: 7, listened_ms: 0 });
    await hear(bare, '2026-07-25');
    await hear(unheard, '2026-06-30');
    const found = await outlook();
    expect(found).toMatchObject({
      from: '2026-07-01',
      to: '2026-09-30',
      territory: 'South Africa',
      currency: 'ZAR',
      revenue: { calculated: 0, sales: 0, refunds: 0 },
      totals: {
        tracks: 2,
        entries: 4,
        heard: {
          full: { plays: 3, seconds: 600 },
          preview: { plays: 0, seconds: 0 },
          subsonic: { plays: 0, seconds: 0 },
          podcast: { plays: 7, seconds: 0 },
        },
      },
    });
    expect(
      found.gaps.map(({ gap, count, tracks }) => [gap, count, tracks.map(({ title }) => title)]),
    ).toEqual([
      ['no-tracklist', 1, ['Bare']],
      ['time', 1, ['Golden Hour']],
      ['artist', 1, ['Golden Hour']],
      ['composer', 1, ['Golden Hour']],
      ['publisher', 2, ['Golden Hour']],
      ['label', 1, ['Golden Hour']],
      ['isrc', 1, ['Golden Hour']],
      ['repeated-isrc', 2, ['Golden Hour']],
      ['replaced', 1, ['Golden Hour']],
      ['unplaced', 61, ['Golden Hour']],
      ['estimates', 7, ['Golden Hour']],
    ]);
    expect(found.gaps[0]?.tracks[0]).toMatchObject({ id: bare.id, isDeleted: true });
    // What was confirmed last comes first the next time.
    await make({ territory: 'Namibia' });
    expect((await outlook()).territory).toBe('Namibia');
  });

  it('is listed of tracklists that were heard before the audio was replaced, too', async () => {
    await addRecording('long-road', { composer: null });
    await addRecording('whole', { isrc: 'ZAUM71900002' });
    const whole = { at: 0, artist: 'Thandi', title: 'Whole', recordingId: 'whole' };
    const track = await seed([whole]);
    const never = await seed([whole], { title: 'Not heard before', week: 30 });
    const until_at = Date.parse('2026-08-10T12:00+02:00');
    await db()
      .insertInto('past_tracklists')
      .values(
        [track, never].map(({ id }) => ({
          track_id: id,
          until_at,
          chapters: JSON.stringify(two),
          duration_ms: 300_000,
        })),
      )
      .execute();
    await addUp('2026-08-09', '2026-08-10', '2026-08-11');
    await hear(track, '2026-08-10', { until_at });
    await hear(track, '2026-08-11');
    await hear(never, '2026-08-11');
    const found = await outlook();
    expect(
      found.gaps.map(({ gap, tracks }) => [gap, tracks.map(({ count, past }) => [count, past])]),
    ).toEqual([
      ['artist', [[1, 1]]],
      ['composer', [[2, 2]]],
      ['publisher', [[1, 1]]],
      ['label', [[1, 1]]],
      ['isrc', [[1, 1]]],
      [
        'replaced',
        [
          [1, 0],
          [1, 0],
        ],
      ],
    ]);
    expect(found.totals.entries).toBe(4);
    expect((await make()).totals?.entries).toBe(4);
    // What names a recording is corrected where all of them are.
    await db().updateTable('recordings').set({ composer: 'T. Mokoena' }).execute();
    expect((await outlook()).gaps).toContainEqual(
      expect.objectContaining({ gap: 'composer', count: 1 }),
    );
    // Only the old tracklist was heard.
    await hear(track, '2026-06-02');
    expect(await outlook('2026-06')).toMatchObject({ totals: { entries: 2 } });
  });
});

describeOnSqlite('a server that is killed while it makes a report', () => {
  const died = () => Promise.reject(new Killed('The process was killed.'));

  /** One attempt, in which the process dies: between the two files, or after both. */
  async function attempt(id: string, diesAt: 'file' | 'finish') {
    const { storage } = test.deps;
    let files = 0;
    const adopt: Storage['adopt'] = (key, path) => {
      files += 1;
      return files === 2 && diesAt === 'file' ? died() : storage.adopt(key, path);
    };
    await makeUsageReport.execute(
      { ...test.deps, storage: { ...storage, adopt } },
      JSON.stringify({ id }),
      {
        id: 'attempt',
        attempt: 1,
        maxAttempts: 4,
        signal: new AbortController().signal,
        finish: died,
      },
    );
  }

  async function listFiles() {
    const keys: string[] = [];
    for await (const { key } of test.deps.storage.list('usage-reports')) keys.push(key);
    return keys.map((key) => key.replace(/^.*\./, '')).toSorted();
  }

  it.each([
    ['file', ['jsonl']],
    ['finish', ['csv', 'jsonl']],
  ] as const)(
    'leaves nothing half (%s): the next attempt makes it, and deletes what the first one left',
    async (diesAt, left) => {
      const track = await seed(two);
      await hear(track, '2026-07-04');
      const { id } = (await ask()).json<UsageReport>();
      await expect(attempt(id, diesAt)).rejects.toThrow(Killed);
      expect(await listFiles()).toEqual(left);
      expect(await read(id)).toMatchObject({ state: 'making', sha256: null, totals: null });
      expect((await download(id)).statusCode).toBe(404);
      // What is heard of late makes other bytes.
      await hear(track, '2026-07-05');
      await test.worker.runDue();
      expect(await read(id)).toMatchObject({
        state: 'ready',
        totals: { heard: { full: { plays: 2 } } },
      });
      expect((await download(id)).statusCode).toBe(200);
      expect(await listFiles()).toEqual(['csv', 'jsonl']);
    },
  );
});

describeOnSqlite('the file of a report', () => {
  it('is in a backup and moves to S3, and is refused where it isn’t what was made', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'test-usage-reports-'));
    const s3 = await startS3Server();
    try {
      await hear(await seed(two), '2026-07-04');
      const report = await make();
      const bytes = (await download(report.id)).rawPayload;
      const { file_key: key } = await db()
        .selectFrom('usage_reports')
        .select('file_key')
        .executeTakeFirstOrThrow();
      const backup = join(folder, 'backup');
      await openRepository(backup, () => undefined);
      const site = { database: (test.deps.database as TestDatabase).settings, files: null };
      await saveBackup({ ...site, store: test.deps.storage }, backup, {
        now: test.clock.now(),
        report: () => undefined,
      });
      const { filePath } = await openBackup(backup);
      expect(await readFile(filePath(key ?? ''))).toEqual(bytes);

      const storage = createS3Storage(s3.settings);
      await moveFiles(test.deps.storage, storage, {
        now: test.clock.now(),
        report: () => undefined,
        progressFile: join(folder, 'progress'),
        storeName: 's3',
      });
      Object.assign(test.deps, { storage });
      const moved = await download(report.id);
      const file = await fetch(moved.headers.location ?? '');
      expect([moved.statusCode, Buffer.from(await file.arrayBuffer())]).toEqual([302, bytes]);
      expect(file.headers.get('content-disposition')).toContain('attachment');

      await storage.put(key ?? '', Buffer.from('Something else'));
      const damaged = await download(report.id);
      expect([damaged.statusCode, damaged.json()]).toMatchObject([
        500,
        { message: expect.stringContaining(`its SHA-256 isn’t ${report.sha256}`) as unknown },
      ]);
      await storage.delete(key ?? '');
      expect((await download(report.id)).statusCode).toBe(500);
    } finally {
      await s3.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describeOnSqlite('reports', () => {
  it('are for the owner, and each step is in the audit log', async () => {
    const { client: helper } = await createHelper(test);
    const report = await make();
    test.clock.advance(1);
    await download(report.id);
    // The page asks first whether there is a file.
    const asked = await owner.request({
      method: 'HEAD',
      url: `/api/admin/rights/reports/${report.id}/report.csv`,
    });
    expect(asked.statusCode).toBe(200);
    const urls = [
      'reports',
      'periods',
      `outlook?period=${QUARTER}`,
      `reports/${report.id}/report.csv`,
    ];
    for (const url of urls) {
      const response = await helper.request({ url: `/api/admin/rights/${url}` });
      expect([url, response.statusCode]).toEqual([url, 404]);
    }
    const entries = await db()
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('action', 'like', 'usage-report.%')
      .orderBy('id')
      .execute();
    expect(entries).toEqual([
      {
        action: 'usage-report.made',
        after: JSON.stringify({ period: QUARTER, layout: 'General CSV', revenue: 500_00 }),
      },
      { action: 'usage-report.downloaded', after: JSON.stringify({ number: 1 }) },
    ]);
    const { headers } = await download(report.id);
    expect(headers['content-disposition']).toContain('attachment');
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  });
});
