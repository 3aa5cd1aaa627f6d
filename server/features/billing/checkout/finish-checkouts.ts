import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import { isRefusal, type Calendar, type Payments } from '../../../ports/payments/payments.ts';
import { lockAccount } from '../account-lock.ts';
import { updateCouponUses } from '../coupons/coupon-uses.ts';
import { findDisputeState } from '../ledger/disputes.ts';
import { parseChargeDetail, parseRefusedCharge } from '../ledger/ledger-entries.ts';
import { enqueueMessages } from '../messages/send-messages.ts';
import {
  findCheckout,
  isRenewing,
  isUnfinished,
  listLedgerEntries,
  listProviderSubscriptionsOf,
  listUndecidedCheckouts,
  type CheckoutRow,
  type LedgerEntry,
} from '../queries.ts';
import { findCurrentSubscription } from '../subscription/service.ts';
import { closeUnfinishedIssue, openUnfinishedIssue } from '../reconcile/record-issues.ts';

const HOUR_IN_DAYS = 1 / 24;
/** The subscription may come late; after this long we create it. */
const PATIENCE_DAYS = 1;

const findPayment = (ledger: readonly LedgerEntry[], { reference }: CheckoutRow) =>
  ledger.find(
    (entry) =>
      parseChargeDetail(entry).reference === reference ||
      parseRefusedCharge(entry)?.reference === reference,
  );

/** When it was paid. */
const findPaidAt = (ledger: readonly LedgerEntry[], row: CheckoutRow): number =>
  findPayment(ledger, row)?.at ?? row.updated_at;

/** All entries about the payment of a checkout. */
function listPaymentEntries(ledger: readonly LedgerEntry[], row: CheckoutRow): LedgerEntry[] {
  const payment = findPayment(ledger, row);
  return payment ? ledger.filter(({ charge_id }) => charge_id === payment.charge_id) : [];
}

/** Someone refunded all of the payment, or the bank took it back. */
function isPaidBack(ledger: readonly LedgerEntry[], row: CheckoutRow): boolean {
  const own = listPaymentEntries(ledger, row);
  const refunded = own.findLast(({ kind }) => kind === 'refund')?.amount ?? 0;
  const amount = findPayment(ledger, row)?.amount ?? Infinity;
  return refunded >= amount || findDisputeState(own) === 'lost';
}

/** The payment of a refused checkout has not gone back yet, as far as we know. */
const isRefundPending = (ledger: readonly LedgerEntry[], row: CheckoutRow): boolean =>
  row.state === 'refused' &&
  findPayment(ledger, row) !== undefined &&
  findDisputeState(listPaymentEntries(ledger, row)) === 'none' &&
  !isPaidBack(ledger, row);

/**
 * Looks for the subscription every hour until it is there or the payment has gone back, and reports
 * the payment after one.
 */
export async function watchUnfinished(
  tx: Tx,
  row: CheckoutRow,
  ledger: readonly LedgerEntry[],
  { now, calendar }: { now: number; calendar: Calendar },
): Promise<void> {
  const isWaiting = isUnfinished(row) || isRefundPending(ledger, row);
  if (isUnfinished(row) && calendar.addDays(findPaidAt(ledger, row), HOUR_IN_DAYS) <= now)
    await openUnfinishedIssue(tx, row, now);
  const note =
    row.state === 'refused'
      ? 'No subscription was possible; refunded in full.'
      : 'The subscription was found.';
  if (!isWaiting) await closeUnfinishedIssue(tx, row, note, now);
  await tx
    .updateTable('checkouts')
    .set({ check_at: isWaiting ? calendar.addDays(now, HOUR_IN_DAYS) : null })
    .where('reference', '=', row.reference)
    .where('check_at', 'is not', null)
    .execute();
}

/** Null if the card can't be charged again. */
async function finish(payments: Payments, reference: string): Promise<string | null> {
  try {
    return (await payments.finishCheckout(reference)).providerSubscriptionId;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

async function recordFinished(tx: Tx, reference: string, providerSubscriptionId: string) {
  await tx
    .updateTable('checkouts')
    .set({ provider_subscription_id: providerSubscriptionId })
    .where('reference', '=', reference)
    .execute();
}

/** Refunding it is planned with the other refunds; access ends with the refund. */
async function refuse(
  tx: Tx,
  row: CheckoutRow,
  { userId, isTold }: { userId: string; isTold: boolean },
  now: number,
) {
  const refused = { ...row, state: 'refused' as const, updated_at: now };
  await tx
    .updateTable('checkouts')
    .set({ state: refused.state, updated_at: now })
    .where('reference', '=', row.reference)
    .execute();
  await updateCouponUses(tx, [refused], now);
  const { amount, currency, reference, free_days } = row;
  if (free_days > 0 || isTold) return;
  const message = { kind: 'unfinished' as const, amount, currency };
  await enqueueMessages(tx, userId, [{ key: `unfinished:${reference}`, message }], now);
}

/**
 * Creates the missing subscription of a paid checkout a day after the payment, or refuses the
 * checkout if that is impossible, the payment has gone back, another subscription is running by now
 * or the user has cancelled since. Returns true if there was anything to do; the next reconciliation records the result.
 */
export async function finishCheckouts(deps: Deps, userId: string): Promise<boolean> {
  const { database, payments, clock } = deps;
  const { db } = database;
  const { calendar, name } = payments;
  const rows = (await listUndecidedCheckouts(db, userId)).filter(
    (row) => row.provider === name && isUnfinished(row),
  );
  if (rows.length === 0) return false;
  const ledger = await listLedgerEntries(db, userId);
  const due = rows.filter(
    (row) =>
      isPaidBack(ledger, row) ||
      calendar.addDays(findPaidAt(ledger, row), PATIENCE_DAYS) <= clock.now(),
  );
  for (const checkout of due) {
    const { reference } = checkout;
    const paidAt = findPaidAt(ledger, checkout);
    const current = findCurrentSubscription(await listProviderSubscriptionsOf(db, userId), name);
    const isRefunded = isPaidBack(ledger, checkout);
    const isUnwanted =
      isRefunded ||
      (current !== null && isRenewing(current)) ||
      ledger.some(({ kind, at }) => kind === 'cancelled' && at >= paidAt);
    const id = isUnwanted ? null : await finish(payments, reference);
    await db.transaction().execute(async (tx) => {
      await lockAccount(tx, userId);
      const row = await findCheckout(tx, reference);
      if (!row || !isUnfinished(row)) return;
      if (id === null) await refuse(tx, row, { userId, isTold: isRefunded }, clock.now());
      else await recordFinished(tx, reference, id);
    });
  }
  return due.length > 0;
}
