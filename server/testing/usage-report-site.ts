import { expect } from 'vitest';
import type {
  UsageChanges,
  UsageOutlook,
  UsageReport,
  UsageReportForm,
} from '#contract/admin/usage-reports.ts';
import type { Page } from '#contract/paging.ts';
import { DAY } from '#contract/rules/time.ts';
import type { RecordingsTable } from '../db/types/recording-tables.ts';
import type { TracksTable } from '../db/types/tables.ts';
import type { HeardDaysTable } from '../db/types/usage-tables.ts';
import { seedTrack } from './seed-track.ts';
import { createAdmin } from './test-admin.ts';
import { createTestApp } from './test-app.ts';

export const QUARTER = '2026-07-01_2026-09-30';

/** A tracklist with one entry that has a recording, and one that has none. */
export const TWO_ENTRIES = [
  { at: 0, artist: 'Thandi', title: 'Long Rd', recordingId: 'long-road' },
  { at: 100, artist: null, title: 'Untitled' },
];

export type UsageReportSite = Awaited<ReturnType<typeof startUsageReportSite>>;

/** A site whose owner reports what was heard in a quarter that is added up. */
export async function startUsageReportSite() {
  const test = await createTestApp();
  const { db } = test.deps.database;
  const { client: owner } = await createAdmin(test);

  async function addUp(...days: string[]) {
    for (const day of days) {
      const at = Date.parse(`${day}T00:00+02:00`);
      const times = { from_at: at, to_at: at + DAY, checked_at: at + DAY };
      await db
        .insertInto('usage_days')
        .values({ day, ...times })
        .execute();
    }
  }
  await addUp('2026-06-01', '2026-11-13');

  const get = async <T>(url: string): Promise<T> => {
    const response = await owner.request({ url: `/api/admin/rights/${url}` });
    expect([url, response.statusCode]).toEqual([url, 200]);
    return response.json<T>();
  };
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

  const download = async (id: string, file = 'report') =>
    owner.request({ url: `/api/admin/rights/reports/${id}/${file}.csv` });

  return {
    ...test,
    db,
    owner,
    addUp,
    ask,
    read,
    download,
    seed: (chapters: object[], change: Partial<TracksTable> = {}) =>
      seedTrack(
        { db, storage: test.deps.storage, now: test.clock.now() },
        {
          title: 'Golden Hour',
          duration_ms: 300_000,
          publish_at: Date.UTC(2026, 6, 3, 10),
          chapters: JSON.stringify(chapters),
          ...change,
        },
      ),
    hear: (track: TracksTable, day: string, change: Partial<HeardDaysTable> = {}) =>
      db
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
        .execute(),
    addRecording: (id: string, change: Partial<RecordingsTable> = {}) =>
      db
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
        .execute(),
    outlook: (period = QUARTER) => get<UsageOutlook>(`outlook?period=${period}`),
    listReports: async () => (await get<Page<UsageReport>>('reports')).items,
    async make(change: Partial<UsageReportForm> = {}) {
      const response = await ask(change);
      expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
      await test.worker.runDue();
      return read(response.json<UsageReport>().id);
    },
    /** The cells of a file without quotes, by its headers. */
    async readCells(id: string, file = 'report'): Promise<Record<string, string>[]> {
      const { body } = await download(id, file);
      const [head = '', ...lines] = body.replace('\uFEFF', '').trimEnd().split('\r\n');
      const headers = head.split(',');
      return lines.map((line) => {
        const cells = line.split(',');
        return Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? '']));
      });
    },
  };
}
