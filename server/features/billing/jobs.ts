import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineJob, defineSchedule } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { convergeMember } from './converge-member.ts';
import { requestEnd, requestEndOfCheckout } from './leavers.ts';
import { listToCheck } from './reconcile.ts';
import { settleKey, settleMemberRequest } from './requests.ts';
import { unwind } from './unwind.ts';
import { HOUR } from '#contract/rules/time.ts';

export { endAgreement, endCheckout } from './leavers.ts';
export { sendBillingMessage } from './message-jobs.ts';
export { notePaidSpans } from './note-paid-spans.ts';
export { settleNotice } from './notices.ts';

/** Brings a member up to date with the provider, whatever was or was not told meanwhile. */
export const settleMember = defineJob({
  name: settleMemberRequest.name,
  payload: z.object({ userId: z.string() }),
  maxAttempts: settleMemberRequest.maxAttempts,
  run: async (deps: Deps, { userId }) => {
    const user = await deps.database.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!user) return;
    await convergeMember(deps, userId);
    if (await unwind(deps, userId)) await convergeMember(deps, userId);
  },
});

/** Asks about checkouts that nobody told us the end of, and about everything that is near its own. */
export const reconcilePayments = defineSchedule({
  name: 'reconcile-payments',
  everyMs: HOUR,
  run: async ({ database, clock, jobs, payments }: Deps, { signal }) => {
    const { db } = database;
    const now = clock.now();
    for await (const due of listToCheck(db, now)) {
      if (signal.aborted) return;
      if (due.kind === 'member') {
        const { userId } = due;
        await enqueue(db, settleMemberRequest, { userId }, { now, uniqueKey: settleKey(userId) });
      } else if (due.kind === 'checkout') await requestEndOfCheckout(db, due.reference, now);
      // Nobody cancels at a provider that the site does not use any more but a person.
      else if (due.provider === payments.name) await requestEnd(db, due, now);
    }
    jobs.wake();
  },
});
