import { Stripe } from 'stripe';
import { DAY } from '#contract/rules/time.ts';
import {
  startFakeServer,
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
} from './fake-http.ts';
import type { BankAnswer, Delivery } from './payments-contract/subject.ts';
import { createAccount, refuse, type StripeAccount } from './stripe/account.ts';
import type { FakeSubscription } from './stripe-payloads.ts';
import {
  addRefund,
  decideBankPayment,
  dispute,
  failRefund,
  passTo,
  pay,
  payByBank,
  sellOther,
} from './stripe/charging.ts';
import { read } from './stripe/reads.ts';
import {
  cancel,
  chargeSubscription,
  chargeSubscriptions,
  subscribe,
} from './stripe/subscriptions.ts';
import { write } from './stripe/writes.ts';

export const STRIPE_KEY = 'sk_test_fake0123456789';
export const STRIPE_WEBHOOK_SECRET = 'whsec_fake0123456789';

export type FakeStripe = FakeServer &
  Pick<StripeAccount, 'sessions' | 'intents' | 'methods' | 'payouts' | 'invoices'> & {
    subscribe: (email: string, price?: Parameters<typeof subscribe>[2]) => FakeSubscription;
    /** A payment that comes although nothing is due. */
    chargeAnyway: (subscription: FakeSubscription) => void;
    chargeSubscriptions: () => void;
    pay: (reference: string, card?: string) => void;
    payByBank: (reference: string) => void;
    decideBankPayment: (reference: string, isPaid: boolean) => void;
    setBankAnswer: (paymentMethod: string, answer: BankAnswer) => void;
    /** On the dashboard. */
    refund: (charge: string, amount: number) => void;
    failRefund: (charge: string) => void;
    dispute: (charge: string, status?: Parameters<typeof dispute>[2]) => void;
    sellOther: () => void;
    passTo: (time: number) => void;
    drainWebhooks: () => Delivery[];
    sign: (body: string) => Delivery;
  };

/** A key gets the same response for a day, also a failure, and an error for a different request. */
function createAnswerOnce(
  clock: { now: () => number },
  answer: (request: FakeRequest) => FakeAnswer,
) {
  const answered = new Map<string, { body: string; answer: FakeAnswer; at: number }>();
  return (key: string, request: FakeRequest): FakeAnswer => {
    const before = answered.get(key);
    if (before && before.at > clock.now() - DAY)
      return before.body === request.body
        ? before.answer
        : {
            status: 400,
            json: { error: { type: 'idempotency_error', message: 'Different request.' } },
          };
    const fresh = structuredClone(answer(request));
    answered.set(key, { body: request.body, answer: fresh, at: clock.now() });
    return fresh;
  };
}

/** The part of Stripe that we use, with its state in memory and the test's clock. */
export async function startFakeStripe(clock: { now: () => number }): Promise<FakeStripe> {
  const account = createAccount(clock);
  const signer = new Stripe(STRIPE_KEY, { telemetry: false });

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

  const answerWrite = ({ path, body }: FakeRequest) =>
    write(account, path, new URLSearchParams(body));
  const answerOnce = createAnswerOnce(clock, answerWrite);
  const answer = (request: FakeRequest): FakeAnswer => {
    const { method, path, query, headers } = request;
    if (headers.authorization !== `Bearer ${STRIPE_KEY}`)
      return { status: 401, json: { error: { type: 'invalid_request_error', message: 'Key?' } } };
    if (method === 'GET') return read(account, path, query);
    if (method === 'DELETE') return cancel(account, path);
    const key = headers['idempotency-key'];
    return typeof key === 'string' ? answerOnce(key, request) : answerWrite(request);
  };

  const server = await startFakeServer({
    clock,
    refusal: refuse(400, 'parameter_invalid', 'This is refused.'),
    answer,
  });
  const { sessions, intents, methods, payouts, invoices, bankAnswers } = account;
  return {
    ...server,
    sessions,
    intents,
    methods,
    payouts,
    invoices,
    subscribe: (email, price) => subscribe(account, email, price),
    chargeAnyway: (subscription) => chargeSubscription(account, subscription),
    chargeSubscriptions: () => chargeSubscriptions(account),
    pay: (reference, card) => pay(account, reference, card),
    payByBank: (reference) => payByBank(account, reference),
    decideBankPayment: (reference, isPaid) => decideBankPayment(account, reference, isPaid),
    setBankAnswer: (method, wanted) => void bankAnswers.set(method, wanted),
    refund: (charge, amount) => void addRefund(account, account.getCharge(charge), { amount }),
    failRefund: (charge) => failRefund(account, charge),
    dispute: (charge, status) => dispute(account, charge, status),
    sellOther: () => sellOther(account),
    passTo: (time) => passTo(account, time),
    // Signed when they are sent, because a signature expires.
    drainWebhooks: () => account.undelivered.splice(0).map(sign),
    sign,
  };
}
