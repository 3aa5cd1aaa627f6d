import type { FakeAnswer } from '../fake-http.ts';
import {
  intentPayload,
  paymentMethodPayload,
  refundPayload,
  sessionPayload,
} from '../stripe-payloads.ts';
import { missing, ok, refuse, type FakePage, type StripeAccount } from './account.ts';
import { addIntent, addRefund, confirm } from './charging.ts';

/** About half a US dollar. */
const MINIMUM = 900;

const readMetadata = (form: URLSearchParams, path = 'metadata'): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith(`${path}[`) ? [[name.slice(path.length + 1, -1), value]] : [],
    ),
  );

function createSession(account: StripeAccount, form: URLSearchParams): FakeAnswer {
  const mode = form.get('mode');
  if (mode !== 'payment' && mode !== 'setup') return missing;
  const isPayment = mode === 'payment';
  // The account converts currencies unless that is turned off.
  const rate = !isPayment || form.get('adaptive_pricing[enabled]') === 'false' ? 1 : 0.05;
  const price = Number(form.get('line_items[0][price_data][unit_amount]') ?? 0);
  const amount = isPayment ? Math.round(price * rate) : null;
  if (amount !== null && amount < MINIMUM)
    return refuse(400, 'amount_too_small', 'The amount is too small.');
  const kind = isPayment ? 'payment_intent_data' : 'setup_intent_data';
  const session: FakePage = {
    id: account.newId('cs_test'),
    mode,
    reference: form.get('client_reference_id') ?? '',
    status: 'open',
    isPaid: false,
    amount,
    email: form.get('customer_email') ?? '',
    customer: null,
    intent: null,
    setup: null,
    createdAt: account.clock.now(),
    metadata: readMetadata(form, `${kind}[metadata]`),
    savesCard: !isPayment || form.get(`${kind}[setup_future_usage]`) === 'off_session',
    createsCustomer: form.get('customer_creation') === 'always',
  };
  account.sessions.push(session);
  return ok(sessionPayload(session));
}

function createIntent(account: StripeAccount, form: URLSearchParams): FakeAnswer {
  // The API version of our client has no such parameter any more.
  if (form.has('payment_method_types[0]'))
    return refuse(400, 'parameter_unknown', 'Received unknown parameter.');
  const paymentMethod = form.get('payment_method') ?? '';
  const customer = form.get('customer');
  const method = account.methods.find(({ id }) => id === paymentMethod);
  if (!method) {
    const message = `No such PaymentMethod: '${paymentMethod}'`;
    return refuse(400, 'resource_missing', message, 'payment_method');
  }
  if (method.customer === null || method.customer !== customer) {
    const message = `The customer does not have a payment method with the ID ${paymentMethod}.`;
    return refuse(400, 'parameter_invalid', message, 'payment_method');
  }
  const amount = Number(form.get('amount'));
  if (amount < MINIMUM) return refuse(400, 'amount_too_small', 'The amount is too small.');
  const request = { amount, metadata: readMetadata(form), customer, paymentMethod };
  return ok(intentPayload(addIntent(account, request)));
}

/** A payment is confirmed once; what the bank declined needs another card. */
function confirmIntent(account: StripeAccount, id: string, form: URLSearchParams): FakeAnswer {
  const intent = account.findIntent(id);
  const method = account.methods.find((found) => found.id === intent?.paymentMethod);
  if (!intent || !method) return missing;
  if (form.get('off_session') !== 'true' || intent.status !== 'requires_confirmation')
    return refuse(400, 'payment_intent_unexpected_state', `It has the status ${intent.status}.`);
  if (method.customer === null)
    return refuse(400, 'payment_method_invalid', 'It was detached.', 'payment_method');
  const error = confirm(account, intent, method);
  if (!error) return ok(intentPayload(intent));
  const details = { ...error, payment_method: paymentMethodPayload(method) };
  const failure = { type: 'card_error', ...details, payment_intent: intentPayload(intent) };
  return { status: 402, json: { error: failure } };
}

function createRefund(account: StripeAccount, form: URLSearchParams): FakeAnswer {
  const charge = account.listCharges().find(({ id }) => id === form.get('charge'));
  const amount = Number(form.get('amount'));
  if (!charge?.isPaid) return missing;
  const before = charge.refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, refund) => sum + refund.amount, 0);
  if (before + amount > charge.amount)
    return refuse(400, 'charge_already_refunded', 'The refund is more than what is left.');
  return ok(refundPayload(addRefund(account, charge, { amount, metadata: readMetadata(form) })));
}

function detach(account: StripeAccount, id: string): FakeAnswer {
  const method = account.methods.find((found) => found.id === id);
  if (!method)
    return refuse(404, 'resource_missing', `No such PaymentMethod: '${id}'`, 'payment_method');
  if (method.customer === null)
    return refuse(400, 'parameter_invalid', 'It is not attached to a customer.');
  method.customer = null;
  return ok(paymentMethodPayload(method));
}

export function write(account: StripeAccount, path: string, form: URLSearchParams): FakeAnswer {
  const [, , , id = '', action = ''] = path.split('/');
  if (path === '/v1/checkout/sessions') return createSession(account, form);
  if (path === '/v1/payment_intents') return createIntent(account, form);
  if (path === '/v1/refunds') return createRefund(account, form);
  if (action === 'confirm') return confirmIntent(account, id, form);
  return action === 'detach' ? detach(account, id) : missing;
}
