import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { reviveDeadJobs } from '../../jobs/queue.ts';
import { isUnauthorized, type Payments } from '../../ports/payments/payments.ts';
import { closeIssue, openIssue } from './service.ts';

const reason =
  'The payment provider rejects our secret key. Payments can’t be started or checked until the key is corrected. No subscription changes because of it.';

/** What the regular jobs don't find by themselves. */
export const REVIVED_JOBS = ['settle-reported-payment', 'make-refund', 'forget-card'];

/** Jobs may have used up their attempts while the key was wrong. */
async function reviveJobs(tx: Tx, key: string, now: number): Promise<void> {
  const issue = await tx
    .selectFrom('payment_issues')
    .select(['opened_at', 'closed_at', 'closed_by'])
    .where('key', '=', key)
    .executeTakeFirst();
  // An administrator may have closed the issue while the key was still wrong.
  if (issue && (issue.closed_at === null || issue.closed_by !== null))
    await reviveDeadJobs(tx, REVIVED_JOBS, { since: issue.opened_at, now });
}

type State = 'unknown' | 'right' | 'wrong';

/** Opens the issue when the key is rejected and closes it when it works; nothing is written between. */
function createKeyRecorder({ name }: Payments, { database, clock, log }: WatchDeps) {
  let written: State = 'unknown';
  let seen: State = 'unknown';
  let writing: Promise<void> = Promise.resolve();
  const key = `wrong-key:${name}`;
  const write = async () => {
    const state = seen;
    if (state === written) return;
    const now = clock.now();
    await database.db.transaction().execute(async (tx) => {
      if (state === 'wrong')
        return openIssue(tx, { key, kind: 'wrong-key', provider: name, reason }, now);
      await reviveJobs(tx, key, now);
      return closeIssue(tx, key, 'The provider accepts our key again.', now);
    });
    written = state;
  };
  /** One at a time, so that the last answer is what stays written. A failure is tried again. */
  return async (state: State): Promise<void> => {
    if (state === seen && state === written) return;
    seen = state;
    writing = writing
      .then(write)
      .catch((err: unknown) => log.error({ err }, 'Could not record whether the key is right.'));
    await writing;
  };
}

type WatchDeps = Pick<Deps, 'database' | 'clock' | 'log'>;

/** No network call, or one without our key. */
const LOCAL = ['parseWebhook', 'readTime'];

/** Whether our key works can be told from any answer. */
const isCall = (name: string, member: unknown): boolean =>
  typeof member === 'function' && !LOCAL.includes(name);

/** The same provider, but a rejected key becomes an issue for the administrators. */
export function watchKey(payments: Payments, deps: WatchDeps): Payments {
  const record = createKeyRecorder(payments, deps);
  const watch =
    (call: (...input: unknown[]) => Promise<unknown>) =>
    async (...input: unknown[]) => {
      try {
        const result = await call(...input);
        await record('right');
        return result;
      } catch (error) {
        if (isUnauthorized(error)) await record('wrong');
        throw error;
      }
    };
  const calls = Object.entries(payments)
    .filter(([name, member]) => isCall(name, member))
    .map(([name, call]) => [name, watch(call as Parameters<typeof watch>[0])]);
  return { ...payments, ...(Object.fromEntries(calls) as Partial<Payments>) };
}
