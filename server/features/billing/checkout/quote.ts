import type { Quote } from '#contract/billing.ts';
import { formatMoney } from '#contract/rules/format.ts';
import { CURRENCY, monthsOf, type Plan } from '#contract/rules/plans.ts';
import type { Db } from '../../../db/connect.ts';
import { readSettings, type Settings } from '../../../db/settings.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import { describeCoupon, getValidCoupon, reducePrice, type CouponRow } from './coupons.ts';
import { findFirstPayment, findPlannedPrice, findStart } from '../prices/next-price.ts';
import { hadTrialBeforeDeletion } from '../privacy/used-offers-of-deleted-accounts.ts';
import {
  findPaidThroughOf,
  findRunningSubscription,
  isRenewing,
  listLedgerEntries,
} from '../queries.ts';

/** What the user agrees to by starting a checkout. */
export type Offer = {
  plan: Plan;
  /** A payment today, or a check of the card that pays later. */
  kind: 'first' | 'card-check';
  /** Cents of the payment page; what only checks a card is given back. */
  dueNow: number;
  /** Cents of the first payment, and of every later one. */
  amount: number;
  renewalAmount: number;
  freeDays: number;
  freeKind: 'trial' | 'coupon' | null;
  firstChargeAt: number;
  coupon: CouponRow | null;
};

export const priceOf = ({ monthlyPrice, annualPrice }: Settings, plan: Plan): number =>
  plan === 'annual' ? annualPrice : monthlyPrice;

/** A second subscription would charge twice for the same time. */
export async function refuseSubscriber(db: Db, userId: string) {
  const running = await findRunningSubscription(db, userId);
  const coming = await db
    .selectFrom('coming_subscriptions')
    .select('provider')
    .where('user_id', '=', userId)
    .where('state', '=', 'shadow')
    .executeTakeFirst();
  if (coming || (running && isRenewing(running))) throw new AppError('already_subscribed');
}

/** Trials are for users who have never paid or had one, and not with a card that has had one. */
async function isNewCustomer(db: Db, userId: string): Promise<boolean> {
  const ledger = await listLedgerEntries(db, userId);
  if (ledger.some(({ kind }) => kind === 'charge' || kind === 'trial' || kind === 'coupon'))
    return false;
  const refused = await db
    .selectFrom('payments')
    .select('reference')
    .where('user_id', '=', userId)
    .where('is_card_used', '=', 1)
    .executeTakeFirst();
  return !refused && !(await hadTrialBeforeDeletion(db, userId));
}

function findFreePeriod(
  coupon: CouponRow | null,
  trialDays: number,
): Pick<Offer, 'freeDays' | 'freeKind'> {
  if (coupon?.free_days) return { freeDays: coupon.free_days, freeKind: 'coupon' };
  return trialDays > 0 && coupon === null
    ? { freeDays: trialDays, freeKind: 'trial' }
    : { freeDays: 0, freeKind: null };
}

/** No provider takes a payment of a few cents, and a user should know before the payment page. */
function refuseSmallAmount(amount: number, minimum: number, coupon: CouponRow | null) {
  if (amount >= minimum) return;
  const money = (cents: number) => formatMoney(cents, CURRENCY);
  const message = coupon
    ? `With this code you’d pay ${money(amount)} today, but a card payment must be at least ${money(minimum)}. Choose the other plan, or subscribe without the code.`
    : `This plan costs ${money(amount)}, but a card payment must be at least ${money(minimum)}.`;
  throw new AppError('amount_too_small', { message });
}

export async function createOffer(
  { database, payments, clock }: Deps,
  viewer: Viewer,
  { plan, coupon: code }: { plan: Plan; coupon?: string | undefined },
): Promise<Offer> {
  const { db } = database;
  const { id } = viewer.user;
  const now = clock.now();
  await refuseSubscriber(db, id);
  const settings = await readSettings(db, now);
  const coupon = code ? await getValidCoupon(db, { code, plan, userId: id, now }) : null;
  const trialDays =
    settings.trialDays > 0 && (await isNewCustomer(db, id)) ? settings.trialDays : 0;
  const free = findFreePeriod(coupon, trialDays);
  const price = priceOf(settings, plan);
  const amount = reducePrice(price, coupon?.percent ?? 0);
  refuseSmallAmount(amount, payments.minimumAmount, coupon);
  // Time that a member has, from a gift for example, is used up before the first payment.
  const from = Math.max((await findPaidThroughOf(db, id)) ?? now, now);
  const firstChargeAt = payments.calendar.addDays(from, free.freeDays);
  const isLater = firstChargeAt > now;
  return {
    plan,
    kind: isLater ? 'card-check' : 'first',
    dueNow: isLater ? payments.cardCheckAmount : amount,
    amount,
    renewalAmount: price,
    ...free,
    firstChargeAt,
    coupon,
  };
}

/** What someone who subscribes now will be told about another price that is planned. */
async function findPriceChange(
  { database, payments, clock }: Deps,
  { plan, renewalAmount: paid }: Offer,
  nextChargeAt: number,
): Promise<Quote['priceChange']> {
  const { name: provider, calendar } = payments;
  const wanted = { provider, plan, at: Number.MAX_SAFE_INTEGER };
  const change = await findPlannedPrice(database.db, wanted);
  if (!change || change.amount === paid) return null;
  const from = findStart(change, { paid, known: null }, { now: clock.now(), calendar });
  return { at: findFirstPayment({ nextChargeAt, plan }, from, calendar), amount: change.amount };
}

export async function getQuote(
  deps: Deps,
  viewer: Viewer,
  input: { plan: Plan; coupon?: string | undefined },
): Promise<Quote> {
  const offer = await createOffer(deps, viewer, input);
  const isLater = offer.kind === 'card-check';
  const thenAt = isLater
    ? offer.firstChargeAt
    : deps.payments.calendar.addMonths(deps.clock.now(), monthsOf(offer.plan));
  return {
    plan: offer.plan,
    currency: CURRENCY,
    dueNow: isLater ? 0 : offer.amount,
    cardCheck: isLater ? offer.dueNow : 0,
    firstPaymentAt: offer.firstChargeAt,
    thenAmount: isLater ? offer.amount : offer.renewalAmount,
    thenAt,
    trialDays: offer.freeKind === 'trial' ? offer.freeDays : 0,
    coupon: offer.coupon && { code: offer.coupon.code, description: describeCoupon(offer.coupon) },
    priceChange: await findPriceChange(deps, offer, thenAt),
  };
}
