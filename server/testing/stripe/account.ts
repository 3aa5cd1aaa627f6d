import type { FakeAnswer } from '../fake-http.ts';
import type { BankAnswer } from '../payments-contract/subject.ts';
import type {
  FakeIntent,
  FakeInvoice,
  FakePaymentMethod,
  FakePayout,
  FakeSession,
  FakeSetup,
  FakeSubscription,
} from '../stripe-payloads.ts';

/** What a page asks for beyond what Stripe returns. */
export type FakePage = FakeSession & {
  metadata: Record<string, string>;
  savesCard: boolean;
  createsCustomer: boolean;
};
type FakeEvent = { id: string; type: string; created: number; data: { object: unknown } };

export const ok = (json: unknown): FakeAnswer => ({ status: 200, json });
export const refuse = (
  status: number,
  code: string,
  message: string,
  param?: string,
): FakeAnswer => ({
  status,
  json: { error: { type: 'invalid_request_error', code, message, ...(param && { param }) } },
});
export const missing = refuse(404, 'resource_missing', 'No such object.');

/** All data of the fake Stripe account. */
export function createAccount(clock: { now: () => number }) {
  let lastId = 0;
  const newId = (kind: string) => `${kind}_${(lastId += 1)}`;
  const intents: FakeIntent[] = [];
  const events: FakeEvent[] = [];
  const undelivered: string[] = [];
  const listCharges = () => intents.flatMap(({ charge }) => charge ?? []);
  return {
    clock,
    newId,
    sessions: [] as FakePage[],
    intents,
    setups: [] as FakeSetup[],
    methods: [] as FakePaymentMethod[],
    payouts: [] as FakePayout[],
    /** That Stripe charges itself. */
    subscriptions: [] as FakeSubscription[],
    invoices: [] as FakeInvoice[],
    /** What the bank says to charges of a payment method; the others pay. */
    bankAnswers: new Map<string, BankAnswer>(),
    /** Listed for thirty days. */
    events,
    undelivered,
    queueEvent: (type: string, object: unknown) => {
      const created = Math.floor(clock.now() / 1000);
      // The object as it was then.
      const data = { object: structuredClone(object) };
      const event = { id: newId('evt'), object: 'event', type, created, data };
      events.push(event);
      undelivered.push(JSON.stringify(event));
    },
    listCharges,
    getCharge: (id: string) => {
      const found = listCharges().find((charge) => charge.id === id);
      if (!found) throw new Error(`Stripe has no charge ${id}.`);
      return found;
    },
    getPage: function (reference: string): FakePage {
      const found = this.sessions.find((session) => session.reference === reference);
      if (!found) throw new Error(`Stripe has no page for ${reference}.`);
      return found;
    },
    findIntent: (id: string | null) => intents.find((found) => found.id === id),
  };
}
export type StripeAccount = ReturnType<typeof createAccount>;
