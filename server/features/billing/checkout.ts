import { randomBytes } from 'node:crypto';
import { CURRENCY, type Plan } from '#contract/rules/plans.ts';
import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { PaymentsError } from '../../ports/payments/payments.ts';
import { holdAccount } from './account.ts';
import { askProvider } from './ask-provider.ts';
import { convergeMember } from './converge-member.ts';
import { settleCoupons } from './coupon-uses.ts';
import { holdCoupon } from './coupons.ts';
import {
  findCheckout,
  listAgreementsOf,
  listCheckoutsOf,
  listOpenCheckouts,
  type CheckoutRow,
} from './queries.ts';
import { makeOffer, refuseSubscriber, type Offer } from './quote.ts';
import { MINUTE } from '#contract/rules/time.ts';

/** Who comes back to pay within this time is sent to the page that is open already. */
const REUSED_MS = 30 * MINUTE;

/** Unguessable, and of letters that every provider takes. */
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
  if (offer.coupon) await holdCoupon(tx, offer.coupon, { userId, reference, now });
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
    agreement_id: null,
    is_purchase_told: 0,
    created_at: now,
    updated_at: now,
  };
  await tx.insertInto('checkouts').values(row).execute();
  return row;
}

/** Two open pages of one member get one checkout: whichever is paid, it is paid once. */
async function openCheckout(
  deps: Deps,
  userId: string,
  offer: Offer,
  { isNew = false } = {},
): Promise<CheckoutRow> {
  const now = deps.clock.now();
  const provider = deps.payments.name;
  return deps.database.db.transaction().execute(async (tx) => {
    await holdAccount(tx, userId);
    await refuseSubscriber(tx, userId, provider);
    const open = (await listCheckoutsOf(tx, userId)).find(
      (row) =>
        !isNew &&
        row.state === 'open' &&
        row.created_at > now - REUSED_MS &&
        isSameOffer(row, offer, provider),
    );
    return open ?? insertCheckout(tx, { userId, provider, now }, offer);
  });
}

/** A page that was left may have been paid all the same: nobody is asked for the same money again. */
async function settleOpen(deps: Deps, userId: string) {
  const open = await listOpenCheckouts(deps.database.db, userId);
  if (open.length > 0) await askProvider(deps, () => convergeMember(deps, userId));
}

/** What the provider will not open is not offered again. */
async function giveUp({ database, clock }: Deps, userId: string, row: CheckoutRow) {
  const failed = { ...row, state: 'failed' as const, updated_at: clock.now() };
  await database.db.transaction().execute(async (tx) => {
    await holdAccount(tx, userId);
    await tx
      .updateTable('checkouts')
      .set({ state: failed.state, updated_at: failed.updated_at })
      .where('reference', '=', row.reference)
      .where('state', '=', 'open')
      .execute();
    await settleCoupons(tx, [failed], clock.now());
  });
}

async function askForPage(
  { database, payments, site }: Deps,
  { user: { id: userId, email } }: Viewer,
  { row, customerId }: { row: CheckoutRow; customerId: string | null },
): Promise<{ url: string }> {
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
    cancelUrl: `${site.origin}/pricing?reference=${row.reference}`,
  });
  await database.db
    .updateTable('checkouts')
    .set({ checkout_id: checkoutId })
    .where('reference', '=', row.reference)
    .execute();
  return { url };
}

const isRefusal = (error: unknown): boolean => error instanceof PaymentsError && error.isLasting;

async function askOrGiveUp(
  deps: Deps,
  viewer: Viewer,
  begun: { row: CheckoutRow; customerId: string | null },
): Promise<{ url: string }> {
  try {
    return await askForPage(deps, viewer, begun);
  } catch (error) {
    // One that was opened once may still be paid: it is asked about until it is decided.
    if (isRefusal(error) && begun.row.checkout_id === null)
      await giveUp(deps, viewer.user.id, begun.row);
    throw error;
  }
}

export async function startCheckout(
  deps: Deps,
  viewer: Viewer,
  input: { plan: Plan; coupon?: string | undefined },
): Promise<{ url: string }> {
  const { id: userId } = viewer.user;
  await settleOpen(deps, userId);
  const offer = await makeOffer(deps, viewer, input);
  const row = await openCheckout(deps, userId, offer);
  const known = await listAgreementsOf(deps.database.db, userId);
  const last = known.findLast(({ provider }) => provider === deps.payments.name);
  return askProvider(deps, async () => {
    try {
      return await askOrGiveUp(deps, viewer, { row, customerId: last?.customer_id ?? null });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // A page whose address nobody kept, or a customer that is forgotten: all of it is begun anew.
      const fresh = await openCheckout(deps, userId, offer, { isNew: true });
      return askOrGiveUp(deps, viewer, { row: fresh, customerId: null });
    }
  });
}

type Purchase = { plan: Plan; amount: number; currency: 'ZAR'; paymentMethod: string };
export type Settled = { state: 'open' | 'paid' | 'failed' | 'refused'; purchase: Purchase | null };

/** Told to one page once, however many ask: it counts subscriptions. */
async function takePurchase({ database }: Deps, row: CheckoutRow): Promise<Purchase | null> {
  const told = await database.db
    .updateTable('checkouts')
    .set({ is_purchase_told: 1 })
    .where('reference', '=', row.reference)
    .where('state', '=', 'paid')
    .where('is_purchase_told', '=', 0)
    .returning('reference')
    .executeTakeFirst();
  if (!told) return null;
  const duplicate = await database.db
    .selectFrom('agreements')
    .select('id')
    .where('provider', '=', row.provider)
    .where('agreement_id', '=', row.agreement_id ?? '')
    .where('is_duplicate', '=', 1)
    .executeTakeFirst();
  if (duplicate) return null;
  const amount = row.free_days > 0 ? 0 : row.amount;
  return { plan: row.plan, amount, currency: CURRENCY, paymentMethod: 'card' };
}

/** For who comes back from paying: what the provider knows counts now, not when it tells us. */
export async function settleCheckout(
  deps: Deps,
  viewer: Viewer,
  reference: string,
): Promise<Settled> {
  const { db } = deps.database;
  const isOwn = (row: CheckoutRow | undefined): row is CheckoutRow =>
    row !== undefined && row.user_id === viewer.user.id;
  const before = await findCheckout(db, reference);
  if (!isOwn(before)) throw new AppError('not_found');
  if (before.state !== 'paid' && before.state !== 'refused')
    await askProvider(deps, () =>
      convergeMember(deps, viewer.user.id, { hints: { references: [reference] } }),
    );
  const row = await findCheckout(db, reference);
  if (!isOwn(row)) throw new AppError('not_found');
  if (row.state === 'paid') return { state: 'paid', purchase: await takePurchase(deps, row) };
  const state = row.state === 'expired' ? 'failed' : row.state;
  return { state, purchase: null };
}
