import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
import { Superseded, takeIngest } from './current-ingest.ts';
import { failIngest } from './fail-ingest.ts';
import { retagDownloads } from './retag-downloads.ts';
import { runIngest } from './run-ingest.ts';

const OUR_FAULT = 'The server could not process this file. Try again, or look at the failed jobs.';
/** How soon a run looks again that came while another one is at work on its track. */
const BUSY_MS = 2_000;

/** Writes a track's new title, genre or cover into its downloads. */
export const retagTrack = defineJob({
  name: 'retag-downloads',
  payload: z.object({ trackId: z.string() }),
  run: async (deps: Deps, { trackId }, job) => {
    try {
      await retagDownloads(deps, trackId, job);
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
  run: async (deps: Deps, { trackId, ingestId }, job): Promise<void> => {
    const { database, clock } = deps;
    const turn = { trackId, ingestId, jobId: job.id };
    const taken = await database.db
      .transaction()
      .execute((tx) => takeIngest(tx, turn, clock.now()));
    if (taken === 'over') return;
    if (taken === 'busy')
      return job.finish(async (tx) => {
        const now = clock.now();
        await enqueue(tx, ingestTrack, { trackId, ingestId }, { now, runAt: now + BUSY_MS });
      });
    try {
      await runIngest(deps, { ...taken, turn, signal: job.signal });
    } catch (error) {
      job.signal.throwIfAborted();
      if (error instanceof Superseded) return;
      // The file will not get better by trying again: the operator is told why.
      if (error instanceof MediaRefused)
        return job.finish((tx) =>
          failIngest(tx, { trackId, ingestId, failure: error.message, now: clock.now() }),
        );
      throw error;
    }
  },
  onDead: (tx, { trackId, ingestId }, now) =>
    failIngest(tx, { trackId, ingestId, failure: OUR_FAULT, now }),
});
