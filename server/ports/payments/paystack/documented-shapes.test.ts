import { expect, it } from 'vitest';
import {
  chargedPayload,
  disputePayload,
  referencedRefundPayload,
  refundEventPayload,
  refundPayload,
  settlementPayload,
  transactionPayload,
  verifiedPayload,
} from '../../../testing/paystack-payloads.ts';
import {
  ChargedAuthorization,
  ChargeEvent,
  Dispute,
  DisputeEvent,
  Refund,
  RefundEvent,
  Settlement,
  Transaction,
} from './answers.ts';

const at = Date.UTC(2026, 10, 15);
const transaction = {
  id: 1,
  reference: 'wk-1',
  status: 'success',
  amount: 7900,
  gateway_response: 'Successful',
  metadata: '',
  paidAt: at,
  createdAt: at,
  customer: { id: 7, email: 'thandi@example.com', customer_code: 'CUS_7' },
  channel: 'card',
  card: 'first',
};
const refund = {
  id: 3,
  transaction,
  dispute: null,
  amount: 100,
  status: 'pending',
  merchant_note: 'key',
  createdAt: at,
  updatedAt: at,
};
const dispute = {
  id: 4,
  transaction,
  status: 'awaiting-merchant-feedback',
  resolution: null,
  createdAt: at,
  updatedAt: at,
  dueAt: at + 1,
};
const settlement = {
  id: 5,
  createdAt: at,
  settledAt: at,
  amount: 7500,
  fees: 400,
  status: 'success',
};

const keys = (text: string) => text.trim().split(/\s+/);

/** The fields of the examples in Paystack's reference, as read in November 2026. */
const TRANSACTION = keys(
  `id domain status reference receipt_number amount message gateway_response paid_at created_at
   channel currency ip_address metadata log fees fees_split authorization customer plan split
   order_id paidAt createdAt requested_amount pos_transaction_data source connect subaccount`,
);
const VERIFIED = keys('fees_breakdown transaction_date plan_object');
const CHARGED = keys(
  `amount currency transaction_date status reference domain metadata gateway_response message
   channel ip_address log fees authorization customer plan id`,
);
const REFUND = keys(
  `id integration domain transaction dispute amount deducted_amount currency channel fully_deducted
   refunded_by refunded_at expected_at settlement customer_note merchant_note created_at updated_at
   status`,
);
/** The fields of its OpenAPI document. */
const REFERENCED_REFUND = keys(
  `integration transaction dispute settlement id domain currency amount status refunded_at
   refunded_by customer_note merchant_note deducted_amount fully_deducted createdAt bank_reference
   transaction_reference reason customer refund_type transaction_amount initiated_by refund_channel
   session_id collect_account_number`,
);
const DISPUTE = keys(
  `id refund_amount currency status resolution domain transaction transaction_reference category
   customer bin last4 dueAt resolvedAt evidence attachments note history messages createdAt
   updatedAt`,
);
const SETTLEMENT = keys(
  `id domain status currency integration total_amount effective_amount total_fees total_processed
   deductions settlement_date settled_by createdAt updatedAt`,
);
const REFUND_EVENT = keys(
  `status transaction_reference refund_reference amount currency processor customer integration
   domain`,
);

it.each([
  ['a verified payment', verifiedPayload(transaction), [...TRANSACTION, ...VERIFIED], Transaction],
  ['a listed payment', transactionPayload(transaction), TRANSACTION, Transaction],
  ['a payment event', transactionPayload(transaction), TRANSACTION, ChargeEvent],
  ['a charged card', chargedPayload(transaction), CHARGED, ChargedAuthorization],
  ['a refund', refundPayload(refund), REFUND, Refund],
  ['a refund with its reference', referencedRefundPayload(refund), REFERENCED_REFUND, Refund],
  ['a refund event', refundEventPayload(refund), REFUND_EVENT, RefundEvent],
  ['a dispute', disputePayload(dispute), DISPUTE, Dispute],
  ['a dispute event', disputePayload(dispute), DISPUTE, DisputeEvent],
  ['a payout', settlementPayload(settlement), SETTLEMENT, Settlement],
])(
  "%s matches Paystack's documentation in the fake and in the client",
  (_what, payload, documented, schema) => {
    expect(Object.keys(payload).toSorted()).toEqual(documented.toSorted());
    expect(schema.safeParse(payload).error).toBeUndefined();
  },
);

it('reads a charge that waits for the customer, which has no status', () => {
  const paused = {
    authorization_url: 'https://checkout.paystack.com/resume/0744ub5o065nwyz',
    reference: 'wk-1',
    access_code: '0744ub5o065nwyz',
    paused: true,
  };
  expect(ChargedAuthorization.parse(paused)).toMatchObject({ paused: true });
});
