import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { sweepExpired } from './sweep.ts';
import { HOUR } from '#contract/rules/time.ts';

export const sweep = defineSchedule({
  name: 'sweep-expired',
  everyMs: HOUR,
  run: async ({ config, database, clock }: Deps, { signal }) =>
    sweepExpired(
      database.db,
      { now: clock.now(), isDemo: config.demo, eventDays: config.eventDays },
      signal,
    ),
});
