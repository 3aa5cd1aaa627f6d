import { refusal, type RefundRequest } from '../payments.ts';
import { inTransaction, type SandboxParts } from './parts.ts';
import { claimRefund, lockCharge, updateCharge, type ChargeRow } from './store.ts';
import { recordEvent } from './webhooks.ts';

const subjectOf = (row: ChargeRow) => ({
  chargeId: row.id,
  reference: row.reference,
  providerSubscriptionId: row.provider_subscription_id,
  customerId: row.customer_id,
  plan: row.plan,
});

export const refundCharge = (
  parts: SandboxParts,
  { chargeId, amount, key }: RefundRequest,
): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockCharge(tx, parts.database.dialect, chargeId);
    if (row?.status !== 'paid') throw refusal('The sandbox doesn’t have this payment.');
    const at = parts.clock.now();
    if (!(await claimRefund(tx, { key, charge_id: chargeId, amount, at }))) return;
    if (amount <= 0 || row.refunded + amount > row.amount)
      throw refusal('The refund is more than what is left of the payment.');
    await updateCharge(tx, chargeId, { refunded: row.refunded + amount });
    await recordEvent(parts, tx, 'charge.refunded', subjectOf(row));
  });

/** The bank charges the payment back, or reverses that. */
export const setDisputed = (
  parts: SandboxParts,
  chargeId: string,
  isDisputed: boolean,
): Promise<void> =>
  inTransaction(parts, async (tx) => {
    const row = await lockCharge(tx, parts.database.dialect, chargeId);
    if (row?.status !== 'paid') throw refusal('The sandbox doesn’t have this payment.');
    if ((row.is_disputed === 1) === isDisputed) return;
    await updateCharge(tx, chargeId, { is_disputed: isDisputed ? 1 : 0 });
    const kind = isDisputed ? 'charge.disputed' : 'charge.dispute-ended';
    await recordEvent(parts, tx, kind, subjectOf(row));
  });
