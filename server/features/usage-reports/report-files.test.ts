import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UsageReport } from '#contract/admin/usage-reports.ts';
import { createS3Storage } from '../../ports/storage/s3-storage.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { Killed } from '../../testing/kill-process.ts';
import { startS3Server } from '../../testing/s3-server.ts';
import { createHelper } from '../../testing/test-admin.ts';
import type { TestDatabase } from '../../testing/test-database.ts';
import { moveFiles } from '../backup/move-site.ts';
import { openBackup } from '../backup/manifest.ts';
import { openRepository } from '../backup/repository.ts';
import { saveBackup } from '../backup/save-backup.ts';
import { makeUsageReport } from './jobs.ts';
import {
  QUARTER,
  startUsageReportSite,
  TWO_ENTRIES,
  type UsageReportSite,
} from '../../testing/usage-report-site.ts';

let site: UsageReportSite;
beforeEach(async () => {
  site = await startUsageReportSite();
});
afterEach(() => site.close());

it.each([
  ['missing', null],
  ['damaged', '{"format":1,'],
])(
  'opens a report and gives its file although what is kept of the one before is %s',
  async (problem, content) => {
    await site.hear(await site.seed(TWO_ENTRIES), '2026-07-04');
    const [first, second] = [await site.make(), await site.make()];
    expect(second.changes).not.toBeNull();
    const { snapshot_key: key } = await site.db
      .selectFrom('usage_reports')
      .select('snapshot_key')
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
    if (content === null) await site.deps.storage.delete(key ?? '');
    else await site.deps.storage.put(key ?? '', Buffer.from(content));
    expect(await site.read(second.id)).toEqual({ ...second, changes: null });
    expect((await site.download(second.id)).statusCode).toBe(200);
    const again = { method: 'POST', url: `/api/admin/rights/reports/${first.id}/again` } as const;
    for (const response of [
      await site.download(second.id, 'changes'),
      await site.owner.request(again),
    ])
      expect([response.statusCode, response.json()]).toMatchObject([
        500,
        { message: `What is kept of the report is ${problem}. Restore ${key} from a backup.` },
      ]);
  },
);

describe('a server that is killed while it makes a report', () => {
  const died = () => Promise.reject(new Killed('The process was killed.'));

  /** One attempt, in which the process dies: between the two files, or after both. */
  async function attempt(id: string, diesAt: 'file' | 'finish') {
    const { storage } = site.deps;
    let files = 0;
    const adopt: Storage['adopt'] = (key, path) => {
      files += 1;
      return files === 2 && diesAt === 'file' ? died() : storage.adopt(key, path);
    };
    await makeUsageReport.execute(
      { ...site.deps, storage: { ...storage, adopt } },
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
    for await (const { key } of site.deps.storage.list('usage-reports')) keys.push(key);
    return keys.map((key) => key.replace(/^.*\./, '')).toSorted();
  }

  it.each([
    ['file', ['jsonl']],
    ['finish', ['csv', 'jsonl']],
  ] as const)(
    'leaves nothing half (%s): the next attempt makes it, and deletes what the first one left',
    async (diesAt, left) => {
      const track = await site.seed(TWO_ENTRIES);
      await site.hear(track, '2026-07-04');
      const { id } = (await site.ask()).json<UsageReport>();
      await expect(attempt(id, diesAt)).rejects.toThrow(Killed);
      expect(await listFiles()).toEqual(left);
      expect(await site.read(id)).toMatchObject({ state: 'making', sha256: null, totals: null });
      expect((await site.download(id)).statusCode).toBe(404);
      // What is heard of late makes other bytes.
      await site.hear(track, '2026-07-05');
      await site.worker.runDue();
      expect(await site.read(id)).toMatchObject({
        state: 'ready',
        totals: { heard: { full: { plays: 2 } } },
      });
      expect((await site.download(id)).statusCode).toBe(200);
      expect(await listFiles()).toEqual(['csv', 'jsonl']);
    },
  );
});

describe('the file of a report', () => {
  it('is in a backup and moves to S3, and is refused where it isn’t what was made', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'test-usage-reports-'));
    const s3 = await startS3Server();
    try {
      await site.hear(await site.seed(TWO_ENTRIES), '2026-07-04');
      const report = await site.make();
      const bytes = (await site.download(report.id)).rawPayload;
      const { file_key: key } = await site.db
        .selectFrom('usage_reports')
        .select('file_key')
        .executeTakeFirstOrThrow();
      const backup = join(folder, 'backup');
      await openRepository(backup, () => undefined);
      const source = { database: (site.deps.database as TestDatabase).settings, files: null };
      await saveBackup({ ...source, store: site.deps.storage }, backup, {
        now: site.clock.now(),
        report: () => undefined,
      });
      const { filePath } = await openBackup(backup);
      expect(await readFile(filePath(key ?? ''))).toEqual(bytes);

      const storage = createS3Storage(s3.settings);
      await moveFiles(site.deps.storage, storage, {
        now: site.clock.now(),
        report: () => undefined,
        progressFile: join(folder, 'progress'),
        storeName: 's3',
      });
      Object.assign(site.deps, { storage });
      const moved = await site.download(report.id);
      const file = await fetch(moved.headers.location ?? '');
      expect([moved.statusCode, Buffer.from(await file.arrayBuffer())]).toEqual([302, bytes]);
      expect(file.headers.get('content-disposition')).toContain('attachment');

      await storage.put(key ?? '', Buffer.from('Something else'));
      const damaged = await site.download(report.id);
      expect([damaged.statusCode, damaged.json()]).toMatchObject([
        500,
        { message: expect.stringContaining(`its SHA-256 isn’t ${report.sha256}`) as unknown },
      ]);
      await storage.delete(key ?? '');
      expect((await site.download(report.id)).statusCode).toBe(500);
    } finally {
      await s3.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('reports', () => {
  it('are for the owner, and each step is in the audit log', async () => {
    const { client: helper } = await createHelper(site);
    const report = await site.make();
    site.clock.advance(1);
    await site.download(report.id);
    // The page asks first whether there is a file.
    const asked = await site.owner.request({
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
    const entries = await site.db
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
    const { headers } = await site.download(report.id);
    expect(headers['content-disposition']).toContain('attachment');
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  });
});
