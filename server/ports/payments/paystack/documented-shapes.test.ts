import { expect, it } from 'vitest';
import {
  disputePayload,
  fetchedPayload,
  invoiceEventPayload,
  listedPayload,
  listedSubscriptionPayload,
  planPayload,
  refundEventPayload,
  refundPayload,
  settlementPayload,
  subscriptionPayload,
  verifiedPayload,
} from '../../../testing/paystack-payloads.ts';
import {
  ChargeEvent,
  Dispute,
  DisputeEvent,
  InvoiceEvent,
  PaystackPlan,
  Refund,
  RefundEvent,
  Settlement,
  Subscription,
  SubscriptionEvent,
  Transaction,
} from './shapes.ts';

const customer = { id: 7, email: 'thandi@example.com', customer_code: 'CUS_7' };
const plan = { id: 28, plan_code: 'PLN_monthly', amount: 7900, interval: 'monthly' };
const at = Date.UTC(2026, 10, 15);
const transaction = {
  id: 1,
  reference: 'ref-1',
  status: 'success',
  amount: 7900,
  gateway_response: 'Successful',
  metadata: '',
  paidAt: at,
  createdAt: at,
  customer,
  plan: null,
};
const subscription = {
  id: 9,
  subscription_code: 'SUB_9',
  status: 'active',
  customer,
  plan,
  nextAt: at,
  createdAt: at,
};
const refund = {
  id: 3,
  transaction: 1,
  dispute: null,
  amount: 100,
  status: 'pending',
  merchant_note: 'key',
  createdAt: at,
};

const dispute = {
  id: 4,
  transaction,
  status: 'awaiting-merchant-feedback',
  resolution: null,
  createdAt: at,
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

/** The fields of the examples in Paystack's reference, as read on 2026-11-15. */
const TRANSACTION = keys(
  `id domain status reference receipt_number amount message gateway_response paid_at created_at
   channel currency ip_address metadata log fees fees_split authorization customer plan split
   order_id paidAt createdAt requested_amount pos_transaction_data source connect subaccount`,
);
const VERIFIED = keys('fees_breakdown transaction_date plan_object');
const SUBSCRIPTION = keys(
  `id domain status start quantity subscription_code email_token amount cron_expression
   next_payment_date open_invoice easy_cron_id integration invoices createdAt updatedAt plan
   authorization customer`,
);
const PLAN = keys('id name plan_code description amount interval send_invoices send_sms currency');
const REFUND = keys(
  `id integration domain transaction dispute amount deducted_amount currency channel fully_deducted
   refunded_by refunded_at expected_at settlement customer_note merchant_note created_at updated_at
   status`,
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
const INVOICE_EVENT = keys(
  `domain invoice_code amount period_start period_end status paid paid_at description authorization
   subscription customer transaction created_at`,
);

it.each([
  ['a verified payment', verifiedPayload(transaction), [...TRANSACTION, ...VERIFIED], Transaction],
  ['a listed payment', listedPayload(transaction), TRANSACTION, Transaction],
  ['a fetched payment', fetchedPayload(transaction), TRANSACTION, Transaction],
  ['a payment event', fetchedPayload({ ...transaction, plan }), TRANSACTION, ChargeEvent],
  ['a subscription', subscriptionPayload(subscription), SUBSCRIPTION, Subscription],
  ['a listed subscription', listedSubscriptionPayload(subscription), SUBSCRIPTION, Subscription],
  ['a subscription event', subscriptionPayload(subscription), SUBSCRIPTION, SubscriptionEvent],
  ['a plan', planPayload(plan), PLAN, PaystackPlan],
  ['a refund', refundPayload(refund), REFUND, Refund],
  ['a refund event', refundEventPayload(refund, transaction), REFUND_EVENT, RefundEvent],
  ['a dispute', disputePayload(dispute), DISPUTE, Dispute],
  ['a dispute event', disputePayload(dispute), DISPUTE, DisputeEvent],
  ['a payout', settlementPayload(settlement), SETTLEMENT, Settlement],
  ['an invoice event', invoiceEventPayload(subscription, at), INVOICE_EVENT, InvoiceEvent],
])(
  "%s matches Paystack's documentation in the fake and in the client",
  (_what, payload, documented, schema) => {
    expect(Object.keys(payload).toSorted()).toEqual(documented.toSorted());
    expect(schema.safeParse(payload).error).toBeUndefined();
  },
);

it('reads a plan that is a code, an object, empty or missing', () => {
  const read = (value: unknown) =>
    Transaction.parse({ ...listedPayload(transaction), plan: value }).plan;
  expect(['PLN_1', { plan_code: 'PLN_1' }, {}, null, undefined, ''].map(read)).toEqual([
    'PLN_1',
    'PLN_1',
    null,
    null,
    null,
    null,
  ]);
});

it.each([
  {
    purpose: 'subscription',
    plan: 'monthly',
    plan_code: 'PLN_monthly',
    starts_at: '1794700000000',
  },
  '{"purpose":"subscription","plan":"monthly","plan_code":"PLN_monthly","starts_at":1794700000000}',
])('recognises our metadata in any form: %j', (metadata) => {
  expect(Transaction.parse({ ...listedPayload(transaction), metadata }).metadata).toEqual({
    purpose: 'subscription',
    plan: 'monthly',
    plan_code: 'PLN_monthly',
    starts_at: 1_794_700_000_000,
  });
});

it.each(['', null, {}, { invoice_action: 'create' }, '{'])(
  'ignores metadata that is not ours: %j',
  (metadata) => {
    expect(Transaction.parse({ ...listedPayload(transaction), metadata }).metadata).toBeNull();
  },
);
