import type { Tx } from '../../../db/connect.ts';
import { newId } from '../../../db/ids.ts';
import { notFound, refusal, type PaymentFailure, type RefundRequest } from '../payments.ts';
import {
  findPayment,
  insertCard,
  inTransaction,
  listDue,
  listRefunds,
  lockPayment,
  sumRefunds,
  updatePayment,
  type PaymentRow,
  type SandboxParts,
} from './store.ts';
import { BANK_PAYMENTS, findTestCard, isBankName } from './ways-to-pay.ts';
import { recordEvent } from './webhooks.ts';

/** Saves the card if the payment asked for it and the card allows it. */
async function saveCard(tx: Tx, row: PaymentRow, method: string, at: number) {
  if (row.saves_card === 0 || row.email === null || findTestCard(method)?.isForOnePayment)
    return null;
  const id = newId(at);
  await insertCard(tx, { id, email: row.email, method, uses: 1, created_at: at });
  return id;
}

export async function markPaid(
  parts: SandboxParts,
  tx: Tx,
  row: PaymentRow,
  { method, at }: { method: string; at: number },
) {
  await updatePayment(tx, row.id, {
    state: 'paid',
    method,
    card_id: await saveCard(tx, row, method, at),
    charge_id: `chg_${newId(at)}`,
    email: null,
    failure: null,
    is_hard: 0,
    due_at: null,
    at,
    changed_at: at,
  });
  await recordEvent(parts, tx, 'payment.paid', row.reference);
}

export async function markFailed(
  parts: SandboxParts,
  tx: Tx,
  row: PaymentRow,
  { failure, at }: { failure: PaymentFailure; at: number },
) {
  await updatePayment(tx, row.id, {
    state: 'failed',
    email: null,
    failure: failure.message,
    is_hard: failure.isHard ? 1 : 0,
    due_at: null,
    at,
    changed_at: at,
  });
  await recordEvent(parts, tx, 'payment.failed', row.reference);
}

const soft = (message: string): PaymentFailure => ({ message, isHard: false });

/** The bank decides about a payment that is on its way. */
async function decideBankPayment(
  parts: SandboxParts,
  tx: Tx,
  row: PaymentRow,
  { failure, at }: { failure: string | null; at: number },
) {
  if (failure !== null) return markFailed(parts, tx, row, { failure: soft(failure), at });
  return markPaid(parts, tx, row, { method: row.method ?? '', at });
}

/** Without waiting for its time. */
export const decideNow = (
  parts: SandboxParts,
  key: string,
  outcome: 'paid' | 'failed',
): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockPayment(tx, parts.database.dialect, key);
    if (row?.state !== 'pending') return;
    const failure = outcome === 'paid' ? null : BANK_PAYMENTS['eft-fails'].failure;
    await decideBankPayment(parts, tx, row, { failure, at: parts.clock.now() });
  });

/** Decides what is due: a real company doesn't stop while the site is down, so it happened then. */
async function settleRow(parts: SandboxParts, tx: Tx, row: PaymentRow, at: number) {
  if (row.state === 'open')
    return markFailed(parts, tx, row, { failure: soft('The payment page has expired.'), at });
  if (row.state === 'pending') {
    const { failure } = BANK_PAYMENTS[isBankName(row.method) ? row.method : 'eft-fails'];
    return decideBankPayment(parts, tx, row, { failure, at });
  }
  // Nobody can answer a dispute in the sandbox.
  await updatePayment(tx, row.id, { respond_by: null, lost_at: at, due_at: null, changed_at: at });
  return recordEvent(parts, tx, 'dispute.lost', row.reference);
}

/** Decides a payment whose time has come, as it is then. */
export const settlePayment = (parts: SandboxParts, id: string): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockPayment(tx, parts.database.dialect, id);
    const at = row?.due_at ?? null;
    if (row && at !== null && at <= parts.clock.now()) await settleRow(parts, tx, row, at);
  });

/** A payment as it is now. */
export async function findSettled(
  parts: SandboxParts,
  key: string,
): Promise<PaymentRow | undefined> {
  const row = await findPayment(parts.database.db, key);
  if ((row?.due_at ?? Infinity) > parts.clock.now()) return row;
  await settlePayment(parts, key);
  return findPayment(parts.database.db, key);
}

export async function settleDue(parts: SandboxParts): Promise<void> {
  const due = await listDue(parts.database.db, parts.clock.now());
  for (const { id } of due) await settlePayment(parts, id);
}

const withPaid = (
  parts: SandboxParts,
  key: string,
  act: (tx: Tx, row: PaymentRow, now: number) => Promise<void>,
): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockPayment(tx, parts.database.dialect, key);
    if (row?.state !== 'paid') throw notFound('The sandbox doesn’t have this payment.');
    await act(tx, row, parts.clock.now());
  });

export const refundPayment = (
  parts: SandboxParts,
  { chargeId, amount, key }: RefundRequest,
): Promise<void> =>
  withPaid(parts, chargeId, async (tx, row, at) => {
    const before = listRefunds(row);
    if (before.some((refund) => refund.key === key)) return;
    if (amount <= 0 || row.refunded + amount > row.amount)
      throw refusal('The refund is more than what is left of the payment.');
    const refunds = sumRefunds([...before, { key, amount, at, isFailed: false }]);
    await updatePayment(tx, row.id, { ...refunds, changed_at: at });
    await recordEvent(parts, tx, 'refund.paid', row.reference);
  });

/** The bank sends the last refund back. */
export const failRefund = (parts: SandboxParts, key: string): Promise<void> =>
  withPaid(parts, key, async (tx, row, at) => {
    const refunds = listRefunds(row);
    const last = refunds.findLast(({ isFailed }) => !isFailed);
    if (!last) throw notFound('This payment has no refund.');
    last.isFailed = true;
    await updatePayment(tx, row.id, { ...sumRefunds(refunds), changed_at: at });
    await recordEvent(parts, tx, 'refund.failed', row.reference);
  });

/** The customer's bank takes the payment back until it decides. Silence for these days loses it. */
export const openDispute = (parts: SandboxParts, key: string, days: number): Promise<void> =>
  withPaid(parts, key, async (tx, row, now) => {
    if (row.respond_by !== null || row.lost_at !== null) return;
    const at = parts.calendar.addDays(now, days);
    await updatePayment(tx, row.id, { respond_by: at, due_at: at, changed_at: now });
    await recordEvent(parts, tx, 'dispute.opened', row.reference);
    await parts.work.settleAt(tx, row.id, { at, now });
  });

/** The bank decides. A lost dispute stays lost. */
export const endDispute = (
  parts: SandboxParts,
  key: string,
  outcome: 'won' | 'lost',
): Promise<void> =>
  withPaid(parts, key, async (tx, row, now) => {
    if (row.respond_by === null) return;
    const lostAt = outcome === 'lost' ? now : null;
    const ended = { respond_by: null, lost_at: lostAt, due_at: null, changed_at: now };
    await updatePayment(tx, row.id, ended);
    await recordEvent(parts, tx, `dispute.${outcome}`, row.reference);
  });
