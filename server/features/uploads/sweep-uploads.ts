import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { ABANDONED_UPLOAD_MS } from '#contract/admin/uploads.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { sweepWorkFolders } from '../../jobs/work-folder.ts';
import { isClockSteady } from '../../jobs/wrong-clock.ts';
import { listUnpublishedKeys } from '../ingest/service.ts';
import {
  deleteUpload,
  findUpload,
  listUploadsAfter,
  listUsedKeys,
  type UploadRow,
} from './queries.ts';
import { isUploadId, uploadFolder, uploadPath } from './upload-folder.ts';
import { adoptLocalFile, deleteParts } from './parts.ts';
import { markUploadReceived } from './upload-lifecycle.ts';

const BATCH = 200;
/** Finished uploads stay in the list for a while; their tracks stay permanently. */
const LISTED_MS = 60 * DAY;
/** Whatever writes a file writes its row soon afterwards; `isBeingMade` knows what takes longer. */
const ORPHAN_MS = 6 * HOUR;
/** A file that is still being written has changed since. */
const UNFINISHED_MS = HOUR;
const FOLDERS = ['masters', 'tracks', 'covers', 'uploads', 'probes'] as const;

/** Deletes abandoned uploads, and continues with those that were complete when the server stopped. */
async function sweepRow(deps: Deps, found: UploadRow, isSteady: boolean) {
  const { clock, config } = deps;
  const upload = await adoptLocalFile(deps, found);
  const { id, state } = upload;
  const age = clock.now() - found.updated_at;
  if (state === 'uploading' && upload.received === upload.size) return markUploadReceived(deps, id);
  const isOld =
    (state === 'uploading' && age > ABANDONED_UPLOAD_MS) ||
    ((state === 'refused' || state === 'duplicate') && age > ABANDONED_UPLOAD_MS) ||
    (state === 'finished' && age > LISTED_MS);
  if (!isOld || !isSteady) return;
  await deps.database.db.transaction().execute(async (tx) => {
    // A part that arrives now is found as an orphan later.
    await deleteParts(tx, id, clock.now());
    await deleteUpload(tx, id, [state]);
  });
  await rm(uploadPath(config, id), { force: true });
}

async function sweepRows(deps: Deps, signal: AbortSignal, isSteady: boolean) {
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const rows = await listUploadsAfter(deps.database.db, { after, limit: BATCH });
    for (const row of rows) await sweepRow(deps, row, isSteady);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.id;
  }
}

/** Deletes what stopped requests left on this machine. A row is created just after its file and deleted just before. */
async function sweepFolder({ config, database, clock }: Deps) {
  const folder = uploadFolder(config);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const age = clock.now() - (await stat(path).catch(() => ({ mtimeMs: Infinity }))).mtimeMs;
    if (age < UNFINISHED_MS) continue;
    const row = isUploadId(name) ? await findUpload(database.db, name) : undefined;
    const isNeeded = row && row.state !== 'finished' && row.state !== 'refused';
    if (!isNeeded) await rm(path, { force: true, recursive: true });
  }
}

/**
 * Whether unfinished work will use the file: a master belongs to its upload until its track exists,
 * and the files of an ingest to their run until their stage is saved.
 */
async function isBeingMade({ database: { db } }: Deps, key: string): Promise<boolean> {
  const [, id] = /^[a-z]+\/([0-9a-z]+)[-./]/.exec(key) ?? [];
  if (!id) return false;
  const run = await db
    .selectFrom('ingest_runs')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'processing')
    .executeTakeFirst();
  return run !== undefined || (await findUpload(db, id))?.state === 'received';
}

/** Files in the store that no row uses. */
export async function* findOrphans(deps: Deps, before: number): AsyncIterable<string> {
  for (const folder of FOLDERS) {
    let keys: string[] = [];
    const filterOrphans = async () => {
      // In this order, because an unpublished key can become a used one in between.
      const unpublished = await listUnpublishedKeys(deps.database.db);
      const used = await listUsedKeys(deps.database.db, keys);
      const unused = keys.filter((key) => !used.has(key) && !unpublished.has(key));
      keys = [];
      return unused;
    };
    for await (const file of deps.storage.list(folder)) {
      if (file.modifiedAt < before) keys.push(file.key);
      if (keys.length >= BATCH) yield* await filterOrphans();
    }
    yield* await filterOrphans();
  }
}

/** If the clock can't be trusted, it only continues complete uploads and deletes nothing. */
export async function sweepUploads(
  deps: Deps,
  signal: AbortSignal,
  isSteady = true,
): Promise<void> {
  await sweepRows(deps, signal, isSteady);
  if (!isSteady) return;
  await sweepFolder(deps);
  await sweepWorkFolders(deps);
  const before = deps.clock.now() - ORPHAN_MS;
  // Some stores cannot list unfinished files; the sweep continues without.
  await deps.storage
    .deleteUnfinished(deps.clock.now() - UNFINISHED_MS)
    .catch((error: unknown) => deps.log.warn({ err: error }, 'Could not remove unfinished files.'));
  for await (const key of findOrphans(deps, before)) {
    signal.throwIfAborted();
    if (await isBeingMade(deps, key)) continue;
    await deps.storage.delete(key);
    deps.log.info({ key }, 'Removed an orphaned file.');
  }
}

export const sweepUploadedFiles = defineSchedule({
  name: 'sweep-uploaded-files',
  lane: 'files',
  everyMs: HOUR,
  run: async (deps: Deps, { signal }) => sweepUploads(deps, signal, await isClockSteady(deps)),
});
