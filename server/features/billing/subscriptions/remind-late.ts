import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { enqueueMessages } from '../billing-mail/send-messages.ts';
import { findNextPrice } from '../prices/next-price.ts';
import { listNoticesOf } from '../prices/queries.ts';
import { findSubscription, isOwing } from '../queries.ts';
import { listOpenPayments } from './charge-due.ts';
import { endUnpaid } from './decline-renewal.ts';
import { findLateEnd } from './schedule.ts';

/** Days after the first failure on which the member is told. */
const MAIL_DAYS = [0, 1, 3];

/** Tells a member what is owed, or ends the subscription when the time to pay it is over. */
export async function remindLate(tx: Tx, deps: Deps, id: string): Promise<void> {
  const now = deps.clock.now();
  const { calendar } = deps.payments;
  const row = await findSubscription(tx, id);
  if (!row || !isOwing(row) || row.user_id === null || row.late_since === null) return;
  const { user_id: userId, late_since: since } = row;
  const until = findLateEnd(since, calendar);
  const isWaiting = row.retry_at !== null || (await listOpenPayments(tx, id)).some(isOnItsWay);
  if (now >= until && !isWaiting) return endUnpaid(tx, deps, row);
  // After an outage only the newest: three mails in a minute help nobody.
  const day = MAIL_DAYS.findLast((days) => calendar.addDays(since, days) <= now);
  if (day === undefined) return;
  const { amount } = findNextPrice(row, await listNoticesOf(tx, userId), calendar);
  const message = {
    kind: 'failed' as const,
    until,
    reason: row.failure,
    amount,
    day,
    needsMember: row.status === 'needs_member',
  };
  await enqueueMessages(tx, userId, [{ key: `failed:${id}:${since}:${day}`, message }], now);
}

const isOnItsWay = ({ state }: { state: string }): boolean =>
  state === 'asked' || state === 'pending';
