import { Stripe } from 'stripe';
import type { PlanIds } from '../payments-settings.ts';
import {
  startFakeServer,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
} from './fake-http.ts';
import type { Delivery } from './payments-contract/subject.ts';
import type {
  FakeCharge,
  FakeInvoice,
  FakePayout,
  FakePrice,
  FakeSubscription,
} from './stripe-payloads.ts';
import { createAccount, refuse } from './stripe/account.ts';
import { collect, dispute, passTo, pay, updateCard } from './stripe/charging.ts';
import { read } from './stripe/reads.ts';
import { write } from './stripe/writes.ts';

export const STRIPE_KEY = 'sk_test_fake0123456789';
export const STRIPE_WEBHOOK_SECRET = 'whsec_fake0123456789';
export const STRIPE_PRICES: PlanIds = { monthly: ['price_monthly'], annual: ['price_annual'] };

type DisputeStatus = NonNullable<FakeCharge['dispute']>['status'];

export type FakeStripe = FakeServer & {
  prices: FakePrice[];
  subscriptions: FakeSubscription[];
  invoices: FakeInvoice[];
  /** Payment methods that are declined. */
  emptied: Set<string>;
  payouts: FakePayout[];
  /** How long the invoice of a renewal stays a draft. */
  drafting: { ms: number };
  coupons: Map<string, number>;
  pay: (reference: string, card?: string) => void;
  /** From now on the bank declines the card that is pinned to the subscription. */
  emptyAccount: (subscription: string) => void;
  fillAccount: (subscription: string) => void;
  /** The customer adds a card on the portal. */
  updateCard: (subscription: string, card: string) => void;
  /** The customer pays an open invoice on Stripe's page for it. */
  payOnPage: (invoice: string) => void;
  dispute: (charge: string, status?: DisputeStatus) => void;
  passTo: (time: number) => void;
  drainWebhooks: () => Delivery[];
  sign: (body: string) => Delivery;
};

/** The part of Stripe that we use, with its state in memory and the test's clock. */
export async function startFakeStripe(clock: { now: () => number }): Promise<FakeStripe> {
  const account = createAccount(clock);
  const signer = new Stripe(STRIPE_KEY, { telemetry: false });
  const answered = new Map<string, { body: string; answer: FakeAnswer }>();

  const sign = (body: string): Delivery => {
    const timestamp = Math.floor(clock.now() / 1000);
    const header = signer.webhooks.generateTestHeaderString({
      payload: body,
      secret: STRIPE_WEBHOOK_SECRET,
      timestamp,
    });
    return {
      headers: { 'content-type': 'application/json', 'stripe-signature': header },
      rawBody: Buffer.from(body),
    };
  };

  /** A known idempotency key gets the same response, and an error for a different request. */
  const answerOnce = (key: string, { method, path, body }: FakeRequest): FakeAnswer => {
    const before = answered.get(key);
    if (before)
      return before.body === body
        ? before.answer
        : {
            status: 400,
            json: { error: { type: 'idempotency_error', message: 'Different request.' } },
          };
    const answer = write(account, { method, path }, new URLSearchParams(body));
    answered.set(key, { body, answer });
    return answer;
  };

  const answer = (request: FakeRequest): FakeAnswer => {
    const { method, path, query, body, headers } = request;
    if (headers.authorization !== `Bearer ${STRIPE_KEY}`)
      return { status: 401, json: { error: { type: 'invalid_request_error', message: 'Key?' } } };
    if (method === 'GET') return read(account, path, query);
    const key = headers['idempotency-key'];
    return typeof key === 'string'
      ? answerOnce(key, request)
      : write(account, { method, path }, new URLSearchParams(body));
  };

  const cardOf = (id: string) => account.findSubscription(id)?.paymentMethod.id ?? '';
  const server = await startFakeServer({
    refusal: refuse(400, 'parameter_invalid', 'This is refused.'),
    answer,
  });
  return {
    ...server,
    prices: account.prices,
    subscriptions: account.subscriptions,
    coupons: account.coupons,
    invoices: account.invoices,
    emptied: account.emptied,
    payouts: account.payouts,
    drafting: account.drafting,
    pay: (reference, card) => pay(account, reference, card),
    emptyAccount: (id) => void account.emptied.add(cardOf(id)),
    fillAccount: (id) => void account.emptied.delete(cardOf(id)),
    updateCard: (id, card) => updateCard(account, id, card),
    payOnPage: (invoice) => {
      const found = account.invoices.find(({ id }) => id === invoice);
      if (found?.status === 'open') collect(account, found, { at: clock.now() });
    },
    dispute: (id, status) => dispute(account, id, status),
    passTo: (time) => passTo(account, time),
    // Signed when they are sent, because a signature expires.
    drainWebhooks: () => account.undelivered.splice(0).map(sign),
    sign,
  };
}
