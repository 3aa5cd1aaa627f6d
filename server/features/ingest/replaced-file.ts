import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineJob } from '../../jobs/define-job.ts';
import { isFileUsed } from './queries.ts';
import { HOUR } from '#contract/rules/time.ts';

/** Whoever was reading the old file when it was replaced has long finished or asked again. */
export const DROP_AFTER_MS = 6 * HOUR;

/** Runs some time after a file was replaced by one with other tags. */
export const dropReplacedFile = defineJob({
  name: 'drop-replaced-file',
  payload: z.object({ trackId: z.string(), key: z.string() }),
  run: async ({ database, storage }: Deps, { trackId, key }) => {
    // Tags that were changed back give the old file its place again.
    if (!(await isFileUsed(database.db, trackId, key))) await storage.delete(key);
  },
});
