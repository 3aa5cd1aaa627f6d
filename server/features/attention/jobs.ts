import { MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineSchedule } from '../../jobs/define-job.ts';
import { noteServer } from './server-readings.ts';

/** Looks whether all is well, and tells administrators what isn’t. */
export const checkSite = defineSchedule({
  name: 'check-site',
  lane: 'watch',
  everyMs: 10 * MINUTE,
  run: async (deps: Deps) => {
    // What they read and write is seldom needed, and much of it.
    const { lookAround } = await import('./site-checks.ts');
    const { planMails } = await import('./plan-mails.ts');
    await noteServer(deps).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'This server could not note its disk and its clock.'),
    );
    await lookAround(deps);
    await planMails(deps);
  },
});
