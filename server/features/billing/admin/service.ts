import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { recordAction } from '../../audit/service.ts';
import { tellChanges } from '../billing-mail/send-messages.ts';
import { findInvoice, formatInvoiceNumber } from '../ledger/invoices.ts';
import { toLedgerContext } from '../ledger/ledger-entries.ts';
import { makeRefundNow } from '../refunds/make-refund.ts';
import { dropRefund, requestRefund, type RefundId } from '../refunds/refunds.ts';
import { endAccess } from '../ledger/service.ts';
import {
  findPaymentOfCharge,
  findRunningSubscription,
  isRenewing,
  lockAccount,
} from '../queries.ts';
import { stopRenewing } from '../subscriptions/change-state.ts';

type RefundInput = {
  invoiceId: string;
  amount: number;
  endsSubscription: boolean;
  reason: string;
};

/** In the audit log before the provider is asked, so that every refund has an author. */
async function requestRefundOf(
  { database, payments, clock }: Deps,
  viewer: Viewer,
  userId: string | null,
  { invoiceId, amount, endsSubscription, reason }: RefundInput,
): Promise<RefundId> {
  const invoice = await findInvoice(database.db, userId, invoiceId);
  if (!invoice || invoice.provider !== payments.name) throw new AppError('not_found');
  if (amount > invoice.amount - invoice.refunded) {
    const message = 'That’s more than the refundable amount.';
    throw new AppError('validation_failed', { message, fields: { amount: message } });
  }
  const { number, currency, provider, charge_id, refunded } = invoice;
  const after = { invoice: formatInvoiceNumber(number), amount, currency, endsSubscription };
  const now = clock.now();
  return database.db.transaction().execute(async (tx) => {
    const payment = await findPaymentOfCharge(tx, provider, charge_id);
    const subject = { kind: 'user' as const, ...(userId !== null && { id: userId }) };
    const action = { actor: viewer, action: 'refund.requested', subject, after, reason };
    const refund = {
      provider,
      charge_id,
      // After one that the bank sent back, it is another.
      key: `refund:${invoice.id}:${refunded}:${amount}:${payment?.failed_refunds ?? 0}`,
      amount,
      why: 'administrator' as const,
      user_id: userId,
      action_id: await recordAction(tx, action, now),
      ends_subscription: endsSubscription ? (1 as const) : (0 as const),
    };
    return requestRefund(tx, refund, { now, isMadeAtOnce: true });
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
  const id = await requestRefundOf(deps, viewer, userId, input);
  await makeRefundNow(deps, id, async (error) => {
    if (!(await deps.database.db.transaction().execute((tx) => dropRefund(tx, id)))) return;
    throw new AppError('refund_refused', {
      message: `The payment provider refused the refund, and nothing was refunded: ${error.message}`,
    });
  });
}

/** Stops further charges. Access lasts until the end of the period, or with `isImmediate` ends now. */
export async function endSubscriptionOf(
  deps: Deps,
  viewer: Viewer,
  userId: string,
  { isImmediate, reason }: { isImmediate: boolean; reason: string },
): Promise<void> {
  const actor = viewer.user.id;
  const context = toLedgerContext(deps);
  await deps.database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const running = await findRunningSubscription(tx, userId);
    if (isImmediate) await endAccess(tx, userId, { reason, actor }, context);
    else if (running && isRenewing(running))
      await tellChanges(tx, deps, userId, () =>
        stopRenewing(tx, running, { reason, actor, left: { way: 'ended' } }, context),
      );
    else throw new AppError('not_subscribed');
    const subject = { kind: 'user' as const, id: userId };
    const action = 'subscription.ended';
    await recordAction(
      tx,
      { actor: viewer, action, subject, after: { isImmediate }, reason },
      context.now,
    );
  });
  deps.jobs.wake();
}
