import { mkdir } from 'node:fs/promises';
import { MAX_UPLOAD_BYTES } from '#contract/admin/uploads.ts';
import { buildUpload } from '../../db/build-rows.ts';
import type { Deps } from '../../deps.ts';
import { readFreeBytes, RESERVE_BYTES } from '../../ports/storage/disk-space.ts';
import { AppError } from '../../http/route/app-error.ts';
import { newId } from '../../db/ids.ts';
import { enqueue } from '../../jobs/queue.ts';
import { deleteFiles, deleteUnusedCover } from '../catalogue/service.ts';
import { publishSignal } from '../live/service.ts';
import { completeUpload } from './jobs.ts';
import { listParts } from './parts.ts';
import { deleteUpload, findUpload, insertUpload, trackExists, updateUpload } from './queries.ts';
import { uploadFolder } from './upload-folder.ts';

/** The renditions take about as much space again as the master. */
export const hasDiskSpace = (freeBytes: number, size: number): boolean =>
  freeBytes >= size * 2 + RESERVE_BYTES;

export async function assertDiskSpace({ config }: Deps, size: number) {
  const folder = uploadFolder(config);
  // The first upload of a site finds no folder.
  await mkdir(folder, { recursive: true });
  if (!hasDiskSpace(await readFreeBytes(folder), size))
    throw new AppError('disk_full', {
      message: 'The server’s disk has no room for this file. Free up space, then try again.',
    });
}

/** The file name without its path, as plain text. */
const cleanName = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? '')
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 255) || 'untitled';

export type NewUpload = {
  id: string;
  userId: string;
  fileName: string;
  size: number;
  replacesId?: string | null;
  draft?: string;
  /** If it is known before the file is checked. */
  sha256?: string;
};

export const newUploadId = ({ clock }: Deps): string => newId(clock.now());

/** Announces a file. Refuses what can be refused before its first byte. */
export async function createUpload(deps: Deps, upload: NewUpload): Promise<void> {
  const { database, clock } = deps;
  const { id, userId, fileName, size, replacesId = null, draft = '{}', sha256 = null } = upload;
  if (size > MAX_UPLOAD_BYTES)
    throw new AppError('payload_too_large', { message: 'The file is larger than 4 GB.' });
  if (size === 0) throw new AppError('audio_refused', { message: 'The file is empty.' });
  await assertDiskSpace(deps, size);
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    if (replacesId && !(await trackExists(tx, replacesId))) throw new AppError('not_found');
    const file = { file_name: cleanName(fileName), size, sha256 };
    const owner = { user_id: userId, replaces_id: replacesId };
    await insertUpload(tx, buildUpload({ id, ...file, ...owner, draft, created_at: now }));
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** All bytes are on disk: the job that completes the upload is enqueued in the same transaction. Idempotent. */
export async function markUploadReceived(deps: Deps, id: string): Promise<void> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const row = await findUpload(tx, id);
    if (!row) return;
    const change = { state: 'received' as const, received: row.size, updated_at: now };
    const moved = await updateUpload(tx, id, ['uploading'], change);
    if (!moved) return;
    await enqueue(tx, completeUpload, { uploadId: id }, { now, uniqueKey: `upload:${id}` });
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
}

export async function refuseUpload({ database, clock }: Deps, id: string, failure: string) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    await updateUpload(tx, id, ['uploading', 'received'], {
      state: 'refused',
      failure,
      updated_at: now,
    });
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** Also dismisses an ended upload. */
export async function cancelUpload({ database, clock, jobs }: Deps, id: string): Promise<void> {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const row = await findUpload(tx, id);
    if (!row) throw new AppError('not_found');
    const isStuck = row.state === 'received' && row.failure !== null;
    const states = ['uploading', 'duplicate', 'refused', 'finished'] as const;
    // Their rows go with the upload.
    const keys = (await listParts(tx, id)).map(({ key }) => key);
    const gone = await deleteUpload(tx, id, isStuck ? [...states, 'received'] : states);
    if (!gone) throw new AppError('upload_busy');
    if (keys.length > 0) await enqueue(tx, deleteFiles, { keys }, { now });
    if (row.cover_key) await enqueue(tx, deleteUnusedCover, { key: row.cover_key }, { now });
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
}
