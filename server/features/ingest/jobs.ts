import { z } from 'zod';
import type { Db } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
import { publishSignal } from '../live/service.ts';
import { updateTrack } from './queries.ts';
import { retagDownloads } from './retag-downloads.ts';
import { loadIngestTrack, runIngest } from './run-ingest.ts';

const OUR_FAULT = 'The server could not process this file. Try again, or look at the failed jobs.';

/** Writes a track's new title, genre or cover into its downloads. */
export const retagTrack = defineJob({
  name: 'retag-downloads',
  payload: z.object({ trackId: z.string() }),
  run: async (deps: Deps, { trackId }, job) => {
    try {
      await retagDownloads(deps, trackId, job.signal);
    } catch (error) {
      if (!(error instanceof MediaRefused)) throw error;
      // The file plays as it is; that its tags are old is no reason to try for ever.
      deps.log.warn({ err: error, trackId }, 'the tags of a download could not be rewritten');
    }
  },
});

/** From a master to everything that is heard, seen and downloaded of a track. */
export const ingestTrack = defineJob({
  name: 'ingest-track',
  payload: z.object({
    trackId: z.string(),
    ingestId: z.string(),
    /** The master of the sound that people hear meanwhile. */
    replaced: z.object({ key: z.string(), sha256: z.string().nullable() }).optional(),
  }),
  maxAttempts: 5,
  run: async (deps: Deps, { trackId, ingestId, replaced }, job) => {
    const track = await loadIngestTrack(deps.database.db, trackId);
    // Deleted, or given another master, since this was asked for.
    if (!track?.master_key?.includes(ingestId)) return;
    /** What people could hear before they still hear, with its own master. */
    const fail = (failure: string) => async (tx: Db) => {
      const now = deps.clock.now();
      const current = await loadIngestTrack(tx, trackId);
      await updateTrack(tx, trackId, {
        status: current?.status === 'ready' ? ('ready' as const) : ('failed' as const),
        ...(replaced && {
          master_key: replaced.key,
          master_sha256: replaced.sha256,
          progress: 100,
        }),
        failure,
        updated_at: now,
      });
      await publishSignal(tx, 'admin:tracks', now);
    };
    try {
      const { master_key } = track;
      await runIngest(deps, { track: { ...track, master_key }, ingestId, signal: job.signal });
    } catch (error) {
      job.signal.throwIfAborted();
      // The file will not get better by trying again: the operator is told why.
      if (error instanceof MediaRefused) return job.finish(fail(error.message));
      if (job.attempt >= job.maxAttempts)
        await deps.database.db.transaction().execute(fail(OUR_FAULT));
      throw error;
    }
  },
});
