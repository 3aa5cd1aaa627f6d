import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { recordAct } from '../audit/service.ts';
import { askProvider } from './ask-provider.ts';
import { convergeMember } from './converge-member.ts';
import { endAccess } from './grants.ts';
import { findCurrent } from './present-subscription.ts';
import { findInvoice, listAgreementsOf } from './queries.ts';

type Refund = { invoiceId: string; amount: number; because: string };

/**
 * Pays back some or all of one payment. What is asked for is written down before the provider is, so
 * that nothing leaves the till without a name; asking again for the same pays back once.
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
  if (amount > invoice.amount - invoice.refunded)
    throw new AppError('validation_failed', {
      message: 'This is more than what is left of the payment.',
      fields: { amount: 'This is more than what is left of the payment.' },
    });
  const after = { invoice: invoice.number, amount, currency: invoice.currency };
  const subject = { kind: 'user' as const, id: userId };
  const note = (act: 'refund.asked' | 'payment.refunded') =>
    database.db
      .transaction()
      .execute((tx) => recordAct(tx, { actor: viewer, act, subject, after, because }, clock.now()));
  await note('refund.asked');
  await askProvider(deps, async () => {
    const key = `refund:${invoice.id}:${invoice.refunded}:${amount}`;
    await payments.refund({ chargeId: invoice.charge_id, amount, key });
    await note('payment.refunded');
    await convergeMember(deps, userId);
  });
}

/** Nothing is charged again. What is paid for stays to its end, or with `isAtOnce` ends now. */
export async function endSubscription(
  deps: Deps,
  viewer: Viewer,
  userId: string,
  { isAtOnce, because }: { isAtOnce: boolean; because: string },
): Promise<void> {
  const { database, payments, clock } = deps;
  const current = findCurrent(await listAgreementsOf(database.db, userId), payments.name);
  const isRenewing = current && ['active', 'late'].includes(current.status);
  if (!isRenewing && !isAtOnce) throw new AppError('not_subscribed');
  if (isRenewing)
    await askProvider(deps, async () => {
      await payments.cancelAtPeriodEnd(current.agreement_id);
      const intent = { kind: 'cancelled' as const, because, detail: null, actor: viewer.user.id };
      await convergeMember(deps, userId, { intent });
    });
  const place = {
    now: clock.now(),
    calendar: payments.calendar,
    timeZone: deps.config.timeZone,
  };
  await database.db.transaction().execute(async (tx) => {
    if (isAtOnce) await endAccess(tx, userId, { because, actor: viewer.user.id }, place);
    const subject = { kind: 'user' as const, id: userId };
    const act = 'subscription.ended';
    await recordAct(tx, { actor: viewer, act, subject, after: { isAtOnce }, because }, place.now);
  });
  deps.jobs.wake();
}
