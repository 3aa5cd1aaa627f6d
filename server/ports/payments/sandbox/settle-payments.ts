import type { Tx } from '../../../db/connect.ts';
import { newId } from '../../../ids.ts';
import type { PaymentFailure } from '../payments.ts';
import { BANK_PAYMENTS, isBankName } from './bank-payments.ts';
import { isForOnePayment } from './cards.ts';
import { inTransaction, type SandboxParts } from './parts.ts';
import {
  findPayment,
  insertCard,
  listDue,
  lockPayment,
  updatePayment,
  type PaymentRow,
} from './store.ts';
import { recordEvent } from './webhooks.ts';

/** Saves the card if the payment asked for it and the card allows it. */
async function saveCard(tx: Tx, row: PaymentRow, method: string, at: number) {
  if (row.saves_card === 0 || row.email === null || isForOnePayment(method)) return null;
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
