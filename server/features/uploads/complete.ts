import { rm, stat } from 'node:fs/promises';
import type { Deps } from '../../deps.ts';
import { hashFile } from '../../hash-file.ts';
import type { Tx } from '../../db/connect.ts';
import type { RunningJob } from '../../jobs/define-job.ts';
import { newId } from '../../ids.ts';
import { createTrack, replaceAudio } from '../catalogue/service.ts';
import { publishSignal } from '../live/service.ts';
import { mergeFields } from './merge-fields.ts';
import { changeUpload, findTwin, trackExists, type UploadRow } from './queries.ts';
import { uploadPath } from './upload-folder.ts';

const REPLACED_GONE =
  'The mix that this was to be the sound of was deleted. Bring it back, then send the file again.';

type Checked = UploadRow & { sha256: string; container: string };

const isChecked = (upload: UploadRow): upload is Checked =>
  upload.sha256 !== null && upload.container !== null;

/** What the file is and says of itself, kept at once: a later run need not have the file at hand. */
async function checkFile(deps: Deps, upload: UploadRow, job: RunningJob): Promise<Checked> {
  if (isChecked(upload)) return upload;
  const path = uploadPath(deps.config, upload.id);
  const media = await deps.media();
  const { container, tags } = await media.probe(path, { signal: job.signal });
  const { sha256 } = await hashFile(path, { signal: job.signal });
  const known = { sha256, container, tags: JSON.stringify(tags) };
  await changeUpload(deps.database.db, upload.id, ['received'], known);
  return { ...upload, ...known };
}

/** Into the store under the upload's own name: whoever does it again writes over the same file. */
async function storeMaster({ config, storage }: Deps, upload: Checked): Promise<string> {
  const key = `masters/${upload.id}.${upload.container}`;
  const path = uploadPath(config, upload.id);
  const isHere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isHere) await storage.adopt(key, path);
  const stored = await storage.stat(key);
  if (stored?.size !== upload.size)
    throw new Error(
      `The file of the upload ${upload.id} is not on this machine, nor in the store.`,
    );
  return key;
}

async function findDuplicate({ database }: Deps, upload: Checked): Promise<string | null> {
  if (upload.is_duplicate_wanted) return null;
  return (await findTwin(database.db, upload.sha256, upload.replaces_id))?.id ?? null;
}

/** A mix of its own, or the new sound of one that is there. */
async function becomeMix(deps: Deps, tx: Tx, upload: Checked, masterKey: string): Promise<string> {
  const { id: runId, sha256, user_id: userId } = upload;
  const sound = { sha256, runId, masterKey, userId };
  if (upload.replaces_id) {
    // Deleted at this very moment: the next run finds that out.
    if (!(await trackExists(tx, upload.replaces_id))) throw new Error(REPLACED_GONE);
    await replaceAudio(deps, tx, { id: upload.replaces_id, ...sound });
    return upload.replaces_id;
  }
  const id = newId(deps.clock.now());
  const fields = mergeFields(upload, deps.config.timeZone);
  await createTrack(deps, tx, { id, fields, coverKey: upload.cover_key, ...sound });
  return id;
}

/**
 * From a file that has arrived to a mix that is being made. Killed anywhere, the next run goes on:
 * what was found is in the row, the file is in the folder or under its key, and the mix comes to be
 * in one transaction with the end of this work.
 */
export async function runCompletion(deps: Deps, found: UploadRow, job: RunningJob): Promise<void> {
  const upload = await checkFile(deps, found, job);
  const now = deps.clock.now();
  const twin = await findDuplicate(deps, upload);
  if (twin)
    return job.finish(async (tx) => {
      await changeUpload(tx, upload.id, ['received'], {
        state: 'duplicate',
        duplicate_of: twin,
        updated_at: now,
      });
      await publishSignal(tx, 'admin:tracks', now);
    });
  if (upload.replaces_id && !(await trackExists(deps.database.db, upload.replaces_id))) {
    const gone = { state: 'refused' as const, failure: REPLACED_GONE, updated_at: now };
    await job.finish(async (tx) => {
      await changeUpload(tx, upload.id, ['received'], gone);
      await publishSignal(tx, 'admin:tracks', now);
    });
    return rm(uploadPath(deps.config, upload.id), { force: true });
  }
  const masterKey = await storeMaster(deps, upload);
  await job.finish(async (tx) => {
    // What was typed until this moment counts.
    const finished = { state: 'finished' as const, failure: null, updated_at: now };
    const latest = await changeUpload(tx, upload.id, ['received'], finished);
    if (!latest || !isChecked(latest)) throw new Error(`The upload ${upload.id} is not waiting.`);
    const track_id = await becomeMix(deps, tx, latest, masterKey);
    await changeUpload(tx, upload.id, ['finished'], { track_id, cover_key: null });
  });
  await rm(uploadPath(deps.config, upload.id), { force: true });
  deps.jobs.wake();
}
