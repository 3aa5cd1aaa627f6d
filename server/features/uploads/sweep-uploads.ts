import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ABANDONED_UPLOAD_MS } from '#contract/uploads.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { listHeldBackKeys } from '../ingest/service.ts';
import { sweepWorkFolders } from '../../jobs/work-folder.ts';
import {
  deleteUpload,
  findUpload,
  listUploadsAfter,
  listUsedKeys,
  type UploadRow,
} from './queries.ts';
import { receiveUpload } from './receive.ts';
import { isUploadId, uploadFolder, uploadPath } from './upload-folder.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';

const BATCH = 200;
/** A list of what was uploaded is of use for a while; the mixes themselves stay. */
const LISTED_MS = 60 * DAY;
/** Work that is under way writes its file before its row; none of it takes this long. */
const ORPHAN_MS = 2 * DAY;
const FOLDERS = ['masters', 'tracks', 'covers'] as const;

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  );

/** Ends what nobody goes on with, and goes on with what was whole when the server stopped. */
async function sweepRow(deps: Deps, upload: UploadRow) {
  const { database, clock, config } = deps;
  const { id, state } = upload;
  const age = clock.now() - upload.updated_at;
  if (state === 'uploading' && (await sizeOf(uploadPath(config, id))) === upload.size)
    return receiveUpload(deps, id);
  const isOld =
    (state === 'uploading' && age > ABANDONED_UPLOAD_MS) ||
    ((state === 'refused' || state === 'duplicate') && age > ABANDONED_UPLOAD_MS) ||
    (state === 'finished' && age > LISTED_MS);
  if (!isOld) return;
  await deleteUpload(database.db, id, [state]);
  await rm(uploadPath(config, id), { force: true });
}

async function sweepRows(deps: Deps, signal: AbortSignal) {
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const rows = await listUploadsAfter(deps.database.db, { after, limit: BATCH });
    for (const row of rows) await sweepRow(deps, row);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.id;
  }
}

/** Files of no upload: a row is written a moment after its file, and ends a moment before it. */
async function sweepFolder({ config, database, clock }: Deps) {
  const folder = uploadFolder(config);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const age = clock.now() - (await stat(path).catch(() => ({ mtimeMs: Infinity }))).mtimeMs;
    if (age < HOUR) continue;
    const row = isUploadId(name) ? await findUpload(database.db, name) : undefined;
    // A plain form on a slow line has its row when it is whole.
    if (!row && age < DAY) continue;
    const isNeeded = row && row.state !== 'finished' && row.state !== 'refused';
    if (!isNeeded) await rm(path, { force: true, recursive: true });
  }
}

/** Masters have their name before their mix has: a file that is being taken in belongs to its upload. */
async function isBeingTakenIn({ database }: Deps, key: string): Promise<boolean> {
  const [, id] = /^masters\/([^./]+)\./.exec(key) ?? [];
  const row = id ? await findUpload(database.db, id) : undefined;
  return row?.state === 'received';
}

/** Files in the store that no row speaks of. */
export async function* findOrphans(deps: Deps, before: number): AsyncIterable<string> {
  for (const folder of FOLDERS) {
    let keys: string[] = [];
    const sift = async () => {
      // Asked in this order: what is held is used the moment after.
      const held = await listHeldBackKeys(deps.database.db);
      const used = await listUsedKeys(deps.database.db, keys);
      const unused = keys.filter((key) => !used.has(key) && !held.has(key));
      keys = [];
      return unused;
    };
    for await (const file of deps.storage.list(folder)) {
      if (file.modifiedAt < before) keys.push(file.key);
      if (keys.length >= BATCH) yield* await sift();
    }
    yield* await sift();
  }
}

export async function sweepUploads(deps: Deps, signal: AbortSignal): Promise<void> {
  await sweepRows(deps, signal);
  await sweepFolder(deps);
  await sweepWorkFolders(deps);
  const before = deps.clock.now() - ORPHAN_MS;
  // Not every store can tell what was left unfinished; the rest is swept all the same.
  await deps.storage
    .deleteUnfinished(before)
    .catch((error: unknown) => deps.log.warn({ err: error }, 'unfinished files were not removed'));
  for await (const key of findOrphans(deps, before)) {
    signal.throwIfAborted();
    if (await isBeingTakenIn(deps, key)) continue;
    await deps.storage.delete(key);
    deps.log.info({ key }, 'a file that belonged to nothing was removed');
  }
}

export const sweepUploadedFiles = defineSchedule({
  name: 'sweep-uploaded-files',
  everyMs: HOUR,
  run: async (deps: Deps, { signal }) => sweepUploads(deps, signal),
});
