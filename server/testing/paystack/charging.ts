import { HOUR } from '#contract/rules/time.ts';
import {
  disputePayload,
  fetchedPayload,
  invoiceEventPayload,
  isReusable,
  refundEventPayload,
  subscriptionPayload,
  type FakeDispute,
  type FakePlan,
  type FakeSubscription,
  type FakeTransaction,
} from '../paystack-payloads.ts';
import { findNextPayment, type PaystackAccount } from './account.ts';

/** A chargeback in South Africa must be answered within this time. */
const ANSWER_MS = 48 * HOUR;
/** What a new card is checked with. */
const CARD_CHECK_CENTS = 100;

export function addSubscription(
  account: PaystackAccount,
  { customer, card = 'first' }: Pick<FakeSubscription, 'customer' | 'card'>,
  plan: FakePlan,
  nextAt: number,
): FakeSubscription {
  const id = account.nextId();
  const made = {
    id,
    subscription_code: `SUB_${id}`,
    customer,
    card,
    status: 'active',
    plan,
    nextAt,
    createdAt: account.clock.now(),
  };
  account.subscriptions.push(made);
  account.queueEvent('subscription.create', subscriptionPayload(made));
  return made;
}

/** A payment without a page: of a plan, of a card on file, or of another product. */
export function addTransaction(
  account: PaystackAccount,
  transaction: Omit<FakeTransaction, 'id' | 'gateway_response' | 'paidAt'>,
): FakeTransaction {
  const isPaid = transaction.status === 'success';
  const added = {
    ...transaction,
    id: account.nextId(),
    gateway_response: isPaid ? 'Approved' : 'Insufficient Funds',
    paidAt: isPaid ? transaction.createdAt : null,
  };
  account.transactions.push(added);
  if (isPaid) account.queueEvent('charge.success', fetchedPayload(added));
  return added;
}

export function addRefund(
  account: PaystackAccount,
  transaction: FakeTransaction,
  { amount, note, dispute = null }: { amount: number; note: string; dispute?: number | null },
) {
  const refund = {
    id: account.nextId(),
    transaction: transaction.id,
    dispute,
    amount,
    status: 'pending',
    merchant_note: note,
    createdAt: account.clock.now(),
  };
  account.refunds.push(refund);
  account.queueEvent('refund.pending', refundEventPayload(refund, transaction));
  return refund;
}

/** Paystack charges or ends a subscription that is due. It never tries a failed payment again. */
function renew(account: PaystackAccount, subscription: FakeSubscription, at: number) {
  const { customer, plan, card } = subscription;
  if (subscription.status === 'non-renewing') {
    Object.assign(subscription, { status: 'cancelled', nextAt: null });
    account.queueEvent('subscription.disable', subscriptionPayload(subscription));
    return;
  }
  const isEmpty = account.isEmptied(subscription);
  subscription.status = isEmpty ? 'attention' : 'active';
  subscription.nextAt = findNextPayment(at, plan);
  addTransaction(account, {
    reference: `paystack-${account.nextId()}`,
    status: isEmpty ? 'failed' : 'success',
    amount: plan.amount,
    metadata: { invoice_action: 'create' },
    createdAt: at,
    customer,
    plan,
    ...(card && { card }),
  });
  if (isEmpty) account.queueEvent('invoice.payment_failed', invoiceEventPayload(subscription, at));
}

function resolveDispute(account: PaystackAccount, dispute: FakeDispute, resolution: string) {
  Object.assign(dispute, { status: 'resolved', resolution });
  const { transaction, id } = dispute;
  if (resolution !== 'declined')
    addRefund(account, transaction, { amount: transaction.amount, note: '', dispute: id });
  account.queueEvent('charge.dispute.resolve', disputePayload(dispute));
}

/** What customers, their banks and time do to the account. */
export function createEvents(account: PaystackAccount) {
  const { clock, subscriptions, disputes } = account;
  let isHeld = false;
  const held: (() => void)[] = [];
  return {
    /** Pays a page. A card whose name starts with “single-use” can't be charged again. */
    pay: (reference: string, card = 'first') => {
      const transaction = account.getTransaction(reference);
      if (transaction.status === 'success') return;
      const now = clock.now();
      const paid = { status: 'success', gateway_response: 'Successful', paidAt: now, card };
      Object.assign(transaction, paid);
      account.queueEvent('charge.success', fetchedPayload(transaction));
      const { plan, customer } = transaction;
      if (!plan || !isReusable(card)) return;
      const nextAt = findNextPayment(now, plan);
      const subscribe = () => void addSubscription(account, { customer, card }, plan, nextAt);
      if (isHeld) held.push(subscribe);
      else subscribe();
    },
    decline: (reference: string) => {
      const declined = { status: 'failed', gateway_response: 'Insufficient Funds' };
      Object.assign(account.getTransaction(reference), declined);
    },
    /** Paid pages get no subscription until they are released, or never. */
    holdSubscriptions: () => {
      isHeld = true;
    },
    releaseSubscriptions: () => {
      isHeld = false;
      for (const subscribe of held.splice(0)) subscribe();
    },
    /** The page behind the manage link: checks the new card, and pays nothing that is owed. */
    updateCard: (code: string, card: string) => {
      const subscription = account.getSubscription(code);
      subscription.card = card;
      const check = addTransaction(account, {
        reference: `card-${account.nextId()}`,
        status: 'success',
        amount: CARD_CHECK_CENTS,
        metadata: '',
        createdAt: clock.now(),
        customer: subscription.customer,
        plan: null,
        card,
      });
      addRefund(account, check, { amount: check.amount, note: 'Card update' });
    },
    /** A payment for another product on the same account, of a plan or of nothing. */
    payOther: (email: string, planCode: string | null = null): FakeTransaction => {
      const customer = account.findOrAddCustomer(email);
      const plan = planCode === null ? null : (account.plans[planCode] ?? null);
      const sold = addTransaction(account, {
        reference: `other-${account.nextId()}`,
        status: 'success',
        amount: plan?.amount ?? 12_300,
        metadata: { order_id: 'shirt-7' },
        createdAt: clock.now(),
        customer,
        plan,
        card: 'first',
      });
      if (plan) addSubscription(account, { customer }, plan, findNextPayment(clock.now(), plan));
      return sold;
    },
    refund: (reference: string, amount: number) => {
      addRefund(account, account.getTransaction(reference), { amount, note: 'By hand' });
    },
    dispute: (reference: string) => {
      const transaction = account.getTransaction(reference);
      const createdAt = clock.now();
      const dispute = {
        id: account.nextId(),
        transaction,
        status: 'awaiting-merchant-feedback',
        resolution: null,
        createdAt,
        dueAt: createdAt + ANSWER_MS,
      };
      disputes.push(dispute);
      account.queueEvent('charge.dispute.create', disputePayload(dispute));
    },
    /** `declined` means that the merchant won, `merchant-accepted` that the merchant gave in. */
    resolveDispute: (reference: string, resolution: 'declined' | 'merchant-accepted') => {
      const dispute = disputes.find(({ transaction }) => transaction.reference === reference);
      if (!dispute) throw new Error(`Paystack has no dispute about ${reference}.`);
      resolveDispute(account, dispute, resolution);
    },
    /** Charges what is due until then; a dispute that nobody has answered is lost. */
    passTo: (time: number) => {
      for (const subscription of subscriptions)
        while (subscription.nextAt !== null && subscription.nextAt <= time)
          renew(account, subscription, subscription.nextAt);
      for (const dispute of disputes)
        if (dispute.resolution === null && dispute.dueAt <= time)
          resolveDispute(account, dispute, 'auto-accepted');
    },
  };
}
