import type { User } from '#contract/accounts.ts';
import type { Deps } from '../../deps.ts';
import { ENDING_DAYS, findAgain } from './pay-once/pay-once.ts';
import { findRunningSubscription, listLedgerEntries } from './queries.ts';
import { findProblem } from './subscriptions/service.ts';

type Payer = { id: string; paid_through: number | null };

/** For the note on every page. */
export { listSampleGiftMails, listSamplePaymentMails } from './sample-mails.ts';

export async function findPaymentDue(
  deps: Deps,
  { id, paid_through: paidThrough }: Payer,
): Promise<User['paymentDue'] | null> {
  const { database, payments, clock } = deps;
  const { calendar } = payments;
  const running = await findRunningSubscription(database.db, id);
  const problem = findProblem(running, 0, payments);
  if (problem) return { kind: problem.needsMember ? 'confirm' : 'owed', until: problem.until };
  const now = clock.now();
  // The ledger is read only in the last days.
  if (paidThrough === null || paidThrough <= now) return null;
  if (paidThrough > calendar.addDays(now, ENDING_DAYS)) return null;
  const again = await findAgain(deps, id, await listLedgerEntries(database.db, id));
  return again && { kind: 'ends', until: again.until };
}
