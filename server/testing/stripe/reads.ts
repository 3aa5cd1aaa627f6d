import { DAY, MINUTE } from '#contract/rules/time.ts';
import type { FakeAnswer } from '../fake-http.ts';
import {
  balancePayloads,
  disputePayload,
  intentPayload,
  invoicePayload,
  listPayload,
  paymentMethodPayload,
  payoutPayload,
  refundPayload,
  sessionPayload,
  setupPayload,
  subscriptionPayload,
  type FakeIntent,
} from '../stripe-payloads.ts';
import { missing, ok, type StripeAccount } from './account.ts';

const EVENTS_MS = 30 * DAY;
/** New objects can be listed at once, and be searched after about a minute. */
const SEARCHED_MS = MINUTE;

function find(account: StripeAccount, path: string): FakeAnswer {
  const id = path.split('/').at(-1) ?? '';
  const session = account.sessions.find((found) => found.id === id);
  if (session) return ok(sessionPayload(session));
  const intent = account.findIntent(id);
  if (intent) return ok(intentPayload(intent));
  const subscription = account.subscriptions.find((found) => found.id === id);
  if (subscription) return ok(subscriptionPayload(subscription));
  const setup = account.setups.find((found) => found.id === id);
  if (setup) return ok(setupPayload(setup));
  const method = account.methods.find((found) => found.id === id);
  return method ? ok(paymentMethodPayload(method)) : missing;
}

type Listed = { id: string; at: number; payload: { id: string } };

const listIntent = (found: FakeIntent): Listed => ({
  id: found.id,
  at: found.createdAt,
  payload: intentPayload(found),
});

function listAll(account: StripeAccount, path: string, query: URLSearchParams): Listed[] | null {
  const charge = query.get('charge');
  const charges = account.listCharges().filter(({ id }) => charge === null || id === charge);
  const now = account.clock.now();
  switch (path) {
    case '/v1/checkout/sessions':
      return account.sessions
        .filter(({ status }) => (query.get('status') ?? status) === status)
        .map((found) => ({ id: found.id, at: found.createdAt, payload: sessionPayload(found) }));
    case '/v1/subscriptions':
      return account.subscriptions
        .filter(({ status }) => status !== 'canceled')
        .map((found) => ({ id: found.id, at: 0, payload: subscriptionPayload(found) }));
    case '/v1/invoices':
      return account.invoices
        .filter(({ subscription }) => subscription === query.get('subscription'))
        .filter(({ paidAt }) => query.get('status') !== 'paid' || paidAt !== null)
        .map((found) => ({ id: found.id, at: found.createdAt, payload: invoicePayload(found) }));
    case '/v1/payment_intents':
      return account.intents.map(listIntent);
    case '/v1/payment_intents/search': {
      const reference = /^metadata\['reference'\]:'([^']*)'$/.exec(query.get('query') ?? '')?.[1];
      return account.intents
        .filter((found) => found.metadata.reference === reference)
        .filter(({ createdAt }) => createdAt <= now - SEARCHED_MS)
        .map(listIntent);
    }
    case '/v1/refunds':
      return charges
        .flatMap(({ refunds }) => refunds)
        .map((found) => ({ id: found.id, at: found.createdAt, payload: refundPayload(found) }));
    case '/v1/disputes':
      return charges
        .filter((found) => found.dispute !== null)
        .map((found) => ({ id: found.id, at: found.at, payload: disputePayload(found) }));
    case '/v1/events': {
      const types = [...query].filter(([name]) => name.startsWith('types')).map(([, type]) => type);
      return account.events
        .filter(({ type, created }) => types.includes(type) && created * 1000 > now - EVENTS_MS)
        .map((found) => ({ id: found.id, at: found.created * 1000, payload: found }));
    }
    case '/v1/balance_transactions':
      return account.payouts
        .filter(({ id }) => id === query.get('payout'))
        .flatMap(balancePayloads)
        .map((found) => ({ id: found.id, at: 0, payload: found }));
    case '/v1/payouts': {
      const [from = 0, to = 0] = ['gte', 'lt'].map((name) =>
        Number(query.get(`arrival_date[${name}]`)),
      );
      return account.payouts
        .filter(({ at }) => at / 1000 >= from && at / 1000 < to)
        .map((found) => ({ id: found.id, at: found.at, payload: payoutPayload(found) }));
    }
    default:
      return null;
  }
}

/** Newest first. */
export function read(account: StripeAccount, path: string, query: URLSearchParams): FakeAnswer {
  const listed = listAll(account, path, query);
  if (!listed) return find(account, path);
  const since = Number(query.get('created[gte]') ?? 0) * 1000;
  const items = listed.filter(({ at }) => since === 0 || at >= since).toReversed();
  return ok(
    listPayload(
      items.map(({ payload }) => payload),
      query,
    ),
  );
}
