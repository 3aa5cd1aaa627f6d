import { z } from 'zod';
import type { CatalogueDetail } from '#contract/admin/catalogue.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError, isDiskFull } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { newId } from '../../db/ids.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { requireSteadyClock } from '../../jobs/wrong-clock.ts';
import { normaliseCover } from '../../ports/media/cover.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
import { getCatalogueDetail, getEditableTrack, propagateTrackChange } from './catalogue-track.ts';
import { updateTrack } from './queries.ts';
import { recordChange } from './track-fields.ts';

const DISK_FULL = 'The server’s disk is full. Free up space, then choose the picture again.';

async function isCoverUsed(db: Db, key: string): Promise<boolean> {
  const [track, upload, artist] = await Promise.all([
    db.selectFrom('tracks').select('id').where('cover_key', '=', key).limit(1).executeTakeFirst(),
    db.selectFrom('uploads').select('id').where('cover_key', '=', key).limit(1).executeTakeFirst(),
    db.selectFrom('artists').select('id').where('picture_key', '=', key).executeTakeFirst(),
  ]);
  return [track, upload, artist].some((row) => row !== undefined);
}

export const deleteUnusedCover = defineJob({
  name: 'delete-unused-cover',
  lane: 'files',
  payload: z.object({ key: z.string() }),
  run: async (deps: Deps, { key }) => {
    await requireSteadyClock(deps);
    if (!(await isCoverUsed(deps.database.db, key))) await deps.storage.delete(key);
  },
});

/** Of a track, an upload or an artist. Re-encodes the picture and stores it under a new key. If nothing uses that key, a job deletes it. */
export async function storeCover(deps: Deps, bytes: Buffer): Promise<string> {
  const { webp } = await checkPicture(bytes);
  return putCover(deps, webp);
}

const checkPicture = (bytes: Buffer) =>
  normaliseCover(bytes).catch((error: unknown) => {
    throw error instanceof MediaRefused
      ? new AppError('invalid_image', { message: error.message, fields: { cover: error.message } })
      : error;
  });

async function putCover(deps: Deps, webp: Uint8Array): Promise<string> {
  const now = deps.clock.now();
  const key = `covers/${newId(now)}.webp`;
  // Enqueued before the file exists, so that a crash in between leaves nothing behind.
  await enqueue(deps.database.db, deleteUnusedCover, { key }, { now, runAt: now + HOUR });
  await deps.storage.put(key, webp).catch((error: unknown) => {
    throw isDiskFull(error) ? new AppError('disk_full', { message: DISK_FULL }) : error;
  });
  return key;
}

/** A cover of an exported catalogue: encoded by us, so it is stored as it is. */
export async function storeExportedCover(deps: Deps, bytes: Buffer): Promise<string> {
  await checkPicture(bytes);
  return putCover(deps, bytes);
}

async function setCover(
  deps: Deps,
  actor: Viewer | 'console',
  id: string,
  key: string | null,
): Promise<CatalogueDetail> {
  const now = deps.clock.now();
  await deps.database.db.transaction().execute(async (tx) => {
    const before = await getEditableTrack(tx, id);
    const track = await updateTrack(tx, before, { cover_key: key, updated_at: now });
    if (!track) throw new AppError('track_changed');
    await recordChange(tx, { actor, action: 'track.cover-changed', now }, before, track);
    if (before.cover_key) await enqueue(tx, deleteUnusedCover, { key: before.cover_key }, { now });
    await propagateTrackChange(deps, tx, track);
  });
  deps.jobs.wake();
  return getCatalogueDetail(deps, id);
}

export async function replaceCover(deps: Deps, viewer: Viewer, id: string, bytes: Buffer) {
  await getEditableTrack(deps.database.db, id);
  return setCover(deps, viewer, id, await storeCover(deps, bytes));
}

export const removeCover = (deps: Deps, actor: Viewer | 'console', id: string) =>
  setCover(deps, actor, id, null);
