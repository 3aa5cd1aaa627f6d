import { z } from 'zod';
import { DELETED_TRACK_MS } from '#contract/track-fields.ts';
import type { Deps } from '../../deps.ts';
import { defineJob, defineSchedule } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { isClockSteady } from '../../jobs/wrong-clock.ts';
import { removeClipsOf } from '../clips/service.ts';
import { publishSignal } from '../live/service.ts';
import { unindexTrack } from '../search/service.ts';
import { updateTrack, deleteAudio, listToPurge, type CatalogueRow } from './queries.ts';
import { HOUR } from '#contract/rules/time.ts';

const BATCH = 50;

export const deleteFiles = defineJob({
  name: 'delete-files',
  lane: 'files',
  payload: z.object({ keys: z.array(z.string()) }),
  run: async ({ storage }: Deps, { keys }) => {
    for (const key of keys) await storage.delete(key);
  },
});

/** Deletes the files. The row stays, for the play counts and histories that refer to it. */
async function purgeTrack({ database, clock }: Deps, track: CatalogueRow) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const change = { purged_at: now, master_key: null, cover_key: null, master_sha256: null };
    // Someone may have just restored it.
    if (!(await updateTrack(tx, track, change))) return;
    await unindexTrack(tx, database.dialect, track.id);
    await tx.deleteFrom('track_artists').where('track_id', '=', track.id).execute();
    await tx.deleteFrom('moments').where('track_id', '=', track.id).execute();
    await removeClipsOf(tx, track.id, now);
    const files = await deleteAudio(tx, track.id);
    const keys = [...files, track.master_key, track.cover_key].filter((key) => key !== null);
    await enqueue(tx, deleteFiles, { keys }, { now });
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** Deletes the files of deleted tracks that no one restored in time. */
export const purgeDeletedTracks = defineSchedule({
  name: 'purge-deleted-tracks',
  everyMs: HOUR,
  run: async (deps: Deps, { signal }) => {
    if (!(await isClockSteady(deps))) return;
    for (;;) {
      signal.throwIfAborted();
      const due = await listToPurge(deps.database.db, deps.clock.now() - DELETED_TRACK_MS, BATCH);
      for (const track of due) await purgeTrack(deps, track);
      if (due.length < BATCH) return;
    }
  },
});
