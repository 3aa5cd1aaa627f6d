import { Stripe } from 'stripe';
import type { PlanIds } from '../payments-settings.ts';
import {
  startFakeServer,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
} from './fake-http.ts';
import type { Delivery } from './payments-contract/subject.ts';
import { disputePayload, type FakePrice, type FakeSubscription } from './stripe-payloads.ts';
import { createBooks, refuse } from './stripe/account.ts';
import { passTo, pay } from './stripe/charging.ts';
import { read } from './stripe/reads.ts';
import { write } from './stripe/writes.ts';

export const STRIPE_KEY = 'sk_test_fake0123456789';
export const STRIPE_WEBHOOK_SECRET = 'whsec_fake0123456789';
export const STRIPE_PRICES: PlanIds = { monthly: ['price_monthly'], annual: ['price_annual'] };

export type FakeStripe = FakeServer & {
  prices: FakePrice[];
  subscriptions: FakeSubscription[];
  coupons: Map<string, number>;
  pay: (reference: string) => void;
  emptyAccount: (subscription: string) => void;
  dispute: (charge: string) => void;
  passTo: (time: number) => void;
  drainWebhooks: () => Delivery[];
  sign: (body: string) => Delivery;
};

/** Stripe as far as we speak with it, with its state in memory and the test's clock. */
export async function startFakeStripe(clock: { now: () => number }): Promise<FakeStripe> {
  const books = createBooks(clock);
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

  /** A key that came before gets the answer that it got, and none with another wish. */
  const answerOnce = (key: string, { path, body }: FakeRequest): FakeAnswer => {
    const before = answered.get(key);
    if (before)
      return before.body === body
        ? before.answer
        : { status: 400, json: { error: { type: 'idempotency_error', message: 'Another wish.' } } };
    const answer = write(books, path, new URLSearchParams(body));
    answered.set(key, { body, answer });
    return answer;
  };

  const answer = (request: FakeRequest): FakeAnswer => {
    const { method, path, query, body, headers } = request;
    if (headers.authorization !== `Bearer ${STRIPE_KEY}`)
      return { status: 401, json: { error: { type: 'invalid_request_error', message: 'Key?' } } };
    if (method === 'GET') return read(books, path, query);
    const key = headers['idempotency-key'];
    return typeof key === 'string'
      ? answerOnce(key, request)
      : write(books, path, new URLSearchParams(body));
  };

  const server = await startFakeServer({
    refusal: refuse(400, 'parameter_invalid', 'This is refused.'),
    answer,
  });
  return {
    ...server,
    prices: books.prices,
    subscriptions: books.subscriptions,
    coupons: books.coupons,
    pay: (reference) => pay(books, reference),
    emptyAccount: (id) => books.emptied.add(id),
    dispute: (id) => {
      const charge = books.charges.find((found) => found.id === id);
      if (!charge) throw new Error(`Stripe has no charge ${id}.`);
      charge.isDisputed = true;
      books.tell('charge.dispute.created', disputePayload(charge));
    },
    passTo: (time) => passTo(books, time),
    // Signed when they are sent: the signature has a time that runs out.
    drainWebhooks: () => books.told.splice(0).map(sign),
    sign,
  };
}
