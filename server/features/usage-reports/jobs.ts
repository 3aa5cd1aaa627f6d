import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Tx } from '../../db/connect.ts';
import type { UsageReportRow } from '../../db/types/usage-report-tables.ts';
import type { Deps } from '../../deps.ts';
import { defineJob, type RunningJob } from '../../jobs/define-job.ts';
import { withWorkFolder } from '../../jobs/work-folder.ts';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { publishSignal } from '../live/service.ts';
import { buildLines } from './build-lines.ts';
import { layouts } from './layouts.ts';
import { findReport, updateReport } from './queries.ts';
import { saveSnapshot, streamReport, type Snapshot } from './snapshot.ts';

const change = async (tx: Tx, id: string, values: Partial<UsageReportRow>, now: number) => {
  await updateReport(tx, id, values);
  await publishSignal(tx, 'admin:usage-reports', now);
};

export const makeUsageReport = defineJob({
  name: 'make-usage-report',
  payload: z.object({ id: z.string() }),
  maxAttempts: 4,
  run: async (deps: Deps, { id }, job) => {
    const { database, storage, clock } = deps;
    const report = await findReport(database.db, id);
    if (!report || report.state === 'ready') return job.finish();
    const made = await makeFiles(deps, report, job);
    await job.finish((tx) => change(tx, id, { ...made, state: 'ready' }, clock.now()));
    // What attempts left behind that were killed.
    const kept = [made.file_key, made.snapshot_key];
    for await (const { key } of storage.list(folderOf(id)))
      if (!kept.includes(key)) await storage.delete(key);
  },
  onDead: (tx, { id }, now) => change(tx, id, { state: 'failed' }, now),
  onRetry: async (tx, { id }) => {
    await updateReport(tx, id, { state: 'making' });
  },
});

const folderOf = (id: string): string => `usage-reports/${id}`;

/** Each file is named by its bytes, so that no attempt overwrites what another one wrote. */
async function makeFiles(deps: Deps, report: UsageReportRow, { id, signal }: RunningJob) {
  const { database, storage, config } = deps;
  const { territory, currency, layout, revenue_confirmed: revenue } = report;
  const period = { from: report.from_day, to: report.to_day };
  const snapshot: Snapshot = {
    format: 1,
    facts: { ...period, territory, currency, revenue },
    columns: layouts[layout],
    ...(await buildLines(database.db, period, config.timeZone, signal)),
  };
  return withWorkFolder(deps, id, async (folder) => {
    const store = async (path: string, extension: string) => {
      const { sha256, size } = await hashFile(path);
      const key = `${folderOf(report.id)}/${sha256}.${extension}`;
      await storage.adopt(key, path);
      return { key, sha256, size };
    };
    const [lines, csv] = [join(folder, 'lines'), join(folder, 'csv')];
    await saveSnapshot(snapshot, lines);
    await pipeline(streamReport(snapshot), createWriteStream(csv));
    signal.throwIfAborted();
    const { key: snapshotKey } = await store(lines, 'jsonl');
    const { key, sha256, size } = await store(csv, 'csv');
    return {
      file_key: key,
      snapshot_key: snapshotKey,
      sha256,
      size,
      totals: JSON.stringify(snapshot.totals),
    };
  });
}
