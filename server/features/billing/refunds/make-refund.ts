import { z } from 'zod';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { isRefusal, PaymentsError } from '../../../ports/payments/payments.ts';
import { findAction, recordAction } from '../../audit/service.ts';
import { tellChanges } from '../billing-mail/send-messages.ts';
import { settlePayment } from '../checkout/settle-payment.ts';
import {
  findPaidThroughOf,
  findPaymentOfCharge,
  findRunningSubscription,
  isRenewing,
  lockAccount,
} from '../queries.ts';
import {
  endSubscription,
  stopRenewing,
  updateSubscription,
} from '../subscriptions/change-state.ts';
import { WITHDRAWN } from '../subscriptions/service.ts';
import { appendEntry, buildLedgerEntry, toLedgerContext } from '../ledger/ledger-entries.ts';
import {
  askForRefund,
  dropRefundJob,
  findLeft,
  findRefund,
  refundJob,
  updateRefund,
  type RefundId,
  type RefundRow,
} from './refunds.ts';

/** With paid time left it ends with that time, otherwise now. */
async function endRenewals(
  tx: Tx,
  deps: Deps,
  userId: string,
  cause: { reason: string; actor: string },
): Promise<void> {
  const context = toLedgerContext(deps);
  const running = await findRunningSubscription(tx, userId);
  if (!running || !isRenewing(running)) return;
  const ending = { ...cause, left: { way: 'refunded' as const } };
  const hasTimeLeft = ((await findPaidThroughOf(tx, userId)) ?? 0) > context.now;
  await tellChanges(tx, deps, userId, async () => {
    if (hasTimeLeft) return stopRenewing(tx, running, ending, context);
    await updateSubscription(tx, running.id, { cancelled_at: context.now }, context.now);
    await endSubscription(tx, running, ending, context, 'cancelled');
  });
}

/** What an administrator decided is in the audit log, and so is that it was done. */
async function finishDecision(tx: Tx, deps: Deps, { user_id, action_id, ...row }: RefundRow) {
  const decision = await findAction(tx, action_id ?? '');
  const actorId = decision?.actorId ?? null;
  const reason = decision?.reason ?? 'Refunded.';
  const subject = { kind: 'user' as const, ...(user_id !== null && { id: user_id }) };
  const facts = { actor: actorId === null ? ('console' as const) : { userId: actorId }, subject };
  const now = deps.clock.now();
  const after = decision?.after ?? {};
  await recordAction(tx, { ...facts, action: 'payment.refunded', after, reason }, now);
  if (row.ends_subscription === 0) return;
  const ended = { action: 'subscription.ended', after: { isImmediate: false } };
  await recordAction(tx, { ...facts, ...ended, reason }, now);
  const cause = { reason, actor: actorId ?? 'system' };
  if (user_id !== null) await endRenewals(tx, deps, user_id, cause);
}

/** What others paid for stays, such as a gift; the grace days of a trial don’t. */
async function endGrace(tx: Tx, deps: Deps, userId: string): Promise<void> {
  const context = toLedgerContext(deps);
  const paidThrough = await findPaidThroughOf(tx, userId);
  if (paidThrough === null || paidThrough > context.now) return;
  const entry = buildLedgerEntry('end', context.now, WITHDRAWN.reason, { actor: 'user' });
  await appendEntry(tx, userId, entry, context);
}

/** What follows from a refund, once. The account may have been deleted meanwhile. */
async function finish(tx: Tx, deps: Deps, id: RefundId): Promise<void> {
  const row = await findRefund(tx, id);
  if (!row) return;
  const { user_id: userId, why } = row;
  if (userId !== null) await lockAccount(tx, userId);
  const done = await updateRefund(tx, row, { done_at: deps.clock.now() })
    .where('done_at', 'is', null)
    .returning('key')
    .executeTakeFirst();
  await dropRefundJob(tx, id);
  if (!done) return;
  if (why === 'administrator') await finishDecision(tx, deps, row);
  if (why === 'withdrawal' && userId !== null) await endGrace(tx, deps, userId);
}

/** Asks for a refund, records it, and does what follows. After a crash anywhere it may run again. */
export async function makeRefund(deps: Deps, id: RefundId): Promise<void> {
  const { database, payments } = deps;
  const { db } = database;
  const row = await findRefund(db, id);
  if (!row) return;
  const payment = await findPaymentOfCharge(db, id.provider, id.chargeId);
  if (row.accepted_at === null) {
    let { amount } = row;
    // A part of what goes back by itself may have been refunded at the provider.
    if (row.why === 'refused' && payment?.provider === payments.name)
      amount = findLeft(await payments.readPayment(payment.reference, payment.provider_id));
    if (amount <= 0) return;
    await askForRefund(deps, row, amount);
  }
  if (payment) await settlePayment(deps, payment.reference);
  await db.transaction().execute((tx) => finish(tx, deps, id));
  deps.jobs.wake();
}

/** Whoever asked for it waits; what an outage leaves undone is up to the job. */
export const makeRefundNow = (
  deps: Deps,
  id: RefundId,
  onRefusal?: (error: PaymentsError) => Promise<void>,
): Promise<void> =>
  makeRefund(deps, id).catch(async (error: unknown) => {
    if (!(error instanceof PaymentsError)) throw error;
    deps.log.error({ err: error }, 'The payment provider failed or refused a refund.');
    if (isRefusal(error)) await onRefusal?.(error);
    throw new AppError('provider_unavailable', {
      message:
        'The payment provider isn’t responding. Your request is recorded, and we’ll finish it as soon as the provider responds. You don’t need to ask again.',
    });
  });

/** Every refund, whoever wants it and why: asked for until the provider has accepted it. */
export const makeRefundJob = defineJob({
  ...refundJob,
  payload: z.object({ provider: z.string(), chargeId: z.string(), key: z.string() }),
  run: makeRefund,
});
