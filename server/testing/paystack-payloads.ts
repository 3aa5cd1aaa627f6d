/** Objects as Paystack sends them, with every field that its documentation shows. */

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

export type FakeCustomer = { id: number; email: string; customer_code: string };
export type FakePlan = { id: number; plan_code: string; amount: number; interval: string };

/** Each card of a customer has its own code. */
export const authorizationCode = ({ id }: FakeCustomer, card = 'first') => `AUTH_${id}_${card}`;

/** Some cards pay once and can't carry a subscription. */
export const isReusable = (card = 'first'): boolean => !card.startsWith('single-use');

const FIRST_DIGITS = 4081;

/** The first card of every customer looks the same; any other has its own digits. */
const lastFour = (card: string): string =>
  card === 'first'
    ? String(FIRST_DIGITS)
    : String(1000 + ([...card].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7) % 9000));

export const authorization = (customer: FakeCustomer, card = 'first') => ({
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
  signature: card === 'first' ? `SIG_${customer.id}_first` : `SIG_${card}`,
  account_name: null,
});

export const customerPayload = ({ id, email, customer_code }: FakeCustomer) => ({
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

export const planPayload = ({ id, plan_code, amount, interval }: FakePlan) => ({
  id,
  name: `Premium ${interval}`,
  plan_code,
  description: null,
  amount,
  interval,
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
  plan: FakePlan | null;
  card?: string;
  /** Where the payment page sends the customer afterwards. */
  callbackUrl?: string;
};

/** 2.9 %, and R1 from R10 on. */
const feesOf = (amount: number) => Math.round(amount * 0.029) + (amount < 1000 ? 0 : 100);

const commonOfTransaction = (transaction: FakeTransaction) => ({
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
  channel: 'card',
  currency: 'ZAR',
  ip_address: null,
  metadata: transaction.metadata,
  log: null,
  fees: transaction.paidAt === null ? null : feesOf(transaction.amount),
  fees_split: null,
  authorization:
    transaction.paidAt === null ? {} : authorization(transaction.customer, transaction.card),
  customer: customerPayload(transaction.customer),
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

/** In a verified payment the plan is its code. */
export const verifiedPayload = (transaction: FakeTransaction) => ({
  ...commonOfTransaction(transaction),
  plan: transaction.plan?.plan_code ?? null,
  fees_breakdown: null,
  transaction_date: iso(transaction.createdAt),
  plan_object: transaction.plan ? planPayload(transaction.plan) : {},
});

/** In payments fetched by id and in webhook events the plan is an object, possibly empty. */
export const fetchedPayload = (transaction: FakeTransaction) => ({
  ...commonOfTransaction(transaction),
  plan: transaction.plan ? planPayload(transaction.plan) : {},
});

/** A list never says which plan was paid. */
export const listedPayload = (transaction: FakeTransaction) => ({
  ...commonOfTransaction(transaction),
  plan: {},
});

export type FakeSubscription = {
  id: number;
  subscription_code: string;
  status: string;
  customer: FakeCustomer;
  plan: FakePlan;
  nextAt: number | null;
  createdAt: number;
  card?: string;
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
  authorization: authorization(subscription.customer, subscription.card),
  customer: customerPayload(subscription.customer),
});

/** In a list, the plan lacks its code. */
export const listedSubscriptionPayload = (subscription: FakeSubscription) => {
  const { plan_code: _code, ...plan } = planPayload(subscription.plan);
  return { ...subscriptionPayload(subscription), plan };
};

export type FakeRefund = {
  id: number;
  transaction: number;
  /** Lost disputes are paid back with a refund. */
  dispute: number | null;
  amount: number;
  status: string;
  merchant_note: string;
  createdAt: number;
};

export const refundPayload = (refund: FakeRefund) => ({
  id: refund.id,
  integration: 100_032,
  domain: 'test',
  transaction: refund.transaction,
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
  updated_at: iso(refund.createdAt),
  status: refund.status,
});

export type FakeDispute = {
  id: number;
  transaction: FakeTransaction;
  status: string;
  resolution: string | null;
  createdAt: number;
  dueAt: number;
};

export const disputePayload = (dispute: FakeDispute) => ({
  id: dispute.id,
  refund_amount: dispute.transaction.amount,
  currency: 'ZAR',
  status: dispute.status,
  resolution: dispute.resolution,
  domain: 'test',
  transaction: { ...listedPayload(dispute.transaction), customer: null, authorization: {} },
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
  updatedAt: iso(dispute.createdAt),
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

export const refundEventPayload = (refund: FakeRefund, transaction: FakeTransaction) => ({
  status: refund.status,
  transaction_reference: transaction.reference,
  refund_reference: null,
  amount: String(refund.amount),
  currency: 'ZAR',
  processor: 'instant-transfer',
  customer: { first_name: null, last_name: null, email: transaction.customer.email },
  integration: 100_032,
  domain: 'test',
});

export const invoiceEventPayload = (subscription: FakeSubscription, at: number) => ({
  domain: 'test',
  invoice_code: `INV_${subscription.id}`,
  amount: subscription.plan.amount,
  // As Paystack really sends it; the client must not rely on it.
  period_start: iso(at),
  period_end: iso(at - 1000),
  status: 'pending',
  paid: false,
  paid_at: null,
  description: null,
  authorization: authorization(subscription.customer, subscription.card),
  subscription: {
    status: subscription.status,
    subscription_code: subscription.subscription_code,
    email_token: `token_${subscription.id}`,
    amount: subscription.plan.amount,
    cron_expression: '0 0 15 * *',
    next_payment_date: iso(subscription.nextAt),
    open_invoice: null,
  },
  customer: customerPayload(subscription.customer),
  transaction: {},
  created_at: iso(at),
});
