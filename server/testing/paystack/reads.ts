import type { FakeAnswer } from '../fake-http.ts';
import {
  disputePayload,
  fetchedPayload,
  listedSubscriptionPayload,
  settlementPayload,
  subscriptionPayload,
  transactionPayload,
  verifiedPayload,
  type FakeRefund,
} from '../paystack-payloads.ts';
import { ok, refuse, type PaystackAccount } from './account.ts';

export type Lists = {
  /** The maximum page size, whatever the request says. */
  mostPerPage: number;
  showRefund: (refund: FakeRefund) => object;
};

/** Newest first, one page at a time. */
function page(query: URLSearchParams, items: readonly unknown[], mostPerPage: number): FakeAnswer {
  const perPage = Math.min(Number(query.get('perPage') ?? 50), mostPerPage);
  const start = (Number(query.get('page') ?? 1) - 1) * perPage;
  const meta = { total: items.length, pageCount: Math.ceil(items.length / perPage) };
  const data = items.toReversed().slice(start, start + perPage);
  return { status: 200, json: { status: true, message: 'OK', data, meta } };
}

/** By the day that something was created, never by what happened to it later. */
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
  showRefund: Lists['showRefund'],
): unknown[] | undefined {
  if (path === '/transaction')
    return account.transactions
      .filter(({ createdAt }) => isInRange(query, createdAt))
      .filter(({ customer }) => (query.get('customer') ?? `${customer.id}`) === `${customer.id}`)
      .map(transactionPayload);
  if (path === '/subscription') return account.subscriptions.map(listedSubscriptionPayload);
  // Paystack's description of this list names no filter by payment.
  if (path === '/refund')
    return account.refunds.filter(({ createdAt }) => isInRange(query, createdAt)).map(showRefund);
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

export function read(
  account: PaystackAccount,
  path: string,
  query: URLSearchParams,
  { mostPerPage, showRefund }: Lists,
): FakeAnswer {
  const items = listItems(account, path, query, showRefund);
  if (items) return page(query, items, mostPerPage);
  const [, kind = '', id = '', reference = ''] = path.split('/').map(decodeURIComponent);
  const subscription = account.subscriptions.find(({ subscription_code: code }) => code === id);
  if (kind === 'subscription' && subscription) return ok(subscriptionPayload(subscription));
  if (kind !== 'transaction') return refuse(404, 'Not found');
  if (id === 'verify') {
    const transaction = account.findTransaction(reference);
    return transaction && !account.unseen.has(reference)
      ? ok(verifiedPayload(transaction), 'Verification successful')
      : refuse(400, 'Transaction reference not found.', 'transaction_not_found');
  }
  const transaction = account.transactions.find((found) => String(found.id) === id);
  return transaction ? ok(fetchedPayload(transaction)) : refuse(404, 'Transaction not found');
}
