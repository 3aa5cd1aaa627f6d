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

/** Paid, but the provider has no subscription for it yet. */
export const isUnfinished = ({
  state,
  provider_subscription_id,
  check_at,
}: Pick<CheckoutRow, 'state' | 'provider_subscription_id' | 'check_at'>): boolean =>
  state === 'paid' && provider_subscription_id === null && check_at !== null;

const findPayment = (ledger: readonly LedgerEntry[], { reference }: CheckoutRow) =>
  ledger.find(
    (entry) =>
      parseChargeDetail(entry).reference === reference ||
      parseRefusedCharge(entry)?.reference === reference,
  );

/** When it was paid. */
const findPaidAt = (ledger: readonly LedgerEntry[], row: CheckoutRow): number =>
  findPayment(ledger, row)?.at ?? row.updated_at;

/** The payment of a refused checkout has not gone back yet, as far as we know. */
function isRefundPending(row: CheckoutRow, ledger: readonly LedgerEntry[]): boolean {
  const payment = row.state === 'refused' ? findPayment(ledger, row) : undefined;
  if (!payment) return false;
  const own = ledger.filter(({ charge_id }) => charge_id === payment.charge_id);
  const refunded = own.findLast(({ kind }) => kind === 'refund')?.amount ?? 0;
  return refunded < (payment.amount ?? 0) && findDisputeState(own) === 'none';
}

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
  const isWaiting = isUnfinished(row) || isRefundPending(row, ledger);
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
async function refuse(tx: Tx, row: CheckoutRow, userId: string, now: number) {
  const refused = { ...row, state: 'refused' as const, updated_at: now };
  await tx
    .updateTable('checkouts')
    .set({ state: refused.state, updated_at: now })
    .where('reference', '=', row.reference)
    .execute();
  await updateCouponUses(tx, [refused], now);
  const { amount, currency, reference, free_days } = row;
  if (free_days > 0) return;
  const message = { kind: 'unfinished' as const, amount, currency };
  await enqueueMessages(tx, userId, [{ key: `unfinished:${reference}`, message }], now);
}

/**
 * Creates the missing subscription of a paid checkout a day after the payment, or refuses the
 * checkout if that is impossible, another subscription is running by now or the user has cancelled
 * since. Returns true if there was anything to do; the next reconciliation records the result.
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
    (row) => calendar.addDays(findPaidAt(ledger, row), PATIENCE_DAYS) <= clock.now(),
  );
  for (const checkout of due) {
    const { reference } = checkout;
    const paidAt = findPaidAt(ledger, checkout);
    const current = findCurrentSubscription(await listProviderSubscriptionsOf(db, userId), name);
    const isUnwanted =
      (current !== null && isRenewing(current)) ||
      ledger.some(({ kind, at }) => kind === 'cancelled' && at >= paidAt);
    const id = isUnwanted ? null : await finish(payments, reference);
    await db.transaction().execute(async (tx) => {
      await lockAccount(tx, userId);
      const row = await findCheckout(tx, reference);
      if (!row || !isUnfinished(row)) return;
      if (id === null) await refuse(tx, row, userId, clock.now());
      else await recordFinished(tx, reference, id);
    });
  }
  return due.length > 0;
}
