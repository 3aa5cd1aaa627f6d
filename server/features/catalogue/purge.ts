import { z } from 'zod';
import { DELETED_TRACK_MS } from '#contract/rules/deleted-mix.ts';
import type { Deps } from '../../deps.ts';
import { defineJob, defineSchedule } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { publishSignal } from '../live/service.ts';
import { unindexTrack } from '../search/service.ts';
import { updateTrack, dropTraces, listToPurge, type CatalogueRow } from './queries.ts';
import { HOUR } from '#contract/rules/time.ts';

const BATCH = 50;

export const dropFiles = defineJob({
  name: 'drop-files',
  payload: z.object({ keys: z.array(z.string()) }),
  run: async ({ storage }: Deps, { keys }) => {
    for (const key of keys) await storage.delete(key);
  },
});

/** The row stays, without a file and without a way to it: what was heard of it was heard. */
async function purgeTrack({ database, clock }: Deps, mix: CatalogueRow) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    const change = { purged_at: now, master_key: null, cover_key: null, master_sha256: null };
    // Restored at this very moment.
    if (!(await updateTrack(tx, mix, change))) return;
    await unindexTrack(tx, database.dialect, mix.id);
    const files = await dropTraces(tx, mix.id);
    const keys = [...files, mix.master_key, mix.cover_key].filter((key) => key !== null);
    await enqueue(tx, dropFiles, { keys }, { now });
    await publishSignal(tx, 'admin:tracks', now);
  });
}

/** Removes the files of mixes that nobody has brought back in time. */
export const purgeDeletedTracks = defineSchedule({
  name: 'purge-deleted-mixes',
  everyMs: HOUR,
  run: async (deps: Deps, { signal }) => {
    for (;;) {
      signal.throwIfAborted();
      const due = await listToPurge(deps.database.db, deps.clock.now() - DELETED_TRACK_MS, BATCH);
      for (const mix of due) await purgeTrack(deps, mix);
      if (due.length < BATCH) return;
    }
  },
});
