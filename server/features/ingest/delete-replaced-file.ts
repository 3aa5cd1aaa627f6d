import { z } from 'zod';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { listRenditions } from './queries.ts';

/** By then every request that was reading the old file has finished. */
export const DELETE_AFTER_MS = 6 * HOUR;

/** Runs some time after a file was replaced. */
export const deleteReplacedFile = defineJob({
  name: 'delete-replaced-file',
  payload: z.object({ trackId: z.string(), key: z.string() }),
  run: async ({ database, storage }: Deps, { trackId, key }) => {
    const files = await listRenditions(database.db, trackId);
    // A change of tags that was undone uses the old file again.
    if (!files.some((file) => file.key === key)) await storage.delete(key);
  },
});
