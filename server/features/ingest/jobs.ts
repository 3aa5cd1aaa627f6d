import { z } from 'zod';
import { SECOND } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
import { claimRun, failRun, RunSuperseded } from './ingest-runs.ts';

const SERVER_FAILURE = 'This file couldn’t be processed. Retry, or check the failed jobs.';
/** How soon to try again while another job works on the track. */
const BUSY_MS = 2 * SECOND;

/** Writes a track's new title, genre, tracklist or cover into its downloads. */
export const retagTrack = defineJob({
  name: 'retag-downloads',
  lane: 'media',
  payload: z.object({ trackId: z.string() }),
  canDiscard: true,
  run: async (deps: Deps, { trackId }, job) => {
    const { retagDownloads } = await import('./retag-downloads.ts');
    try {
      await retagDownloads(deps, trackId, job);
    } catch (error) {
      if (!(error instanceof MediaRefused)) throw error;
      // The file still plays; old tags are no reason to retry for ever.
      deps.log.warn({ err: error, trackId }, 'Could not rewrite the tags of a download.');
    }
  },
});

/** Makes the renditions, the waveform and the cover of a track from its master. */
export const ingestTrack = defineJob({
  name: 'ingest-track',
  lane: 'media',
  payload: z.object({ trackId: z.string(), runId: z.string() }),
  maxAttempts: 5,
  canDiscard: true,
  run: async (deps: Deps, { trackId, runId }, job): Promise<void> => {
    const { database, clock } = deps;
    const claim = { trackId, runId, jobId: job.id };
    const claimed = await database.db
      .transaction()
      .execute((tx) => claimRun(tx, claim, clock.now()));
    if (claimed === 'superseded') return;
    if (claimed === 'busy')
      return job.finish(async (tx) => {
        const now = clock.now();
        await enqueue(tx, ingestTrack, { trackId, runId }, { now, runAt: now + BUSY_MS });
      });
    const { runIngest } = await import('./run-ingest.ts');
    try {
      await runIngest(deps, { ...claimed, claim, signal: job.signal });
    } catch (error) {
      job.signal.throwIfAborted();
      if (error instanceof RunSuperseded) return;
      // Retrying cannot help a bad file: the administrator learns the reason.
      if (error instanceof MediaRefused)
        return job.finish((tx) =>
          failRun(tx, { trackId, runId, failure: error.message, now: clock.now() }),
        );
      throw error;
    }
  },
  onDead: (tx, { trackId, runId }, now) =>
    failRun(tx, { trackId, runId, failure: SERVER_FAILURE, now }),
});
