import type { FakeAnswer } from '../fake-http.ts';
import {
  customerPayload,
  disputePayload,
  fetchedPayload,
  listedPayload,
  listedSubscriptionPayload,
  planPayload,
  refundPayload,
  settlementPayload,
  subscriptionPayload,
  verifiedPayload,
} from '../paystack-payloads.ts';
import { ok, refuse, type PaystackAccount } from './account.ts';

/** Newest first, one page at a time. */
function page(query: URLSearchParams, items: readonly unknown[], mostPerPage: number): FakeAnswer {
  const perPage = Math.min(Number(query.get('perPage') ?? 50), mostPerPage);
  const start = (Number(query.get('page') ?? 1) - 1) * perPage;
  const meta = { total: items.length, pageCount: Math.ceil(items.length / perPage) };
  const data = items.toReversed().slice(start, start + perPage);
  return { status: 200, json: { status: true, message: 'OK', data, meta } };
}

const isInRange = (query: URLSearchParams, at: number): boolean => {
  const [from, to] = [query.get('from'), query.get('to')];
  return (!from || at >= Date.parse(from)) && (!to || at <= Date.parse(to));
};

const isOfTransaction = (query: URLSearchParams, id: number): boolean =>
  !query.has('transaction') || Number(query.get('transaction')) === id;

function listItems(
  account: PaystackAccount,
  path: string,
  query: URLSearchParams,
): unknown[] | undefined {
  const customer = Number(query.get('customer'));
  if (path === '/subscription')
    return account.subscriptions
      .filter((found) => found.customer.id === customer)
      .map(listedSubscriptionPayload);
  if (path === '/transaction')
    return account.transactions
      .filter((found) => found.customer.id === customer)
      .filter(({ reference }) => !account.unlisted.has(reference))
      .map(listedPayload);
  if (path === '/refund')
    return account.refunds
      .filter(({ createdAt }) => isInRange(query, createdAt))
      .filter(({ transaction }) => isOfTransaction(query, transaction))
      .map(refundPayload);
  if (path === '/dispute')
    return account.disputes
      .filter(({ createdAt }) => isInRange(query, createdAt))
      .filter(({ transaction }) => isOfTransaction(query, transaction.id))
      .map(disputePayload);
  if (path === '/settlement')
    return account.settlements
      .filter(({ createdAt }) => isInRange(query, createdAt))
      .map(settlementPayload);
  return undefined;
}

function readTransaction(account: PaystackAccount, id: string, reference: string): FakeAnswer {
  if (id === 'verify') {
    const transaction = account.findTransaction(reference);
    return transaction
      ? ok(verifiedPayload(transaction), 'Verification successful')
      : refuse(400, 'Transaction reference not found.', 'transaction_not_found');
  }
  const transaction = account.transactions.find((found) => String(found.id) === id);
  return transaction ? ok(fetchedPayload(transaction)) : refuse(404, 'Transaction not found');
}

function readSubscription(account: PaystackAccount, code: string, more: string): FakeAnswer {
  const subscription = account.findSubscription(code);
  if (!subscription) return refuse(404, 'Subscription not found');
  return more === 'manage'
    ? ok({ link: `https://paystack.com/manage/subscriptions/${code}?subscription_token=x` })
    : ok(subscriptionPayload(subscription));
}

export function read(
  account: PaystackAccount,
  path: string,
  query: URLSearchParams,
  mostPerPage: number,
): FakeAnswer {
  const items = listItems(account, path, query);
  if (items) return page(query, items, mostPerPage);
  const [, kind = '', id = '', more = ''] = path.split('/').map(decodeURIComponent);
  if (kind === 'transaction') return readTransaction(account, id, more);
  if (kind === 'subscription') return readSubscription(account, id, more);
  const plan = kind === 'plan' ? account.plans[id] : undefined;
  if (plan) return ok(planPayload(plan));
  const customer =
    kind === 'customer'
      ? account.customers.find(({ customer_code }) => customer_code === id)
      : undefined;
  return customer ? ok(customerPayload(customer)) : refuse(404, 'Not found');
}
