import { z } from 'zod';
import type { FakeAnswer } from '../fake-http.ts';
import {
  authorizationCode,
  chargedPayload,
  isReusable,
  refundPayload,
  transactionPayload,
} from '../paystack-payloads.ts';
import { ok, refuse, type PaystackAccount } from './account.ts';
import { addRefund, addTransaction, chargeCard } from './charging.ts';
import { disable } from './subscriptions.ts';

const MINIMUM = 100;

const Payment = z.object({
  /** Only these characters are allowed. */
  reference: z.string().regex(/^[a-z\d.=-]+$/i),
  email: z.email(),
  amount: z.int(),
  currency: z.literal('ZAR'),
  metadata: z.record(z.string(), z.unknown()),
});
const Initialize = Payment.extend({
  callback_url: z.url(),
  channels: z
    .array(z.enum(['card', 'bank', 'ussd', 'qr', 'eft', 'capitec_pay', 'mobile_money']))
    .optional(),
});
const ChargeAuthorization = Payment.extend({ authorization_code: z.string() });
const Deactivate = z.object({ authorization_code: z.string() });
const CreateRefund = z.object({
  transaction: z.string(),
  amount: z.int().min(1),
  merchant_note: z.string(),
});

const DUPLICATE = refuse(400, 'Duplicate Transaction Reference', 'duplicate_reference');
const INVALID_AMOUNT = refuse(400, 'Invalid Amount Sent', 'invalid_params');

function initialize(account: PaystackAccount, body: unknown): FakeAnswer {
  const { callback_url: callbackUrl, ...request } = Initialize.parse(body);
  if (request.amount < MINIMUM) return INVALID_AMOUNT;
  if (account.findTransaction(request.reference)) return DUPLICATE;
  const { reference, amount, metadata, email, channels } = request;
  const asked = { reference, amount, metadata, email, channels, callbackUrl };
  const { id } = addTransaction(account, asked);
  const access_code = `access_${id}`;
  const authorization_url = `https://checkout.paystack.com/${access_code}`;
  return ok({ authorization_url, access_code, reference }, 'Authorization URL created');
}

/** Of all customers: an authorization belongs to one address. */
function findCard(account: PaystackAccount, email: string, code: string): string | null {
  const customer = account.customers.find((found) => found.email === email);
  const start = customer && authorizationCode(customer, '');
  return start !== undefined && code.startsWith(start) ? code.slice(start.length) : null;
}

/** A card that the bank wants to be confirmed gets a page and no payment: the charge is paused. */
function chargeAuthorization(account: PaystackAccount, body: unknown): FakeAnswer {
  const { authorization_code: code, ...request } = ChargeAuthorization.parse(body);
  if (request.amount < MINIMUM) return INVALID_AMOUNT;
  if (account.findTransaction(request.reference)) return DUPLICATE;
  const card = findCard(account, request.email, code);
  // The words of these refusals aren't documented; a code in them must stay a secret.
  if (card === null || account.deactivated.has(code))
    return refuse(400, `Invalid authorization code: ${code}`, 'invalid_params');
  if (!isReusable(card)) return refuse(400, `The authorization ${code} is not reusable`);
  const made = addTransaction(account, { ...request, card });
  const answer = account.bankAnswers.get(code) ?? 'pays';
  chargeCard(account, made, answer);
  if (answer !== 'asks-the-member') return ok(chargedPayload(made), 'Charge attempted');
  const access_code = `access_${made.id}`;
  const authorization_url = `https://checkout.paystack.com/resume/${access_code}`;
  const { reference } = made;
  return ok(
    { authorization_url, reference, access_code, paused: true },
    'Please, redirect your customer to the authorization url provided',
  );
}

function deactivate(account: PaystackAccount, body: unknown): FakeAnswer {
  const { authorization_code: code } = Deactivate.parse(body);
  const isKnown = account.transactions.some(
    ({ customer, card, paidAt }) => paidAt !== null && authorizationCode(customer, card) === code,
  );
  if (!isKnown || account.deactivated.has(code))
    return refuse(404, 'Authorization code not found.');
  account.deactivated.add(code);
  return ok(undefined, 'Authorization has been deactivated');
}

const FINAL = new Set(['failed']);

function createRefund(account: PaystackAccount, body: unknown): FakeAnswer {
  const { transaction: reference, amount, merchant_note: note } = CreateRefund.parse(body);
  const transaction = account.findTransaction(reference);
  if (transaction?.status !== 'success') return refuse(404, 'Transaction not found');
  const before = account.refunds
    .filter((refund) => refund.transaction === transaction && !FINAL.has(refund.status))
    .reduce((sum, refund) => sum + refund.amount, 0);
  if (before + amount > transaction.amount)
    return refuse(400, 'Refund amount cannot be more than transaction amount');
  const refund = addRefund(account, transaction, { amount, note });
  const created = { ...refundPayload(refund), transaction: transactionPayload(transaction) };
  return ok(created, 'Refund has been queued for processing');
}

const WRITES: Record<string, (account: PaystackAccount, body: unknown) => FakeAnswer> = {
  '/transaction/initialize': initialize,
  '/transaction/charge_authorization': chargeAuthorization,
  '/customer/authorization/deactivate': deactivate,
  '/refund': createRefund,
  '/subscription/disable': disable,
};

export const write = (account: PaystackAccount, path: string, body: string): FakeAnswer =>
  WRITES[path]?.(account, JSON.parse(body)) ?? refuse(404, 'Not found');
