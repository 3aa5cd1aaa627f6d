import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { recordAction } from '../../audit/service.ts';
import { askProvider } from '../ask-provider.ts';
import { findInvoice } from '../invoices/service.ts';
import { endAccess } from '../ledger/service.ts';
import { isRenewing, listProviderSubscriptionsOf } from '../queries.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import { findCurrentSubscription } from '../subscription/present-subscription.ts';

type Refund = { invoiceId: string; amount: number; because: string };

/**
 * Refunds all or part of a payment. The request is in the audit log before the provider is asked, so
 * that every refund has an author; asking again for the same refund pays it once.
 */
export async function refundPayment(
  deps: Deps,
  viewer: Viewer,
  userId: string,
  { invoiceId, amount, because }: Refund,
): Promise<void> {
  const { database, payments, clock } = deps;
  const invoice = await findInvoice(database.db, userId, invoiceId);
  if (!invoice || invoice.provider !== payments.name) throw new AppError('not_found');
  if (amount > invoice.amount - invoice.refunded) {
    const message = 'That’s more than the refundable amount.';
    throw new AppError('validation_failed', { message, fields: { amount: message } });
  }
  const after = { invoice: invoice.number, amount, currency: invoice.currency };
  const subject = { kind: 'user' as const, id: userId };
  const record = (action: 'refund.requested' | 'payment.refunded') =>
    database.db
      .transaction()
      .execute((tx) =>
        recordAction(tx, { actor: viewer, action, subject, after, because }, clock.now()),
      );
  await record('refund.requested');
  await askProvider(deps, async () => {
    const key = `refund:${invoice.id}:${invoice.refunded}:${amount}`;
    await payments.refund({ chargeId: invoice.charge_id, amount, key });
    await record('payment.refunded');
    await reconcileSubscription(deps, userId);
  });
}

/** Stops further charges. Access lasts until the end of the period, or with `isImmediate` ends now. */
export async function endSubscription(
  deps: Deps,
  viewer: Viewer,
  userId: string,
  { isImmediate, because }: { isImmediate: boolean; because: string },
): Promise<void> {
  const { database, payments, clock } = deps;
  const actor = viewer.user.id;
  const rows = await listProviderSubscriptionsOf(database.db, userId);
  const current = findCurrentSubscription(rows, payments.name);
  const renewing = current && isRenewing(current) ? current : null;
  if (!renewing && !isImmediate) throw new AppError('not_subscribed');
  if (renewing)
    await askProvider(deps, async () => {
      await payments.cancelAtPeriodEnd(renewing.provider_subscription_id);
      const intent = { kind: 'cancelled' as const, because, detail: null, actor };
      await reconcileSubscription(deps, userId, { intent });
    });
  const { timeZone } = deps.config;
  const context = { now: clock.now(), calendar: payments.calendar, timeZone };
  await database.db.transaction().execute(async (tx) => {
    if (isImmediate) await endAccess(tx, userId, { because, actor }, context);
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
