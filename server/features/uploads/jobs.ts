import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { newId } from '../../db/ids.ts';
import { defineJob, type RunningJob } from '../../jobs/define-job.ts';
import { withWorkFolder } from '../../jobs/work-folder.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
import { createTrack, replaceAudio } from '../catalogue/service.ts';
import { publishSignal } from '../live/service.ts';
import { mergeFields } from './merge-fields.ts';
import {
  findTrackBySha256,
  findUpload,
  trackExists,
  updateUpload,
  type UploadRow,
} from './queries.ts';
import { deleteParts, MissingBytes, openParts } from './parts.ts';
import { uploadPath } from './upload-folder.ts';

const TRACK_GONE =
  'The mix this audio was for has been deleted or taken down. Restore it or put it back, then upload again.';

type CheckedUpload = UploadRow & { sha256: string; container: string };

const isChecked = (upload: UploadRow): upload is CheckedUpload =>
  upload.sha256 !== null && upload.container !== null;

type OpenFile = () => Promise<string>;

/** Saves the results at once, so that a later attempt does not need the file. */
async function checkFile(
  deps: Deps,
  upload: UploadRow,
  { openFile, signal }: { openFile: OpenFile; signal: AbortSignal },
): Promise<CheckedUpload> {
  if (isChecked(upload)) return upload;
  const path = await openFile();
  const media = await deps.media();
  const { container, tags } = await media.probe(path, { signal });
  const { sha256 } = await hashFile(path, { signal });
  const found = { sha256, container, tags: JSON.stringify(tags) };
  await updateUpload(deps.database.db, upload.id, ['received'], found);
  return { ...upload, ...found };
}

/** The key contains the id of the upload, so a second attempt finds or overwrites the same file. */
async function storeMaster(
  { storage }: Deps,
  upload: CheckedUpload,
  openFile: OpenFile,
): Promise<string> {
  const key = `masters/${upload.id}.${upload.container}`;
  const isStored = async () => (await storage.stat(key))?.size === upload.size;
  if (await isStored()) return key;
  await storage.adopt(key, await openFile());
  if (!(await isStored())) throw new Error(`The store lost the file of the upload ${upload.id}.`);
  return key;
}

async function findDuplicate({ database }: Deps, upload: CheckedUpload): Promise<string | null> {
  if (upload.is_duplicate_wanted) return null;
  return (await findTrackBySha256(database.db, upload.sha256, upload.replaces_id))?.id ?? null;
}

/** A new track, or new audio for an existing one. */
async function createOrReplaceTrack(
  deps: Deps,
  tx: Tx,
  upload: CheckedUpload,
  masterKey: string,
): Promise<string> {
  const { id: runId, sha256, user_id: userId } = upload;
  const audio = { sha256, runId, masterKey, userId };
  if (upload.replaces_id) {
    // Gone just now: the next attempt refuses the upload.
    if (!(await trackExists(tx, upload.replaces_id))) throw new Error(TRACK_GONE);
    await replaceAudio(deps, tx, { id: upload.replaces_id, ...audio });
    return upload.replaces_id;
  }
  const id = newId(deps.clock.now());
  const fields = mergeFields(upload, deps.config);
  await createTrack(deps, tx, { id, fields, coverKey: upload.cover_key, ...audio });
  return id;
}

/**
 * Turns a received file into a track. After a kill at any point the next attempt continues: the
 * findings are in the row, the file is in the folder or in the store, and the track is created in
 * the transaction that finishes the job.
 */
async function runCompletion(
  deps: Deps,
  found: UploadRow,
  { job, folder }: { job: RunningJob; folder: string },
): Promise<void> {
  let opening: Promise<string> | null = null;
  const { signal } = job;
  const openFile = () => (opening ??= openParts(deps, found, { to: join(folder, 'file'), signal }));
  const upload = await checkFile(deps, found, { openFile, signal });
  const now = deps.clock.now();
  const duplicateOf = await findDuplicate(deps, upload);
  if (duplicateOf)
    return job.finish(async (tx) => {
      await updateUpload(tx, upload.id, ['received'], {
        state: 'duplicate',
        duplicate_of: duplicateOf,
        updated_at: now,
      });
      await publishSignal(tx, 'admin:tracks', now);
    });
  if (upload.replaces_id && !(await trackExists(deps.database.db, upload.replaces_id))) {
    const refused = { state: 'refused' as const, failure: TRACK_GONE, updated_at: now };
    await job.finish(async (tx) => {
      await updateUpload(tx, upload.id, ['received'], refused);
      await deleteParts(tx, upload.id, now);
      await publishSignal(tx, 'admin:tracks', now);
    });
    return rm(uploadPath(deps.config, upload.id), { force: true });
  }
  const masterKey = await storeMaster(deps, upload, openFile);
  await job.finish(async (tx) => {
    // Read again, with everything typed until now.
    const finished = { state: 'finished' as const, failure: null, updated_at: now };
    const latest = await updateUpload(tx, upload.id, ['received'], finished);
    if (!latest || !isChecked(latest))
      throw new Error(`The upload ${upload.id} is no longer waiting.`);
    const track_id = await createOrReplaceTrack(deps, tx, latest, masterKey);
    await updateUpload(tx, upload.id, ['finished'], { track_id, cover_key: null });
    await deleteParts(tx, upload.id, now);
  });
  await rm(uploadPath(deps.config, upload.id), { force: true });
  deps.jobs.wake();
}

/** Tags are at the start of a file, after a picture at most. */
export const TAG_BYTES = 16 * 1024 * 1024;

/** Reads the tags of a file while the rest of it arrives. Optional: nothing depends on it. */
export const readUploadTags = defineJob({
  name: 'read-upload-tags',
  lane: 'uploads',
  payload: z.object({ uploadId: z.string() }),
  maxAttempts: 2,
  run: async (deps: Deps, { uploadId }, job) => {
    const upload = await findUpload(deps.database.db, uploadId);
    if (upload?.state !== 'uploading' || upload.tags !== null) return;
    const media = await deps.media();
    const tags = await withWorkFolder(deps, job.id, async (folder) => {
      const { signal } = job;
      const start = { to: join(folder, 'start'), limit: Math.min(upload.received, TAG_BYTES) };
      // The upload may have ended.
      const path = await openParts(deps, upload, { ...start, signal }).catch(ignoreMissing);
      return path === null ? {} : media.readTags(path, { signal });
    });
    if (Object.keys(tags).length === 0) return;
    const now = deps.clock.now();
    await job.finish(async (tx) => {
      await updateUpload(tx, uploadId, ['uploading'], { tags: JSON.stringify(tags) });
      await publishSignal(tx, 'admin:tracks', now);
    });
  },
});

function ignoreMissing(error: unknown): null {
  if (error instanceof MissingBytes) return null;
  throw error;
}

const BYTES_MISSING =
  'Some of this file is missing on the server, probably because an older backup was restored. Upload it again.';

/** Null when trying again can help. */
function describeRefusedFile(error: unknown): string | null {
  if (error instanceof MissingBytes) return BYTES_MISSING;
  return error instanceof MediaRefused ? error.message : null;
}

const SERVER_FAILURE = 'This file couldn’t be processed. Retry, or check the failed jobs.';

/** Checks a received file, moves it into the store and creates its track. */
export const completeUpload = defineJob({
  name: 'complete-upload',
  lane: 'uploads',
  payload: z.object({ uploadId: z.string() }),
  run: async (deps: Deps, { uploadId }, job) => {
    const { database, clock, config } = deps;
    const upload = await findUpload(database.db, uploadId);
    if (upload?.state !== 'received') return;
    try {
      await withWorkFolder(deps, job.id, (folder) => runCompletion(deps, upload, { job, folder }));
    } catch (error) {
      job.signal.throwIfAborted();
      const failure = describeRefusedFile(error);
      if (failure === null) throw error;
      const now = clock.now();
      await database.db.transaction().execute(async (tx) => {
        const refused = { state: 'refused' as const, failure, updated_at: now };
        await updateUpload(tx, uploadId, ['received'], refused);
        await deleteParts(tx, uploadId, now);
        await publishSignal(tx, 'admin:tracks', now);
      });
      await rm(uploadPath(config, uploadId), { force: true });
    }
  },
  onDead: async (tx, { uploadId }, now) => {
    await updateUpload(tx, uploadId, ['received'], { failure: SERVER_FAILURE, updated_at: now });
    await publishSignal(tx, 'admin:tracks', now);
  },
});
