import type { PaystackContext } from './context.ts';
import { Done, Refund, type Transaction } from './shapes.ts';

/** Paystack has no key for repeated requests, so the key is the refund's note. */
export async function refundOnce(
  { api }: PaystackContext,
  { id, reference }: Transaction,
  { amount, key }: { amount: number; key: string },
) {
  const refunds = await api.list('/refund', { transaction: id }, Refund);
  if (refunds.some((refund) => refund.merchant_note === key && refund.status !== 'failed')) return;
  await api.post('/refund', { transaction: reference, amount, merchant_note: key }, Done);
}
