import { notFound, refusal, type RefundRequest } from '../payments.ts';
import type { Tx } from '../../../db/connect.ts';
import { inTransaction, type SandboxParts } from './parts.ts';
import {
  claimRefund,
  findLastRefund,
  lockPayment,
  markRefundFailed,
  updatePayment,
  type PaymentRow,
} from './store.ts';
import { recordEvent } from './webhooks.ts';

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
    if (!(await claimRefund(tx, { key, charge_id: chargeId, amount, at }))) return;
    if (amount <= 0 || row.refunded + amount > row.amount)
      throw refusal('The refund is more than what is left of the payment.');
    await updatePayment(tx, row.id, { refunded: row.refunded + amount, changed_at: at });
    await recordEvent(parts, tx, 'refund.paid', row.reference);
  });

/** The bank sends the last refund back. */
export const failRefund = (parts: SandboxParts, key: string): Promise<void> =>
  withPaid(parts, key, async (tx, row, at) => {
    const refund = await findLastRefund(tx, row.charge_id ?? '');
    if (!refund) throw notFound('This payment has no refund.');
    await markRefundFailed(tx, refund.key, at);
    await updatePayment(tx, row.id, { refunded: row.refunded - refund.amount, changed_at: at });
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
