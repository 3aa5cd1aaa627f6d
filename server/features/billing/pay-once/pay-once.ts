import type { PaidOnce } from '#contract/paying/pay-once.ts';
import { formatMoney } from '#contract/rules/format.ts';
import {
  CURRENCY,
  describeMonths,
  isOnceMonths,
  priceOnce,
  type OnceMonths,
} from '#contract/rules/plans.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/route/app-error.ts';
import type { Viewer } from '../../../http/route/guards.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { recordAcceptance } from '../../legal/service.ts';
import { settleOpenPages } from '../checkout/checkout.ts';
import { findOpenPage, insertPage, openPage } from '../checkout/open-page.ts';
import { findPeriods } from '../ledger/paid-through.ts';
import { makeRefundNow } from '../refunds/make-refund.ts';
import { requestRefund } from '../refunds/refunds.ts';
import {
  findRunningSubscription,
  isRenewing,
  listLedgerEntries,
  listPaymentsOf,
  lockAccount,
  type LedgerEntry,
  type PaymentRow,
} from '../queries.ts';
import { getPlans } from '../subscriptions/service.ts';

/** What these months cost, if that is what the page has shown. */
export async function getPrice(deps: Deps, months: OnceMonths, shown: number): Promise<number> {
  const amount = priceOnce(await getPlans(deps), months);
  const money = (cents: number) => formatMoney(cents, CURRENCY);
  if (shown !== amount)
    throw new AppError('price_changed', {
      message: `The price has changed: ${describeMonths(months)} cost ${money(amount)} now. Load the page again, and decide then.`,
    });
  const { minimumAmount } = deps.payments;
  if (amount < minimumAmount)
    throw new AppError('amount_too_small', {
      message: `This costs ${money(amount)}, but a payment must be at least ${money(minimumAmount)}.`,
    });
  return amount;
}

/** Before the end, a mail and a notice offer the next months. */
export const ENDING_DAYS = 7;
/** How long a payment that came too late can be had back. */
const RETURN_DAYS = 7;
const FAILED_DAYS = 3;

const NO_COUPON =
  'Codes are for the plans that renew. Remove the code to pay once, or use it with a plan.';

const writePage = (
  deps: Deps,
  userId: string,
  { months, amount, isNew }: { months: OnceMonths; amount: number; isNew: boolean },
): Promise<PaymentRow> =>
  deps.database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    await recordAcceptance(tx, userId, 'checkout', deps.clock.now());
    const page = { user_id: userId, kind: 'once' as const, months, amount };
    const open = isNew ? undefined : await findOpenPage(tx, deps, page);
    return open ?? insertPage(tx, deps, page);
  });

export async function payOnce(
  deps: Deps,
  viewer: Viewer,
  input: { months: OnceMonths; amount: number; coupon?: string | undefined },
): Promise<{ url: string }> {
  if (input.coupon) throw new AppError('coupon_invalid', { message: NO_COUPON });
  const { id: userId } = viewer.user;
  const { months } = input;
  await settleOpenPages(deps, userId);
  const amount = await getPrice(deps, months, input.amount);
  const write = (isNew: boolean) => writePage(deps, userId, { months, amount, isNew });
  const { url } = await openPage(deps, viewer.user.email, write, ({ reference }) => ({
    description: `${describeMonths(months)} of ${deps.config.siteName} Premium`,
    successPath: `/subscription-success?reference=${reference}`,
    cancelPath: `/pricing?once=${months}&reference=${reference}`,
  }));
  return { url };
}

type Rules = { now: number; calendar: Calendar; provider: string };

/** Both paid for the same time: a bank was slow, and the member paid again meanwhile. */
function findReturnable(
  payments: readonly PaymentRow[],
  ledger: readonly LedgerEntry[],
  { now, calendar, provider }: Rules,
) {
  const counted = findPeriods(ledger, calendar)
    .map(({ entry }) => entry)
    .filter(({ kind }) => kind === 'charge');
  for (const row of payments) {
    if (row.kind !== 'once' || row.state !== 'paid' || row.provider !== provider) continue;
    const own = counted.find(({ charge_id }) => charge_id === row.charge_id);
    if (!own || own.charge_id === null || own.amount === null) continue;
    const until = calendar.addDays(own.recorded_at, RETURN_DAYS);
    const isSecond = counted.some(
      ({ at, seq, charge_id }) =>
        charge_id !== own.charge_id && seq < own.seq && at >= row.created_at,
    );
    const isTouched = ledger.some(
      ({ kind, charge_id }) =>
        charge_id === own.charge_id && (kind === 'refund' || kind === 'dispute'),
    );
    if (isSecond && !isTouched && now < until)
      return { row, chargeId: own.charge_id, amount: own.amount, until };
  }
  return null;
}

/** It had been at a bank, and nothing was paid since. */
function findFailed(payments: readonly PaymentRow[], { now, calendar }: Rules) {
  const [row] = payments.filter(
    ({ kind, state }) => kind === 'once' && (state === 'failed' || state === 'paid'),
  );
  const wasAtBank = row?.state === 'failed' && row.channel !== null;
  if (!wasAtBank || calendar.addDays(row.updated_at, FAILED_DAYS) <= now) return null;
  const { reference, months, amount, created_at: at } = row;
  return { reference, months: months ?? 1, amount, at };
}

export async function findAgain(
  deps: Deps,
  userId: string,
  ledger: readonly LedgerEntry[],
): Promise<PaidOnce['again']> {
  const { calendar } = deps.payments;
  const now = deps.clock.now();
  const last = findPeriods(ledger, calendar).at(-1);
  const months = last?.entry.kind === 'charge' && last.entry.plan === null && last.entry.months;
  if (!last || !months || !isOnceMonths(months)) return null;
  if (last.to <= now || last.to > calendar.addDays(now, ENDING_DAYS)) return null;
  const running = await findRunningSubscription(deps.database.db, userId);
  if (running && isRenewing(running)) return null;
  return { months, amount: priceOnce(await getPlans(deps), months), until: last.to };
}

const toRules = ({ payments, clock }: Deps): Rules => ({
  now: clock.now(),
  calendar: payments.calendar,
  provider: payments.name,
});

export async function getPaidOnce(deps: Deps, viewer: Viewer): Promise<PaidOnce> {
  const { id: userId } = viewer.user;
  const { db } = deps.database;
  const payments = await listPaymentsOf(db, userId);
  const ledger = await listLedgerEntries(db, userId);
  const returnable = findReturnable(payments, ledger, toRules(deps));
  return {
    again: await findAgain(deps, userId, ledger),
    returnable: returnable && {
      reference: returnable.row.reference,
      months: returnable.row.months ?? 1,
      amount: returnable.amount,
      until: returnable.until,
    },
    failed: findFailed(payments, toRules(deps)),
  };
}

/** Asking again gives it back once: the key is the charge’s. */
export async function returnOnce(deps: Deps, viewer: Viewer, reference: string): Promise<PaidOnce> {
  const { id: userId } = viewer.user;
  const { db } = deps.database;
  const payments = await listPaymentsOf(db, userId);
  const found = findReturnable(payments, await listLedgerEntries(db, userId), toRules(deps));
  if (found?.row.reference !== reference) throw new AppError('not_found');
  const { chargeId, amount, row } = found;
  const payment = { provider: row.provider, charge_id: chargeId, user_id: userId };
  const refund = { ...payment, key: `second:${chargeId}`, amount, why: 'second' as const };
  const id = await db
    .transaction()
    .execute((tx) => requestRefund(tx, refund, { now: deps.clock.now(), isMadeAtOnce: true }));
  await makeRefundNow(deps, id);
  return getPaidOnce(deps, viewer);
}
