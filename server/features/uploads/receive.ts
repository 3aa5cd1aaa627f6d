import { statfs } from 'node:fs/promises';
import { MAX_UPLOAD_BYTES } from '#contract/uploads.ts';
import type { Deps } from '../../deps.ts';
import { buildUpload } from '../../db/build-rows.ts';
import { AppError } from '../../http/app-error.ts';
import { newId } from '../../ids.ts';
import { enqueue } from '../../jobs/queue.ts';
import { publishSignal } from '../live/service.ts';
import { deleteUnusedCover } from '../catalogue/service.ts';
import { completeUpload } from './jobs.ts';
import { changeUpload, deleteUpload, findUpload, insertUpload, trackExists } from './queries.ts';
import { uploadFolder } from './upload-folder.ts';

const MB = 1024 ** 2;
/** What the database and everybody else on this disk must still have when a file is in. */
const RESERVE_BYTES = 256 * MB;
/** Streams and downloads take about as much again as the master. */
export const hasRoom = (freeBytes: number, size: number): boolean =>
  freeBytes >= size * 2 + RESERVE_BYTES;

export async function assertRoom({ config }: Deps, size: number) {
  const { bavail, bsize } = await statfs(uploadFolder(config));
  if (!hasRoom(bavail * bsize, size))
    throw new AppError('disk_full', {
      message: 'The disk of the server has no room for this file. Make room, then try again.',
    });
}

/** The last part of whatever path it claims, as text. */
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
  /** Where it is known before the file is looked at. */
  sha256?: string;
};

export const newUploadId = ({ clock }: Deps): string => newId(clock.now());

/** Says that a file is coming. Refuses what can be refused before its first byte. */
export async function beginUpload(deps: Deps, upload: NewUpload): Promise<void> {
  const { database, clock } = deps;
  const { id, userId, fileName, size, replacesId = null, draft = '{}', sha256 = null } = upload;
  if (size > MAX_UPLOAD_BYTES)
    throw new AppError('payload_too_large', { message: 'The file is larger than 4 GB.' });
  if (size === 0) throw new AppError('audio_refused', { message: 'The file is empty.' });
  await assertRoom(deps, size);
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    if (replacesId && !(await trackExists(tx, replacesId))) throw new AppError('not_found');
    const file = { file_name: cleanName(fileName), size, sha256 };
    const owner = { user_id: userId, replaces_id: replacesId };
    await insertUpload(tx, buildUpload({ id, ...file, ...owner, draft, created_at: now }));
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** All of it is on disk: what is left to do is asked for in the same transaction. Safe to say twice. */
export async function receiveUpload(deps: Deps, id: string): Promise<void> {
  const { database, clock, jobs } = deps;
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const row = await findUpload(tx, id);
    if (!row) return;
    const change = { state: 'received' as const, received: row.size, updated_at: now };
    const moved = await changeUpload(tx, id, ['uploading'], change);
    if (!moved) return;
    await enqueue(tx, completeUpload, { uploadId: id }, { now, uniqueKey: `upload:${id}` });
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
}

export async function refuseUpload({ database, clock }: Deps, id: string, failure: string) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    await changeUpload(tx, id, ['uploading', 'received'], {
      state: 'refused',
      failure,
      updated_at: now,
    });
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** Also takes a row off the list that has nothing more to say. Its file is the caller's to remove. */
export async function cancelUpload({ database, clock, jobs }: Deps, id: string): Promise<void> {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const row = await findUpload(tx, id);
    if (!row) throw new AppError('not_found');
    const isStuck = row.state === 'received' && row.failure !== null;
    const states = ['uploading', 'duplicate', 'refused', 'finished'] as const;
    const gone = await deleteUpload(tx, id, isStuck ? [...states, 'received'] : states);
    if (!gone) throw new AppError('upload_busy');
    if (row.cover_key) await enqueue(tx, deleteUnusedCover, { key: row.cover_key }, { now });
    await publishSignal(tx, 'admin:tracks', now);
  });
  jobs.wake();
}
