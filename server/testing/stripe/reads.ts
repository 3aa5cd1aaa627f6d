import type { FakeAnswer } from '../fake-http.ts';
import {
  chargePayload,
  disputePayload,
  invoicePayload,
  listPayload,
  pricePayload,
  refundPayload,
  sessionPayload,
  subscriptionPayload,
} from '../stripe-payloads.ts';
import { missing, ok, type StripeAccount } from './account.ts';

const find = (
  { findPrice, findSubscription, sessions }: StripeAccount,
  path: string,
): FakeAnswer => {
  const id = path.split('/').at(-1) ?? '';
  const price = findPrice(id);
  const subscription = findSubscription(id);
  const session = sessions.find((found) => found.id === id);
  if (price) return ok(pricePayload(price));
  if (subscription) return ok(subscriptionPayload(subscription));
  return session ? ok(sessionPayload(session)) : missing;
};

export const read = (account: StripeAccount, path: string, query: URLSearchParams): FakeAnswer => {
  const { sessions, subscriptions, invoices, charges, refunds } = account;
  const newest = <T>(items: readonly T[], show: (item: T) => unknown) =>
    ok(listPayload(items.toReversed().map(show)));
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
        subscriptions.filter((found) => found.customer === customer),
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
        charges.filter(({ id, isDisputed }) => isDisputed && id === query.get('charge')),
        disputePayload,
      );
    case '/v1/refunds':
      return newest(
        refunds.filter(({ charge }) => charge === query.get('charge')),
        refundPayload,
      );
    default:
      return find(account, path);
  }
};
