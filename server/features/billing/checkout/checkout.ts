import { randomBytes } from 'node:crypto';
import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { isRefusal, PaymentsError } from '../../../ports/payments/payments.ts';
import { closeIssue, openIssue } from '../../payment-issues/service.ts';
import { recordAcceptance } from '../../legal/service.ts';
import { lockAccount } from '../account-lock.ts';
import { askProvider } from '../ask-provider.ts';
import { reconcileSubscription } from '../reconcile/reconcile-subscription.ts';
import { reserveCoupon, updateCouponUses } from '../coupons/coupon-uses.ts';
import {
  findCheckout,
  listProviderSubscriptionsOf,
  listCheckoutsOf,
  listUndecidedCheckouts,
  type CheckoutRow,
} from '../queries.ts';
import { createOffer, refuseSubscriber, type Offer } from './quote.ts';
import { MINUTE } from '#contract/rules/time.ts';

/** A user who starts the same checkout again within this time gets the page that is already open. */
const REUSED_MS = 30 * MINUTE;

/** Unguessable, and only characters that every provider accepts. */
const newReference = (): string => `wk-${randomBytes(18).toString('hex')}`;

const isSameOffer = (row: CheckoutRow, offer: Offer, provider: string): boolean =>
  row.provider === provider &&
  row.plan === offer.plan &&
  row.amount === offer.amount &&
  row.renewal_amount === offer.renewalAmount &&
  row.free_days === offer.freeDays &&
  row.coupon_id === (offer.coupon?.id ?? null);

async function insertCheckout(
  tx: Tx,
  { userId, provider, now }: { userId: string; provider: string; now: number },
  offer: Offer,
): Promise<CheckoutRow> {
  const reference = newReference();
  if (offer.coupon) await reserveCoupon(tx, { couponId: offer.coupon.id, userId, reference }, now);
  const row: CheckoutRow = {
    reference,
    checkout_id: null,
    user_id: userId,
    provider,
    plan: offer.plan,
    amount: offer.amount,
    renewal_amount: offer.renewalAmount,
    currency: CURRENCY,
    coupon_id: offer.coupon?.id ?? null,
    free_days: offer.freeDays,
    free_kind: offer.freeKind,
    first_charge_at: offer.firstChargeAt,
    state: 'open',
    customer_id: null,
    provider_subscription_id: null,
    is_purchase_reported: 0,
    check_at: null,
    is_card_used: 0,
    created_at: now,
    updated_at: now,
  };
  await tx.insertInto('checkouts').values(row).execute();
  return row;
}

/** Two open tabs share one checkout, so that it is paid only once. */
async function openCheckout(
  deps: Deps,
  userId: string,
  offer: Offer,
  { isNew = false } = {},
): Promise<CheckoutRow> {
  const now = deps.clock.now();
  const provider = deps.payments.name;
  return deps.database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    await refuseSubscriber(tx, userId, provider);
    const open = (await listCheckoutsOf(tx, userId)).find(
      (row) =>
        !isNew &&
        row.state === 'open' &&
        row.created_at > now - REUSED_MS &&
        isSameOffer(row, offer, provider),
    );
    await recordAcceptance(tx, userId, 'checkout', now);
    return open ?? insertCheckout(tx, { userId, provider, now }, offer);
  });
}

/** A checkout that the user left may have been paid: find out before charging again. */
async function reconcileOpenCheckouts(deps: Deps, userId: string) {
  const open = await listUndecidedCheckouts(deps.database.db, userId);
  if (open.length > 0) await askProvider(deps, () => reconcileSubscription(deps, userId));
}

/** A checkout that the provider refuses to open is not offered again. */
async function failCheckout({ database, clock }: Deps, userId: string, row: CheckoutRow) {
  const failed = { ...row, state: 'failed' as const, updated_at: clock.now() };
  await database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    await tx
      .updateTable('checkouts')
      .set({ state: failed.state, updated_at: failed.updated_at })
      .where('reference', '=', row.reference)
      .where('state', '=', 'open')
      .execute();
    await updateCouponUses(tx, [failed], clock.now());
  });
}

type StartedCheckout = { row: CheckoutRow; customerId: string | null; code: string | null };

async function openPage(
  deps: Deps,
  { user: { id: userId, email } }: Viewer,
  { row, customerId, code }: StartedCheckout,
): Promise<{ url: string }> {
  const { database, payments, site } = deps;
  // Back on the pricing page the user still has the plan and the code.
  const back = new URLSearchParams({
    plan: row.plan,
    ...(code && { code }),
    reference: row.reference,
  });
  const { url, checkoutId } = await payments.startCheckout({
    reference: row.reference,
    checkoutId: row.checkout_id,
    userId,
    email,
    customerId,
    plan: row.plan,
    amount: row.amount,
    renewalAmount: row.renewal_amount,
    currency: row.currency,
    firstChargeAt: row.first_charge_at,
    successUrl: `${site.origin}/subscription-success?reference=${row.reference}`,
    cancelUrl: `${site.origin}/pricing?${back.toString()}`,
  });
  await database.db
    .updateTable('checkouts')
    .set({ checkout_id: checkoutId })
    .where('reference', '=', row.reference)
    .execute();
  await closeRefusal(deps, row.plan);
  return { url };
}

async function openPageOrFail(
  deps: Deps,
  viewer: Viewer,
  started: StartedCheckout,
): Promise<{ url: string }> {
  try {
    return await openPage(deps, viewer, started);
  } catch (error) {
    // A checkout that was opened before may still be paid, so it stays open until it is decided.
    if (isRefusal(error) && started.row.checkout_id === null)
      await failCheckout(deps, viewer.user.id, started.row);
    throw error;
  }
}

export async function startCheckout(
  deps: Deps,
  viewer: Viewer,
  input: { plan: Plan; coupon?: string | undefined },
): Promise<{ url: string }> {
  const { id: userId } = viewer.user;
  await reconcileOpenCheckouts(deps, userId);
  const offer = await createOffer(deps, viewer, input);
  const row = await openCheckout(deps, userId, offer);
  const code = offer.coupon?.code ?? null;
  const subscriptions = await listProviderSubscriptionsOf(deps.database.db, userId);
  const last = subscriptions.findLast(({ provider }) => provider === deps.payments.name);
  return askProvider(deps, async () => {
    try {
      return await openPageOrFail(deps, viewer, {
        row,
        customerId: last?.customer_id ?? null,
        code,
      });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The page’s address was lost or the customer no longer exists: start a new checkout.
      const fresh = await openCheckout(deps, userId, offer, { isNew: true });
      return reportRefusal(deps, offer, () =>
        openPageOrFail(deps, viewer, { row: fresh, customerId: null, code }),
      );
    }
  });
}

const refusedCheckoutKey = (provider: string, plan: Plan): string =>
  `checkout-refused:${provider}:${plan}`;

/** Not even a new checkout works: the plan at the provider doesn’t match ours, for example. */
async function reportRefusal<T>(
  { database, clock, payments: { name: provider } }: Deps,
  { plan, renewalAmount: amount }: Offer,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (isRefusal(error) && error instanceof PaymentsError)
      await database.db.transaction().execute((tx) =>
        openIssue(
          tx,
          {
            key: refusedCheckoutKey(provider, plan),
            kind: 'checkout-refused',
            provider,
            amount,
            currency: CURRENCY,
            because: `The payment provider refused a checkout of the ${plan} plan: ${error.message}`,
          },
          clock.now(),
        ),
      );
    throw error;
  }
}

/** A checkout works again. */
async function closeRefusal({ database, clock, payments }: Deps, plan: Plan) {
  const key = refusedCheckoutKey(payments.name, plan);
  const open = await database.db
    .selectFrom('payment_issues')
    .select('id')
    .where('key', '=', key)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  if (!open) return;
  await database.db
    .transaction()
    .execute((tx) => closeIssue(tx, key, 'A checkout worked again.', clock.now()));
}

type Purchase = { plan: Plan; amount: number; currency: 'ZAR'; paymentMethod: string };
export type CheckoutResult = {
  state: 'open' | 'paid' | 'failed' | 'refused';
  purchase: Purchase | null;
};

/** Reports a purchase to one page only, so that analytics counts it once. */
async function claimPurchaseReport({ database }: Deps, row: CheckoutRow): Promise<Purchase | null> {
  const claimed = await database.db
    .updateTable('checkouts')
    .set({ is_purchase_reported: 1 })
    .where('reference', '=', row.reference)
    .where('state', '=', 'paid')
    .where('is_purchase_reported', '=', 0)
    .returning('reference')
    .executeTakeFirst();
  if (!claimed) return null;
  const duplicate = await database.db
    .selectFrom('provider_subscriptions')
    .select('id')
    .where('provider', '=', row.provider)
    .where('provider_subscription_id', '=', row.provider_subscription_id ?? '')
    .where('is_duplicate', '=', 1)
    .executeTakeFirst();
  if (duplicate) return null;
  const amount = row.free_days > 0 ? 0 : row.amount;
  return { plan: row.plan, amount, currency: CURRENCY, paymentMethod: 'card' };
}

/** For a user returning from the provider: asks it now instead of waiting for its webhook event. */
export async function confirmCheckout(
  deps: Deps,
  viewer: Viewer,
  reference: string,
): Promise<CheckoutResult> {
  const { db } = deps.database;
  const isOwn = (row: CheckoutRow | undefined): row is CheckoutRow =>
    row !== undefined && row.user_id === viewer.user.id;
  const before = await findCheckout(db, reference);
  if (!isOwn(before)) throw new AppError('not_found');
  if (before.state !== 'paid' && before.state !== 'refused')
    await askProvider(deps, () =>
      reconcileSubscription(deps, viewer.user.id, { hints: { references: [reference] } }),
    );
  const row = await findCheckout(db, reference);
  if (!isOwn(row)) throw new AppError('not_found');
  if (row.state === 'paid')
    return { state: 'paid', purchase: await claimPurchaseReport(deps, row) };
  const state = row.state === 'expired' ? 'failed' : row.state;
  return { state, purchase: null };
}
