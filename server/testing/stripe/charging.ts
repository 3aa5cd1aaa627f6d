import { DAY } from '#contract/rules/time.ts';
import type { BankAnswer } from '../payments-contract/subject.ts';
import {
  disputePayload,
  intentPayload,
  refundPayload,
  sessionPayload,
  type FakeCharge,
  type FakeIntent,
  type FakePaymentMethod,
  type FakeRefund,
} from '../stripe-payloads.ts';
import type { FakePage, StripeAccount } from './account.ts';

/** Stripe expects evidence about a dispute within this time. */
const EVIDENCE_MS = 9 * DAY;

type Decline = NonNullable<FakeIntent['error']>;

const decline = (decline_code: string, message: string, code = 'card_declined'): Decline => ({
  code,
  decline_code,
  message,
});

/** A card whose bank wants the customer is declined with a code of its own when they are away. */
const DECLINES: Record<Exclude<BankAnswer, 'pays'>, Decline> = {
  declines: decline('insufficient_funds', 'Your card has insufficient funds.'),
  'is-lost': decline('lost_card', 'Your card was declined.'),
  'asks-the-member': decline(
    'authentication_required',
    'Your card was declined. This transaction requires authentication.',
    'authentication_required',
  ),
};

export function addIntent(
  account: StripeAccount,
  intent: Pick<FakeIntent, 'amount' | 'metadata'> & Partial<FakeIntent>,
): FakeIntent {
  const added: FakeIntent = {
    id: account.newId('pi'),
    status: 'requires_confirmation',
    customer: null,
    paymentMethod: null,
    savesCard: false,
    error: null,
    charge: null,
    createdAt: account.clock.now(),
    ...intent,
  };
  account.intents.push(added);
  return added;
}

const addCharge = (
  { newId, clock }: StripeAccount,
  intent: FakeIntent,
  charge: Pick<FakeCharge, 'isPaid' | 'type' | 'card' | 'email'>,
) => {
  const at = clock.now();
  const rest = { intent: intent.id, amount: intent.amount, dispute: null, at, refunds: [] };
  intent.charge = { id: newId('ch'), ...rest, ...charge };
};

/** Asks the bank. A failed attempt leaves a failed charge and waits for another card. */
export function confirm(account: StripeAccount, intent: FakeIntent, method: FakePaymentMethod) {
  const answer = account.bankAnswers.get(method.id) ?? 'pays';
  const isPaid = answer === 'pays';
  const { card, email } = method;
  addCharge(account, intent, { isPaid, type: 'card', card, email });
  intent.status = isPaid ? 'succeeded' : 'requires_payment_method';
  intent.error = isPaid ? null : DECLINES[answer];
  const type = isPaid ? 'payment_intent.succeeded' : 'payment_intent.payment_failed';
  account.queueEvent(type, intentPayload(intent));
  return intent.error;
}

/** On a page that keeps the card, it becomes the card of a new customer. */
function addMethod(account: StripeAccount, page: FakePage, card: string): FakePaymentMethod {
  const customer = page.createsCustomer ? account.newId('cus') : null;
  const method = { id: account.newId('pm'), card, email: page.email, customer };
  account.methods.push(method);
  page.customer = customer;
  return method;
}

function complete(account: StripeAccount, page: FakePage, isPaid: boolean) {
  Object.assign(page, { status: 'complete', isPaid });
  account.queueEvent('checkout.session.completed', sessionPayload(page));
}

/** The intent of a page exists once its customer pays. */
const addPageIntent = (
  account: StripeAccount,
  page: FakePage,
  method: FakePaymentMethod | null,
) => {
  const { amount, metadata, savesCard, customer } = page;
  const paymentMethod = method?.id ?? null;
  const rest = { metadata, savesCard, customer, paymentMethod };
  const intent = addIntent(account, { amount: amount ?? 0, ...rest });
  page.intent = intent.id;
  return intent;
};

export function pay(account: StripeAccount, reference: string, card = 'first') {
  const page = account.getPage(reference);
  if (page.status !== 'open') return;
  const method = addMethod(account, page, card);
  if (page.mode === 'setup') {
    const setup = { id: account.newId('seti'), metadata: page.metadata, method };
    account.setups.push(setup);
    page.setup = setup.id;
  } else confirm(account, addPageIntent(account, page, method), method);
  complete(account, page, true);
}

/** From a bank account: the page is complete, and the money comes or doesn't come later. */
export function payByBank(account: StripeAccount, reference: string) {
  const page = account.getPage(reference);
  if (page.savesCard) throw new Error('This page takes only cards.');
  const intent = addPageIntent(account, page, null);
  intent.status = 'processing';
  account.queueEvent('payment_intent.processing', intentPayload(intent));
  complete(account, page, false);
}

export function decideBankPayment(account: StripeAccount, reference: string, isPaid: boolean) {
  const page = account.getPage(reference);
  const intent = account.findIntent(page.intent);
  if (intent?.status !== 'processing') throw new Error(`Nothing is pending for ${reference}.`);
  const { email } = page;
  addCharge(account, intent, { isPaid, type: 'bank_transfer', card: '', email });
  page.isPaid = isPaid;
  intent.status = isPaid ? 'succeeded' : 'requires_payment_method';
  if (!isPaid) intent.error = decline('generic_decline', 'The bank account could not be debited.');
  const outcome = isPaid ? 'succeeded' : 'failed';
  account.queueEvent(`checkout.session.async_payment_${outcome}`, sessionPayload(page));
}

export function addRefund(
  { newId, clock, queueEvent }: StripeAccount,
  charge: FakeCharge,
  { amount, metadata = {} }: { amount: number; metadata?: FakeRefund['metadata'] },
): FakeRefund {
  const rest = { amount, metadata, status: 'succeeded' as const, createdAt: clock.now() };
  const refund = { id: newId('re'), charge: charge.id, intent: charge.intent, ...rest };
  charge.refunds.push(refund);
  queueEvent('refund.created', refundPayload(refund));
  return refund;
}

export function failRefund({ getCharge, queueEvent }: StripeAccount, chargeId: string) {
  const refund = getCharge(chargeId).refunds.at(-1);
  if (!refund) throw new Error(`Stripe has no refund of ${chargeId}.`);
  refund.status = 'failed';
  queueEvent('refund.failed', refundPayload(refund));
}

type DisputeStatus = NonNullable<FakeCharge['dispute']>['status'];

export function dispute(
  { getCharge, clock, queueEvent }: StripeAccount,
  chargeId: string,
  status: DisputeStatus = 'needs_response',
) {
  const charge = getCharge(chargeId);
  const isNew = charge.dispute === null;
  charge.dispute = { status, dueAt: charge.dispute?.dueAt ?? clock.now() + EVIDENCE_MS };
  const isOver = status === 'won' || status === 'lost';
  const what = isNew ? 'created' : isOver ? 'closed' : 'updated';
  queueEvent(`charge.dispute.${what}`, disputePayload(charge));
}

/** A payment, a refund and a dispute of another shop on the same account. */
export function sellOther(account: StripeAccount) {
  const method = { id: account.newId('pm'), card: 'first', email: 'shop@example.com' };
  const intent = addIntent(account, { amount: 12_300, metadata: { reference: 'order-7' } });
  confirm(account, intent, { ...method, customer: null });
  const plain = addIntent(account, { amount: 12_300, metadata: {} });
  confirm(account, plain, { ...method, customer: null });
  for (const { charge } of [intent, plain]) {
    if (!charge) continue;
    addRefund(account, charge, { amount: 100 });
    dispute(account, charge.id);
  }
}

/** Pages close after a day. */
export function passTo({ sessions }: StripeAccount, time: number) {
  for (const session of sessions)
    if (session.status === 'open' && time >= session.createdAt + DAY) session.status = 'expired';
}
