import type { FakeAnswer } from '../fake-http.ts';
import {
  balancePayloads,
  chargePayload,
  disputePayload,
  invoicePayload,
  listPayload,
  payoutPayload,
  pricePayload,
  refundPayload,
  sessionPayload,
  subscriptionPayload,
} from '../stripe-payloads.ts';
import { missing, ok, type StripeAccount } from './account.ts';

const find = (
  { findPrice, findSubscription, sessions, charges }: StripeAccount,
  path: string,
): FakeAnswer => {
  const id = path.split('/').at(-1) ?? '';
  const price = findPrice(id);
  const subscription = findSubscription(id);
  const session = sessions.find((found) => found.id === id);
  if (price) return ok(pricePayload(price));
  if (subscription) return ok(subscriptionPayload(subscription));
  const charge = charges.find((found) => found.id === id);
  if (charge) return ok(chargePayload(charge));
  return session ? ok(sessionPayload(session)) : missing;
};

export const read = (account: StripeAccount, path: string, query: URLSearchParams): FakeAnswer => {
  const { sessions, subscriptions, invoices, charges, refunds, payouts } = account;
  const newest = <T>(items: readonly T[], show: (item: T) => { id: string }) =>
    ok(listPayload(items.toReversed().map(show), query));
  const customer = query.get('customer');
  switch (path) {
    case '/v1/checkout/sessions': {
      const since = Number(query.get('created[gte]') ?? 0) * 1000;
      return newest(
        sessions.filter(({ createdAt }) => createdAt >= since),
        sessionPayload,
      );
    }
    case '/v1/subscriptions':
      return newest(
        subscriptions.filter((found) => found.customer.id === customer),
        subscriptionPayload,
      );
    case '/v1/subscriptions/search': {
      const reference = /:'([^']*)'$/.exec(query.get('query') ?? '')?.[1];
      return newest(
        subscriptions.filter((found) => found.reference === reference),
        subscriptionPayload,
      );
    }
    case '/v1/invoices':
      return newest(
        invoices.filter((found) => found.subscription === query.get('subscription')),
        invoicePayload,
      );
    case '/v1/charges':
      return newest(
        charges.filter((found) => found.customer === customer),
        chargePayload,
      );
    case '/v1/disputes':
      return newest(
        charges.filter((found) => found.dispute !== null && found.id === query.get('charge')),
        disputePayload,
      );
    case '/v1/refunds':
      return newest(
        refunds.filter(({ charge }) => charge === query.get('charge')),
        refundPayload,
      );
    case '/v1/payouts': {
      const [from, to] = ['gte', 'lt'].map((name) => Number(query.get(`arrival_date[${name}]`)));
      return newest(
        payouts.filter(({ at }) => at / 1000 >= (from ?? 0) && at / 1000 < (to ?? 0)),
        payoutPayload,
      );
    }
    case '/v1/balance_transactions':
      return newest(
        payouts.filter(({ id }) => id === query.get('payout')).flatMap(balancePayloads),
        (found) => found,
      );
    default:
      return find(account, path);
  }
};
