import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
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
  payload: z.object({ trackId: z.string(), ingestId: z.string() }),
  maxAttempts: 5,
  run: async (deps: Deps, { trackId, ingestId }, job) => {
    const track = await loadIngestTrack(deps.database.db, trackId);
    // Deleted, or given another master, since this was asked for.
    if (!track?.master_key?.includes(ingestId)) return;
    const fail = (failure: string) => ({
      status: 'failed' as const,
      failure,
      updated_at: deps.clock.now(),
    });
    try {
      const { master_key } = track;
      await runIngest(deps, { track: { ...track, master_key }, ingestId, signal: job.signal });
    } catch (error) {
      job.signal.throwIfAborted();
      // The file will not get better by trying again: the operator is told why.
      if (error instanceof MediaRefused)
        return job.finish(async (tx) => void (await updateTrack(tx, trackId, fail(error.message))));
      if (job.attempt >= job.maxAttempts)
        await updateTrack(deps.database.db, trackId, fail(OUR_FAULT));
      throw error;
    }
  },
});
