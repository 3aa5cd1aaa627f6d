import { defineSchedule } from './define-job.ts';
import type { WorkerDeps } from './run-job.ts';

const EVERY_MS = 15 * 60 * 1000;

/** Rows that say nothing any more. Readers check the time themselves; this only frees the room. */
export const sweepExpired = defineSchedule({
  name: 'sweep-expired',
  everyMs: EVERY_MS,
  run: async ({ database: { db }, clock }: WorkerDeps) => {
    const now = clock.now();
    await db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
    await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute();
    // A theoretical arrival time in the past is a limit at rest, the same as no row.
    await db.deleteFrom('rate_limits').where('tat', '<=', now).execute();
  },
});
