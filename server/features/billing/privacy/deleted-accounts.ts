import { formatMoney } from '#contract/rules/format.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import type { PaymentState } from '../../../ports/payments/payments.ts';
import { closeIssue, disputeKey, openIssue } from '../../payment-issues/service.ts';
import { updatePayment } from '../checkout/open-page.ts';
import { recordDepartedCharge } from '../ledger/write-invoices.ts';
import type { PaymentRow } from '../queries.ts';

/** No account has this payment, but the bank still wants an answer. */
export async function recordDispute(
  tx: Tx,
  row: PaymentRow,
  state: PaymentState,
  what: string,
  now: number,
): Promise<void> {
  const { dispute, amount, currency, chargeId } = state;
  if (chargeId === null) return;
  const { provider } = row;
  const key = disputeKey(provider, chargeId);
  const because = `${formatMoney(amount, currency)} ${what} charged back.`;
  const facts = { provider, chargeId, amount, currency, because };
  if (dispute?.state === 'open')
    await openIssue(tx, { ...facts, key, kind: 'dispute', dueAt: dispute.respondBy }, now);
  else await closeIssue(tx, key, dispute ? 'Lost.' : 'Won.', now);
}

/** What comes of a payment whose account was deleted: nobody is left to get access, so it goes back. */
export async function settleDeparted(
  tx: Tx,
  { clock, config, payments }: Deps,
  row: PaymentRow,
  state: PaymentState,
): Promise<void> {
  const now = clock.now();
  const decided = row.state === 'paid' ? row.state : ('refused' as const);
  const facts = { charge_id: state.chargeId, channel: state.channel, check_at: null };
  await updatePayment(tx, row, { state: decided, ...facts }, now);
  await recordDepartedCharge(tx, payments.name, state, { now, timeZone: config.timeZone });
  await recordDispute(tx, row, state, 'of a deleted account', now);
}
