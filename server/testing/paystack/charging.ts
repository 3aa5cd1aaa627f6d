import { HOUR } from '#contract/rules/time.ts';
import type { BankAnswer } from '../payments-contract/subject.ts';
import {
  disputePayload,
  refundEventPayload,
  transactionPayload,
  type FakeRefund,
  type FakeTransaction,
} from '../paystack-payloads.ts';
import type { PaystackAccount } from './account.ts';

/** A chargeback in South Africa must be answered within this time. */
const ANSWER_MS = 48 * HOUR;

export function addTransaction(
  account: PaystackAccount,
  transaction: Pick<FakeTransaction, 'reference' | 'amount' | 'metadata'> &
    Partial<FakeTransaction> & { email: string },
): FakeTransaction {
  const { email, ...rest } = transaction;
  const added = {
    id: account.nextId(),
    status: 'abandoned',
    gateway_response: 'The transaction was not completed',
    paidAt: null,
    createdAt: account.clock.now(),
    customer: account.findOrAddCustomer(email),
    channel: 'card',
    card: 'first',
    ...rest,
  };
  account.transactions.push(added);
  return added;
}

/** Only successful payments are announced. */
export function setPaid(account: PaystackAccount, transaction: FakeTransaction, response: string) {
  const paidAt = account.clock.now();
  Object.assign(transaction, { status: 'success', gateway_response: response, paidAt });
  account.queueEvent('charge.success', transactionPayload(transaction));
}

/** The words of banks, as Paystack's list of bank errors has them. */
const DECLINES: Partial<Record<BankAnswer, string>> = {
  declines: 'Insufficient Funds',
  'is-lost': 'Lost Card, Pick-Up',
};

export function chargeCard(
  account: PaystackAccount,
  transaction: FakeTransaction,
  answer: BankAnswer,
) {
  if (answer === 'pays') setPaid(account, transaction, 'Approved');
  else if (answer === 'asks-the-member') transaction.status = account.paused.status;
  else
    Object.assign(transaction, { status: 'failed', gateway_response: DECLINES[answer] ?? answer });
}

export function addRefund(
  account: PaystackAccount,
  transaction: FakeTransaction,
  { amount, note, dispute = null }: { amount: number; note: string; dispute?: number | null },
): FakeRefund {
  const now = account.clock.now();
  const refund = {
    id: account.nextId(),
    transaction,
    dispute,
    amount,
    status: 'pending',
    merchant_note: note,
    createdAt: now,
    updatedAt: now,
  };
  account.refunds.push(refund);
  account.queueEvent('refund.pending', refundEventPayload(refund));
  return refund;
}

/** What customers, their banks, the dashboard and time do to the account. */
export function createEvents(account: PaystackAccount) {
  const { clock, disputes, refunds, bankAnswers } = account;
  const findDispute = (reference: string) => {
    const dispute = disputes.find(({ transaction }) => transaction.reference === reference);
    if (!dispute) throw new Error(`Paystack has no dispute about ${reference}.`);
    return dispute;
  };
  const dispute = (reference: string) => {
    const transaction = account.getTransaction(reference);
    const createdAt = clock.now();
    const added = {
      id: account.nextId(),
      transaction,
      status: 'awaiting-merchant-feedback',
      resolution: null,
      createdAt,
      updatedAt: createdAt,
      dueAt: createdAt + ANSWER_MS,
    };
    disputes.push(added);
    account.queueEvent('charge.dispute.create', disputePayload(added));
  };
  const refund = (reference: string, amount: number) =>
    void addRefund(account, account.getTransaction(reference), { amount, note: 'By hand' });

  return {
    /** Pays a page. A card whose name starts with “single-use” can't be charged again. */
    pay: (reference: string, card = 'first') => {
      const transaction = account.getTransaction(reference);
      if (transaction.status === 'success') return;
      Object.assign(transaction, { card, channel: 'card' });
      setPaid(account, transaction, 'Successful');
    },
    decline: (reference: string) => {
      const declined = { status: 'failed', gateway_response: 'Insufficient Funds' };
      Object.assign(account.getTransaction(reference), declined);
    },
    /** From the customer's bank account: pending until the bank has decided. */
    payByBank: (reference: string, channel = 'eft') => {
      const transaction = account.getTransaction(reference);
      if (transaction.channels && !transaction.channels.includes(channel))
        throw new Error(`This page doesn’t offer ${channel}.`);
      Object.assign(transaction, { status: 'pending', channel, gateway_response: 'Pending' });
    },
    decideBankPayment: (reference: string, isPaid: boolean) => {
      const transaction = account.getTransaction(reference);
      if (isPaid) setPaid(account, transaction, 'Approved');
      else Object.assign(transaction, { status: 'failed', gateway_response: 'Declined' });
    },
    setBankAnswer: (token: string, answer: BankAnswer) => void bankAnswers.set(token, answer),
    /** A payment, a refund and a dispute of another product on the same account. */
    sellOther: () => {
      const reference = `other-${account.nextId()}`;
      const metadata = { order_id: 'shirt-7' };
      const order = { reference, amount: 12_300, metadata, email: 'shop@example.com' };
      const sold = addTransaction(account, order);
      setPaid(account, sold, 'Successful');
      refund(reference, 100);
      dispute(reference);
    },
    refund,
    /** A refund moves on. A full one reverses its payment; one that fails undoes that. */
    setRefund: (reference: string, status: 'processed' | 'failed' | 'needs-attention') => {
      const found = refunds.findLast(({ transaction }) => transaction.reference === reference);
      if (!found) throw new Error(`Paystack has no refund of ${reference}.`);
      Object.assign(found, { status, updatedAt: clock.now() });
      const isReversed = status === 'processed' && found.amount === found.transaction.amount;
      found.transaction.status = isReversed ? 'reversed' : 'success';
      account.queueEvent(`refund.${status}`, refundEventPayload(found));
    },
    dispute,
    /** `declined` means that the merchant won, `merchant-accepted` that the merchant gave in. */
    resolveDispute: (reference: string, resolution: 'declined' | 'merchant-accepted') => {
      const found = findDispute(reference);
      Object.assign(found, { status: 'resolved', resolution, updatedAt: clock.now() });
      const { transaction, id } = found;
      if (resolution !== 'declined')
        addRefund(account, transaction, { amount: transaction.amount, note: '', dispute: id });
      account.queueEvent('charge.dispute.resolve', disputePayload(found));
    },
  };
}
