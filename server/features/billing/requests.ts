import { attemptsOver } from '../../jobs/backoff.ts';
import type { JobRequest } from '../../jobs/define-job.ts';
import { DAY } from '#contract/rules/time.ts';

/** The job that brings a member up to date, for those who only ask for it. */
export const settleMemberRequest: JobRequest<{ userId: string }> = {
  name: 'settle-member',
  maxAttempts: attemptsOver(DAY),
  encode: (payload) => JSON.stringify(payload),
};

export const settleKey = (userId: string): string => `settle:${userId}`;
