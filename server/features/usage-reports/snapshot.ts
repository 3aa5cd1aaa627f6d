import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { UsageTotals } from '#contract/admin/usage-reports.ts';
import { AppError } from '../../http/route/app-error.ts';
import { streamCsv } from '../../http/send/csv.ts';
import { hashStream } from '../../ports/storage/hash-file.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { buildUsageTable, type LayoutColumn, type ReportFacts, type UsageLine } from './layouts.ts';

/** All that a report's file is made from, with the columns of that time: first this, then its lines. */
type SnapshotHead = {
  format: 1;
  facts: ReportFacts;
  columns: readonly LayoutColumn[];
  totals: UsageTotals;
};
export type Snapshot = SnapshotHead & { lines: UsageLine[] };

function* writeLines({ lines, ...head }: Snapshot): Generator<string> {
  yield `${JSON.stringify(head)}\n`;
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

export const saveSnapshot = (snapshot: Snapshot, path: string): Promise<void> =>
  pipeline(Readable.from(writeLines(snapshot)), createWriteStream(path));

const lost = (key: string, problem: string) =>
  new AppError('internal', {
    message: `What is kept of the report is ${problem}. Restore ${key} from a backup.`,
  });

export async function openSnapshot(storage: Storage, key: string): Promise<Snapshot> {
  const file = await storage.open(key);
  if (!file) throw lost(key, 'missing');
  try {
    return await readSnapshot(file.stream);
  } catch (error) {
    if (error instanceof SyntaxError) throw lost(key, 'damaged');
    throw error;
  }
}

async function readSnapshot(stream: Readable): Promise<Snapshot> {
  const lines: UsageLine[] = [];
  let head: SnapshotHead | undefined;
  for await (const text of createInterface({ input: stream, crlfDelay: Infinity }))
    if (head) lines.push(JSON.parse(text) as UsageLine);
    else head = JSON.parse(text) as SnapshotHead;
  if (!head) throw new SyntaxError('The file is empty.');
  return { ...head, lines };
}

export const streamReport = ({ columns, facts, lines }: Snapshot): Readable =>
  streamCsv(buildUsageTable(columns, facts, lines));

export const hashReport = (snapshot: Snapshot): Promise<string> =>
  hashStream(streamReport(snapshot));
