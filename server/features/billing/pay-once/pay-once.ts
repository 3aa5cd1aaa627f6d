import type { PaidOnce } from '#contract/paying/pay-once.ts';
import { isOnceMonths, priceOnce, type OnceMonths } from '#contract/rules/plans.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../http/app-error.ts';
import type { Viewer } from '../../../http/guards.ts';
import { isRefusal, type Calendar } from '../../../ports/payments/payments.ts';
import { recordAcceptance } from '../../legal/service.ts';
import { lockAccount } from '../account-lock.ts';
import { askProvider } from '../ask-provider.ts';
import { REUSED_MS, settleOpenPages } from '../checkout/checkout.ts';
import { insertPage, openPage } from '../checkout/open-page.ts';
import { settlePayment } from '../checkout/settle-payment.ts';
import { findPeriods } from '../ledger/paid-through.ts';
import { refundCharge } from '../ledger/refund-charge.ts';
import {
  findRunningSubscription,
  isRenewing,
  listLedgerEntries,
  listPaymentsOf,
  type LedgerEntry,
  type PaymentRow,
} from '../queries.ts';
import { getPlans } from '../subscriptions/service.ts';
import { describeMonths, getPrice } from './prices.ts';

/** Before the end, a mail and a notice offer the next months. */
export const ENDING_DAYS = 7;
/** How long a payment that came too late can be had back. */
const RETURN_DAYS = 7;
const FAILED_DAYS = 3;

const NO_COUPON =
  'Codes are for the plans that renew. Remove the code to pay once, or use it with a plan.';

/** Two open tabs share one page, so that it is paid only once. */
async function writePage(
  deps: Deps,
  userId: string,
  { months, amount }: { months: OnceMonths; amount: number },
  { isNew = false } = {},
): Promise<PaymentRow> {
  const { database, clock, payments } = deps;
  const now = clock.now();
  return database.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    await recordAcceptance(tx, userId, 'checkout', now);
    const open = (await listPaymentsOf(tx, userId)).find(
      (row) =>
        !isNew &&
        row.kind === 'once' &&
        row.state === 'open' &&
        row.months === months &&
        row.amount === amount &&
        row.provider === payments.name &&
        row.created_at > now - REUSED_MS,
    );
    return open ?? insertPage(tx, deps, { user_id: userId, kind: 'once', months, amount });
  });
}

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
  const open = (row: PaymentRow) =>
    openPage(deps, viewer, row, {
      description: `${describeMonths(months)} of ${deps.config.siteName} Premium`,
      successPath: `/subscription-success?reference=${row.reference}`,
      cancelPath: `/pricing?once=${months}&reference=${row.reference}`,
    });
  return askProvider(deps, async () => {
    try {
      return await open(await writePage(deps, userId, { months, amount }));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The page’s address was lost: start another one.
      return open(await writePage(deps, userId, { months, amount }, { isNew: true }));
    }
  });
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
  const { chargeId, amount } = found;
  await askProvider(deps, async () => {
    await refundCharge(deps, { chargeId, amount, key: `second:${chargeId}` });
    await settlePayment(deps, reference);
  });
  return getPaidOnce(deps, viewer);
}
