import { rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import type { MediaTags } from '../../ports/media/media.ts';
import { MediaRefused } from '../../ports/media/refusals.ts';
import { publishSignal } from '../live/service.ts';
import { runCompletion } from './complete.ts';
import { changeUpload, findUpload, type UploadRow } from './queries.ts';
import { uploadPath } from './upload-folder.ts';

/** Reads what a file says of itself while the rest of it arrives. Nothing depends on it. */
export const readUploadTags = defineJob({
  name: 'read-upload-tags',
  payload: z.object({ uploadId: z.string() }),
  maxAttempts: 2,
  run: async (deps: Deps, { uploadId }, job) => {
    const upload = await findUpload(deps.database.db, uploadId);
    if (upload?.state !== 'uploading' || upload.tags !== null) return;
    const media = await deps.media();
    const path = uploadPath(deps.config, uploadId);
    // On another machine, or ended meanwhile.
    const tags = await media.readTags(path, { signal: job.signal }).catch(ignoreMissing);
    if (Object.keys(tags).length === 0) return;
    const now = deps.clock.now();
    await job.finish(async (tx) => {
      await changeUpload(tx, uploadId, ['uploading'], { tags: JSON.stringify(tags) });
      await publishSignal(tx, 'admin:tracks', now);
    });
  },
});

function ignoreMissing(error: unknown): MediaTags {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
  throw error;
}

const OUR_FAULT = 'The server could not take this file in. Try again, or look at the failed jobs.';

/** Looks at a file that has arrived, moves it into the store and makes a mix of it. */
export const completeUpload = defineJob({
  name: 'complete-upload',
  payload: z.object({ uploadId: z.string() }),
  run: async (deps: Deps, { uploadId }, job) => {
    const { database, clock, config } = deps;
    const upload = await findUpload(database.db, uploadId);
    if (upload?.state !== 'received') return;
    const tell = async (change: Partial<UploadRow>) => {
      const now = clock.now();
      await database.db.transaction().execute(async (tx) => {
        await changeUpload(tx, uploadId, ['received'], { ...change, updated_at: now });
        await publishSignal(tx, 'admin:tracks', now);
      });
    };
    try {
      await runCompletion(deps, upload, job);
    } catch (error) {
      job.signal.throwIfAborted();
      if (error instanceof MediaRefused) {
        await tell({ state: 'refused', failure: error.message });
        await rm(uploadPath(config, uploadId), { force: true });
        return;
      }
      throw error;
    }
  },
  onDead: async (tx, { uploadId }, now) => {
    await changeUpload(tx, uploadId, ['received'], { failure: OUR_FAULT, updated_at: now });
    await publishSignal(tx, 'admin:tracks', now);
  },
});
