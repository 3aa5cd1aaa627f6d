import { z } from 'zod';
import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { countAttemptsWithin } from '../../../jobs/backoff.ts';
import { defineJob } from '../../../jobs/define-job.ts';
import { enqueue, takeWaiting } from '../../../jobs/queue.ts';
import { isRefusal, PaymentsError } from '../../../ports/payments/payments.ts';
import { findAction, recordAction, type AuditedAction } from '../../audit/service.ts';
import { lockAccount } from '../account-lock.ts';
import { tellChanges } from '../billing-mail/send-messages.ts';
import { settleCharge } from '../checkout/settle-payment.ts';
import { findInvoice, formatInvoiceNumber } from '../ledger/invoices.ts';
import { toLedgerContext } from '../ledger/ledger-entries.ts';
import { endAccess } from '../ledger/service.ts';
import { findPaidThroughOf, findRunningSubscription, isRenewing } from '../queries.ts';
import { refundCharge } from '../ledger/refunds.ts';
import {
  endSubscription,
  stopRenewing,
  updateSubscription,
} from '../subscriptions/change-state.ts';

/** The request itself pays the refund; the job only finishes what it leaves undone. */
const FINISH_MS = 3 * MINUTE;

const Refund = z.object({
  /** The entry of the audit log that says who asked for it, for whom and why. */
  actionId: z.string(),
  provider: z.string(),
  chargeId: z.string(),
  amount: z.int(),
  key: z.string(),
  endsSubscription: z.boolean(),
});
type Refund = z.infer<typeof Refund>;

type Request = Pick<AuditedAction, 'actor' | 'after' | 'because'> & { userId: string | null };

/** With paid time left it ends with that time, otherwise now. */
async function endRenewals(deps: Deps, userId: string, { actor, because }: Request) {
  const context = toLedgerContext(deps);
  const by = typeof actor === 'object' && 'userId' in actor ? actor.userId : 'system';
  await deps.database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const running = await findRunningSubscription(tx, userId);
    if (!running || !isRenewing(running)) return;
    const cause = { because: because ?? 'Refunded.', actor: by };
    const hasTimeLeft = ((await findPaidThroughOf(tx, userId)) ?? 0) > context.now;
    await tellChanges(tx, deps, userId, async () => {
      if (hasTimeLeft) return stopRenewing(tx, running, cause, context);
      await updateSubscription(tx, running.id, { cancelled_at: context.now }, context.now);
      await endSubscription(tx, running, cause, context, 'cancelled');
    });
  });
}

async function followRefund(deps: Deps, refund: Refund, request: Request): Promise<void> {
  await settleCharge(deps, refund.chargeId);
  // The account may have been deleted, which ends its subscription.
  if (request.userId !== null && refund.endsSubscription)
    await endRenewals(deps, request.userId, request);
}

async function recordRefund(
  tx: Tx,
  { endsSubscription }: Refund,
  { userId, ...request }: Request,
  now: number,
) {
  const subject = { kind: 'user' as const, ...(userId !== null && { id: userId }) };
  await recordAction(tx, { ...request, action: 'payment.refunded', subject }, now);
  if (endsSubscription)
    await recordAction(
      tx,
      { ...request, action: 'subscription.ended', subject, after: { isImmediate: false } },
      now,
    );
}

async function findRequest({ database }: Deps, actionId: string): Promise<Request> {
  const action = await findAction(database.db, actionId);
  const user = await database.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', action?.subjectId ?? '')
    .executeTakeFirst();
  return {
    userId: user?.id ?? null,
    actor: action?.actorId ? { userId: action.actorId } : 'console',
    ...(action && { after: action.after }),
    ...(action?.because && { because: action.because }),
  };
}

/** Finishes a refund that a crash or an outage interrupted: every step may be repeated. */
export const finishRefund = defineJob({
  name: 'finish-refund',
  lane: 'payments',
  payload: Refund,
  maxAttempts: countAttemptsWithin(7 * DAY),
  run: async (deps: Deps, refund, job) => {
    await refundCharge(deps, refund);
    const request = await findRequest(deps, refund.actionId);
    await followRefund(deps, refund, request);
    await job.finish((tx) => recordRefund(tx, refund, request, deps.clock.now()));
    deps.jobs.wake();
  },
});

type RefundInput = {
  invoiceId: string;
  amount: number;
  endsSubscription: boolean;
  because: string;
};

/** In the audit log before the provider is asked, so that every refund has an author. */
async function requestRefund(
  { database, payments, clock }: Deps,
  viewer: Viewer,
  userId: string | null,
  { invoiceId, amount, endsSubscription, because }: RefundInput,
): Promise<{ refund: Refund; request: Request }> {
  const invoice = await findInvoice(database.db, userId, invoiceId);
  if (!invoice || invoice.provider !== payments.name) throw new AppError('not_found');
  if (amount > invoice.amount - invoice.refunded) {
    const message = 'That’s more than the refundable amount.';
    throw new AppError('validation_failed', { message, fields: { amount: message } });
  }
  const { number, currency } = invoice;
  const after = { invoice: formatInvoiceNumber(number), amount, currency };
  const now = clock.now();
  const key = `refund:${invoice.id}:${invoice.refunded}:${amount}`;
  return database.db.transaction().execute(async (tx) => {
    const actionId = await recordAction(
      tx,
      {
        actor: viewer,
        action: 'refund.requested',
        subject: { kind: 'user', ...(userId !== null && { id: userId }) },
        after: { ...after, endsSubscription },
        because,
      },
      now,
    );
    const refund = {
      actionId,
      provider: invoice.provider,
      chargeId: invoice.charge_id,
      amount,
      key,
      endsSubscription,
    };
    await enqueue(tx, finishRefund, refund, { now, runAt: now + FINISH_MS, uniqueKey: key });
    return { refund, request: { userId, actor: { userId: viewer.user.id }, after, because } };
  });
}

/**
 * Refunds all or part of a payment and, if asked to, stops further charges. Asking again for the same
 * refund pays it once, and what a crash leaves undone is finished by the job.
 */
export async function refundPayment(
  deps: Deps,
  viewer: Viewer,
  userId: string | null,
  input: RefundInput,
): Promise<void> {
  const { refund, request } = await requestRefund(deps, viewer, userId, input);
  const { database, clock, log } = deps;
  try {
    await refundCharge(deps, refund);
  } catch (error) {
    if (!isRefusal(error)) throw explainDelay(deps, error);
    log.error({ err: error }, 'The payment provider refused a refund.');
    await database.db.transaction().execute((tx) => takeWaiting(tx, refund.key));
    const reason = error instanceof Error ? error.message : '';
    throw new AppError('refund_refused', {
      message: `The payment provider refused the refund, and nothing was refunded: ${reason}`,
    });
  }
  await followRefund(deps, refund, request).catch((error: unknown) => {
    throw explainDelay(deps, error);
  });
  await database.db.transaction().execute(async (tx) => {
    if (await takeWaiting(tx, refund.key)) await recordRefund(tx, refund, request, clock.now());
  });
  deps.jobs.wake();
}

function explainDelay({ log }: Deps, error: unknown): unknown {
  if (!(error instanceof PaymentsError)) return error;
  log.error({ err: error }, 'The payment provider failed during a refund.');
  return new AppError('provider_unavailable', {
    message:
      'The payment provider isn’t responding. Your request is recorded, and we’ll finish it as soon as the provider responds. You don’t need to ask again.',
  });
}

/** Stops further charges. Access lasts until the end of the period, or with `isImmediate` ends now. */
export async function endSubscriptionOf(
  deps: Deps,
  viewer: Viewer,
  userId: string,
  { isImmediate, because }: { isImmediate: boolean; because: string },
): Promise<void> {
  const actor = viewer.user.id;
  const context = toLedgerContext(deps);
  await deps.database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const running = await findRunningSubscription(tx, userId);
    if (isImmediate) await endAccess(tx, userId, { because, actor }, context);
    else if (running && isRenewing(running))
      await tellChanges(tx, deps, userId, () =>
        stopRenewing(tx, running, { because, actor }, context),
      );
    else throw new AppError('not_subscribed');
    const subject = { kind: 'user' as const, id: userId };
    const action = 'subscription.ended';
    await recordAction(
      tx,
      { actor: viewer, action, subject, after: { isImmediate }, because },
      context.now,
    );
  });
  deps.jobs.wake();
}
