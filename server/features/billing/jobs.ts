import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineJob, defineSchedule } from '../../jobs/define-job.ts';
import { enqueue } from '../../jobs/queue.ts';
import { convergeMember } from './converge-member.ts';
import { listMembersToCheck } from './reconcile.ts';
import { settleKey, settleMemberRequest } from './requests.ts';
import { unwindDuplicates } from './unwind.ts';

export { sendBillingMessage } from './message-jobs.ts';
export { settleNotice } from './notices.ts';

const HOUR = 60 * 60 * 1000;

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
    if (await unwindDuplicates(deps, userId)) await convergeMember(deps, userId);
  },
});

/** Cancels what must not be charged again: its member has left, or lost access by decision. */
export const endAgreement = defineJob({
  name: 'end-agreement',
  payload: z.object({ provider: z.string(), agreementId: z.string() }),
  maxAttempts: settleMemberRequest.maxAttempts,
  run: async ({ payments }: Deps, { provider, agreementId }) => {
    if (provider !== payments.name)
      throw new Error(`Cancel ${agreementId} by hand: the site does not use ${provider} any more.`);
    await payments.cancelAtPeriodEnd(agreementId);
  },
});

/** Asks about checkouts that nobody told us the end of, and about everything that is near its own. */
export const reconcilePayments = defineSchedule({
  name: 'reconcile-payments',
  everyMs: HOUR,
  run: async ({ database, clock, jobs }: Deps, { signal }) => {
    const { db } = database;
    const now = clock.now();
    for await (const userId of listMembersToCheck(db, now)) {
      if (signal.aborted) return;
      await enqueue(db, settleMemberRequest, { userId }, { now, uniqueKey: settleKey(userId) });
    }
    jobs.wake();
  },
});
