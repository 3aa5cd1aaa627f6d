import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { sweepExpired } from './sweep.ts';

export const sweep = defineSchedule({
  name: 'sweep-expired',
  everyMs: 60 * 60 * 1000,
  run: async ({ config, database, clock }: Deps, { signal }) =>
    sweepExpired(
      database.db,
      { now: clock.now(), isDemo: config.demo, eventDays: config.eventDays },
      signal,
    ),
  run: async ({ config, database, clock }: Deps, { signal }) => {
    const now = clock.now();
    const { eventsDays } = await readSettings(database.db, now);
    await sweepExpired(database.db, { now, isDemo: config.demo, eventsDays }, signal);
  },
});
