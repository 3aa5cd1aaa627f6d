import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../../deps.ts';
import { defineSchedule } from '../../../jobs/define-job.ts';
import { requestCancellation, requestCheckoutClosure } from '../privacy/departed-members.ts';
import { listAccountsDueForCheck, repairCheckTimes } from './due-checks.ts';
import { requestReconciliation } from './reconcile-subscription.ts';

/** Asks the provider about open checkouts and subscriptions whose webhook events may have been lost. */
export const reconcilePayments = defineSchedule({
  name: 'reconcile-payments',
  lane: 'payments',
  everyMs: HOUR,
  run: async ({ database, clock, jobs, payments }: Deps, { signal }) => {
    const { db } = database;
    const now = clock.now();
    await repairCheckTimes(db, now, payments.calendar);
    for await (const due of listAccountsDueForCheck(db, now)) {
      if (signal.aborted) return;
      if (due.kind === 'user') await requestReconciliation(db, due.userId, now);
      else if (due.kind === 'checkout') await requestCheckoutClosure(db, due.reference, now);
      // At a provider that the site no longer uses, only a person can cancel.
      else if (due.provider === payments.name) await requestCancellation(db, due, now);
    }
    jobs.wake();
  },
});
