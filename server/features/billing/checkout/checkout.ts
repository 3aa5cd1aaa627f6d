import type { Plan } from '#contract/rules/plans.ts';
import { CURRENCY } from '#contract/rules/plans.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { recordAcceptance } from '../../legal/service.ts';
import { askProvider } from '../ask-provider.ts';
import { findPayment, listUndecidedPayments, lockAccount, type PaymentRow } from '../queries.ts';
import { describePlan } from '../subscriptions/schedule.ts';
import { holdCoupon } from './coupons.ts';
import { findOpenPage, insertPage, openPage } from './open-page.ts';
import { createOffer, refuseSubscriber, type Offer } from './quote.ts';
import { settlePayment } from './settle-payment.ts';

/** A page that the user left may have been paid: find out before opening another one. */
export async function settleOpenPages(deps: Deps, userId: string) {
  for (const { reference, provider } of await listUndecidedPayments(deps.database.db, userId))
    if (provider === deps.payments.name)
      await askProvider(deps, () => settlePayment(deps, reference));
}

async function writePage(deps: Deps, userId: string, offer: Offer, isNew: boolean) {
  const { database, clock } = deps;
  const now = clock.now();
  return database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    await refuseSubscriber(tx, userId);
    await recordAcceptance(tx, userId, 'checkout', now);
    const { coupon } = offer;
    const page = {
      user_id: userId,
      kind: offer.kind,
      plan: offer.plan,
      amount: offer.dueNow,
      first_amount: offer.amount,
      renewal_amount: offer.renewalAmount,
      coupon_id: coupon?.id ?? null,
      free_days: offer.freeDays,
      free_kind: offer.freeKind,
    };
    const open = isNew ? undefined : await findOpenPage(tx, deps, page);
    if (open) return open;
    const use = { coupon_id: coupon?.id ?? null, user_id: userId, reference: '' };
    if (!(await holdCoupon(tx, use))) throw new AppError('coupon_invalid');
    return insertPage(tx, deps, page);
  });
}

export async function startCheckout(
  deps: Deps,
  viewer: Viewer,
  input: { plan: Plan; coupon?: string | undefined },
): Promise<{ url: string }> {
  const { id: userId } = viewer.user;
  await settleOpenPages(deps, userId);
  const offer = await createOffer(deps, viewer, input);
  const write = (isNew: boolean) => writePage(deps, userId, offer, isNew);
  const { url } = await openPage(deps, viewer.user.email, write, ({ reference }) => {
    // Back on the pricing page the user still has the plan and the code.
    const code = offer.coupon && { code: offer.coupon.code };
    const back = new URLSearchParams({ plan: offer.plan, ...code, reference });
    return {
      description: describePlan(offer.plan, deps.config.siteName),
      successPath: `/subscription-success?reference=${reference}`,
      cancelPath: `/pricing?${back.toString()}`,
    };
  });
  return { url };
}

type Purchase = { plan: Plan | null; amount: number; currency: 'ZAR'; paymentMethod: string };
type CheckoutResult = {
  state: (typeof shownStates)[PaymentRow['state']];
  purchase: Purchase | null;
};

/** Reports a purchase to one page only, so that analytics counts it once. */
async function claimPurchaseReport({ database }: Deps, row: PaymentRow): Promise<Purchase | null> {
  if (row.kind === 'renewal' || (row.kind === 'card-check' && row.plan === null)) return null;
  const claimed = await database.db
    .updateTable('payments')
    .set({ is_purchase_reported: 1 })
    .where('reference', '=', row.reference)
    .where('state', '=', 'paid')
    .where('is_purchase_reported', '=', 0)
    .returning('reference')
    .executeTakeFirst();
  if (!claimed) return null;
  const amount = row.kind === 'card-check' ? 0 : row.amount;
  return { plan: row.plan, amount, currency: CURRENCY, paymentMethod: row.channel ?? 'card' };
}

/** What a payment's state is to whoever pays. */
export const shownStates = {
  open: 'open',
  asked: 'pending',
  pending: 'pending',
  paid: 'paid',
  failed: 'failed',
  expired: 'failed',
  refused: 'refused',
} as const satisfies Record<PaymentRow['state'], string>;

/** For a user returning from the provider: asks it now instead of waiting for its webhook event. */
export async function confirmCheckout(
  deps: Deps,
  viewer: Viewer,
  reference: string,
): Promise<CheckoutResult> {
  const { db } = deps.database;
  const read = async () => {
    const row = await findPayment(db, reference);
    if (!row || row.user_id !== viewer.user.id) throw new AppError('not_found');
    return row;
  };
  const before = await read();
  if (before.state !== 'paid' && before.state !== 'refused')
    await askProvider(deps, () => settlePayment(deps, reference));
  const row = await read();
  const purchase = row.state === 'paid' ? await claimPurchaseReport(deps, row) : null;
  return { state: shownStates[row.state], purchase };
}
