/** Objects as Paystack sends them, with every field that its documentation shows. */

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

export type FakeCustomer = { id: number; email: string; customer_code: string };

/** Each card of a customer has its own code. */
export const authorizationCode = ({ id }: FakeCustomer, card: string) => `AUTH_${id}_${card}`;

/** Some cards pay once and can't be charged again. */
export const isReusable = (card: string): boolean => !card.startsWith('single-use');

const FIRST_DIGITS = 4081;

/** The first card of every customer looks the same; any other has its own digits. */
const lastFour = (card: string): string =>
  card === 'first'
    ? String(FIRST_DIGITS)
    : String(1000 + ([...card].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7) % 9000));

const cardAuthorization = (customer: FakeCustomer, card: string) => ({
  authorization_code: authorizationCode(customer, card),
  bin: '408408',
  last4: lastFour(card),
  exp_month: '12',
  exp_year: '2030',
  channel: 'card',
  card_type: 'visa ',
  bank: 'TEST BANK',
  country_code: 'ZA',
  brand: 'visa',
  reusable: isReusable(card),
  // The same for every customer who pays with this card.
  signature: `SIG_${card}`,
  account_name: null,
});

/** A bank account is no card, although it is described like one. */
const bankAuthorization = (customer: FakeCustomer, channel: string) => ({
  ...cardAuthorization(customer, channel),
  last4: 'X149',
  exp_year: '9999',
  channel,
  card_type: '',
  brand: channel,
  reusable: false,
  signature: null,
});

const customerPayload = ({ id, email, customer_code }: FakeCustomer) => ({
  id,
  first_name: null,
  last_name: null,
  email,
  customer_code,
  phone: null,
  metadata: null,
  risk_action: 'default',
  international_format_phone: null,
});

export type FakePlan = { id: number; plan_code: string; amount: number; interval: string };

const planPayload = (plan: FakePlan) => ({
  id: plan.id,
  domain: 'test',
  name: plan.plan_code,
  plan_code: plan.plan_code,
  description: null,
  amount: plan.amount,
  interval: plan.interval,
  send_invoices: true,
  send_sms: true,
  currency: 'ZAR',
});

export type FakeTransaction = {
  id: number;
  reference: string;
  status: string;
  amount: number;
  gateway_response: string;
  metadata: unknown;
  paidAt: number | null;
  createdAt: number;
  customer: FakeCustomer;
  channel: string;
  card: string;
  /** Of a payment that Paystack made for a subscription. */
  plan?: FakePlan;
  /** What the page offers; everything if it doesn't say. */
  channels?: readonly string[] | undefined;
  /** Where the payment page sends the customer afterwards. */
  callbackUrl?: string;
};

/** 2.9 %, and R1 from R10 on. */
const feesOf = (amount: number) => Math.round(amount * 0.029) + (amount < 1000 ? 0 : 100);

const authorizationOf = ({ paidAt, channel, customer, card }: FakeTransaction) => {
  if (paidAt === null) return {};
  return channel === 'card'
    ? cardAuthorization(customer, card)
    : bankAuthorization(customer, channel);
};

/** Listed and in events: a list never says which plan was paid. */
export const transactionPayload = (transaction: FakeTransaction) => ({
  id: transaction.id,
  domain: 'test',
  status: transaction.status,
  reference: transaction.reference,
  receipt_number: null,
  amount: transaction.amount,
  message: null,
  gateway_response: transaction.gateway_response,
  paid_at: iso(transaction.paidAt),
  created_at: iso(transaction.createdAt),
  channel: transaction.channel,
  currency: 'ZAR',
  ip_address: null,
  metadata: transaction.metadata,
  log: null,
  fees: transaction.paidAt === null ? null : feesOf(transaction.amount),
  fees_split: null,
  authorization: authorizationOf(transaction),
  customer: customerPayload(transaction.customer),
  plan: {},
  split: {},
  order_id: null,
  paidAt: iso(transaction.paidAt),
  createdAt: iso(transaction.createdAt),
  requested_amount: transaction.amount,
  pos_transaction_data: null,
  source: null,
  connect: null,
  subaccount: {},
});

/** A payment fetched by its id names its plan. */
export const fetchedPayload = (transaction: FakeTransaction) => ({
  ...transactionPayload(transaction),
  plan: transaction.plan ? planPayload(transaction.plan) : {},
});

export type FakeSubscription = {
  id: number;
  subscription_code: string;
  status: string;
  customer: FakeCustomer;
  plan: FakePlan;
  nextAt: number | null;
  createdAt: number;
  card: string;
};

export const subscriptionPayload = (subscription: FakeSubscription) => ({
  id: subscription.id,
  domain: 'test',
  status: subscription.status,
  start: Math.floor(subscription.createdAt / 1000),
  quantity: 1,
  subscription_code: subscription.subscription_code,
  email_token: `token_${subscription.id}`,
  amount: subscription.plan.amount,
  cron_expression: '0 0 15 * *',
  next_payment_date: iso(subscription.status === 'non-renewing' ? null : subscription.nextAt),
  open_invoice: null,
  easy_cron_id: null,
  integration: 100_032,
  invoices: [],
  createdAt: iso(subscription.createdAt),
  updatedAt: iso(subscription.createdAt),
  plan: planPayload(subscription.plan),
  authorization: cardAuthorization(subscription.customer, subscription.card),
  customer: customerPayload(subscription.customer),
});

/** In a list, the plan lacks its code. */
export const listedSubscriptionPayload = (subscription: FakeSubscription) => {
  const { plan_code: _code, ...plan } = planPayload(subscription.plan);
  return { ...subscriptionPayload(subscription), plan };
};

export const verifiedPayload = (transaction: FakeTransaction) => ({
  ...transactionPayload(transaction),
  plan: null,
  fees_breakdown: null,
  transaction_date: iso(transaction.createdAt),
  plan_object: {},
});

/** The answer to a charge has fewer fields. */
export const chargedPayload = (transaction: FakeTransaction) => {
  const all = transactionPayload(transaction);
  return {
    id: all.id,
    domain: all.domain,
    status: all.status,
    reference: all.reference,
    amount: all.amount,
    message: all.message,
    gateway_response: all.gateway_response,
    channel: all.channel,
    currency: all.currency,
    ip_address: all.ip_address,
    metadata: all.metadata,
    log: all.log,
    fees: all.fees,
    authorization: all.authorization,
    customer: all.customer,
    plan: null,
    transaction_date: all.created_at,
  };
};

export type FakeRefund = {
  id: number;
  transaction: FakeTransaction;
  /** Lost disputes are paid back with a refund. */
  dispute: number | null;
  amount: number;
  status: string;
  merchant_note: string;
  createdAt: number;
  updatedAt: number;
};

/** As the documentation shows a listed one: it names only the payment's id. */
export const refundPayload = (refund: FakeRefund) => ({
  id: refund.id,
  integration: 100_032,
  domain: 'test',
  transaction: refund.transaction.id,
  dispute: refund.dispute,
  amount: refund.amount,
  deducted_amount: null,
  currency: 'ZAR',
  channel: null,
  fully_deducted: null,
  refunded_by: 'merchant@example.com',
  refunded_at: null,
  expected_at: iso(refund.createdAt),
  settlement: null,
  customer_note: '',
  merchant_note: refund.merchant_note,
  created_at: iso(refund.createdAt),
  updated_at: iso(refund.updatedAt),
  status: refund.status,
});

/** As Paystack's OpenAPI document describes a listed one: with the reference, and without its changes. */
export const referencedRefundPayload = (refund: FakeRefund) => ({
  id: refund.id,
  integration: 100_032,
  domain: 'test',
  transaction: refund.transaction.id,
  dispute: refund.dispute,
  settlement: null,
  amount: refund.amount,
  currency: 'ZAR',
  status: refund.status,
  refunded_at: null,
  refunded_by: 'merchant@example.com',
  customer_note: '',
  merchant_note: refund.merchant_note,
  deducted_amount: 0,
  fully_deducted: 0,
  createdAt: iso(refund.createdAt),
  bank_reference: null,
  transaction_reference: refund.transaction.reference,
  reason: 'PROCESSING',
  customer: customerPayload(refund.transaction.customer),
  refund_type: 'partial',
  transaction_amount: refund.transaction.amount,
  initiated_by: 'merchant@example.com',
  refund_channel: null,
  session_id: null,
  collect_account_number: false,
});

export type FakeDispute = {
  id: number;
  transaction: FakeTransaction;
  status: string;
  resolution: string | null;
  createdAt: number;
  updatedAt: number;
  dueAt: number;
};

export const disputePayload = (dispute: FakeDispute) => ({
  id: dispute.id,
  refund_amount: dispute.transaction.amount,
  currency: 'ZAR',
  status: dispute.status,
  resolution: dispute.resolution,
  domain: 'test',
  transaction: { ...transactionPayload(dispute.transaction), customer: null, authorization: {} },
  transaction_reference: null,
  category: 'chargeback',
  customer: customerPayload(dispute.transaction.customer),
  bin: null,
  last4: null,
  dueAt: iso(dispute.dueAt),
  resolvedAt: null,
  evidence: null,
  attachments: null,
  note: null,
  history: [],
  messages: [],
  createdAt: iso(dispute.createdAt),
  updatedAt: iso(dispute.updatedAt),
});

export type FakeSettlement = {
  id: number;
  createdAt: number;
  settledAt: number;
  amount: number;
  fees: number;
  status: string;
};

export const settlementPayload = (settlement: FakeSettlement) => ({
  id: settlement.id,
  domain: 'test',
  status: settlement.status,
  currency: 'ZAR',
  integration: 100_032,
  total_amount: settlement.amount,
  effective_amount: settlement.amount,
  total_fees: settlement.fees,
  total_processed: settlement.amount + settlement.fees,
  deductions: null,
  settlement_date: iso(settlement.settledAt),
  settled_by: null,
  createdAt: iso(settlement.createdAt),
  updatedAt: iso(settlement.createdAt),
});

/** The amount is text in some events and a number in others. */
export const refundEventPayload = ({ status, amount, transaction }: FakeRefund) => ({
  status,
  transaction_reference: transaction.reference,
  refund_reference: null,
  amount: String(amount),
  currency: 'ZAR',
  processor: 'instant-transfer',
  customer: { first_name: null, last_name: null, email: transaction.customer.email },
  integration: 100_032,
  domain: 'test',
});
