import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { alter, type Json } from '../../../testing/alter-json.ts';
import { connectStripe, createSetClock, START } from '../../../testing/fake-providers.ts';
import { startFakeStripe, type FakeStripe } from '../../../testing/fake-stripe.ts';
import { PaymentsError, WebhookSubject, type Charge, type Payments } from '../payments.ts';

const clock = createSetClock();
let fake: FakeStripe;
let payments: Payments;
beforeEach(async () => {
  clock.set(START);
  fake = await startFakeStripe(clock);
  payments = connectStripe(fake, clock);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await fake.close();
});

const passTo = (time: number) => {
  clock.set(time);
  fake.passTo(time);
};

/** A member with a scheduled change, a missed payment, a new card, a refund and a dispute. */
async function createHistory(): Promise<{ id: string; customerId: string }> {
  await payments.startCheckout({
    reference: 'ref-1',
    userId: 'user-1',
    email: 'thandi@example.com',
    customerId: null,
    plan: 'monthly',
    amount: 7900,
    renewalAmount: 7900,
    currency: 'ZAR',
    firstChargeAt: START,
    successUrl: 'https://site.example/subscription-success',
    cancelUrl: 'https://site.example/pricing',
  });
  fake.pay('ref-1');
  const { providerSubscriptionId, customerId, charge } = await payments.getCheckout('ref-1');
  const id = providerSubscriptionId ?? '';
  const change = { providerSubscriptionId: id, plan: 'annual' as const, amount: 79_000 };
  await payments.changePlan({ ...change, startsAt: payments.calendar.addMonths(START, 1) });
  fake.emptyAccount(id);
  passTo(payments.calendar.addMonths(START, 1) + DAY);
  fake.updateCard(id, 'second');
  const chargeId = charge?.id ?? '';
  await payments.refund({ chargeId, amount: 100, key: 'part' });
  fake.dispute(chargeId);
  fake.payouts.push({ id: 'po_1', amount: 7471, fees: [429], at: START });
  return { id, customerId: customerId ?? '' };
}

it('reads an altered event as a hint or as nothing', async () => {
  await createHistory();
  const bodies = fake.drainWebhooks().map(({ rawBody }) => JSON.parse(rawBody.toString()) as Json);
  const events = bodies as { type: string; data: { object: Json } }[];
  const byKind = new Map(events.map((event) => [event.type, event]));
  expect(byKind.size).toBeGreaterThan(8);
  for (const { type, data } of byKind.values())
    for (const object of alter(data.object)) {
      const event = { id: 'evt_1', object: 'event', type, data: { object } };
      const { headers, rawBody } = fake.sign(JSON.stringify(event));
      const parsed = await payments.parseWebhook(headers, rawBody);
      expect([type, undefined]).toContain(parsed?.kind);
      for (const subject of parsed?.subjects ?? [])
        expect(WebhookSubject.safeParse(subject).error).toBeUndefined();
    }
});

const toPath = (input: unknown) => String(input).slice(fake.origin.length);

/** Answers from memory, so that thousands of altered answers are quick. */
async function record(act: () => Promise<unknown>): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const response = await fetch(input, init);
    answers.set(toPath(input), await response.clone().text());
    return response;
  });
  await act();
  vi.unstubAllGlobals();
  return answers;
}

const isSane = ({ amount, refunded, at, status }: Charge): boolean =>
  [amount, refunded, at].every(Number.isFinite) && ['paid', 'pending', 'failed'].includes(status);

it('reads an altered answer as what it says or fails as expected, and never in another way', async () => {
  const { id, customerId } = await createHistory();
  await payments.getProviderSubscription(id);
  const acts: (() => Promise<readonly Charge[]>)[] = [
    async () => (await payments.getProviderSubscription(id)).charges,
    async () => {
      await payments.listProviderSubscriptions(customerId);
      return [];
    },
    async () => {
      const { charge } = await payments.getCheckout('ref-1');
      return charge ? [charge] : [];
    },
    async () => {
      await payments.listPayouts({ from: 0, to: clock.now() });
      return [];
    },
  ];
  const answers = new Map<string, string>();
  /** The first act that uses an answer is repeated with altered ones. */
  const tries: { act: (typeof acts)[number]; path: string; text: string }[] = [];
  for (const act of acts)
    for (const [path, text] of await record(act)) {
      if (!answers.has(path)) tries.push({ act, path, text });
      answers.set(path, text);
    }
  expect(tries.length).toBeGreaterThan(5);
  let count = 0;
  for (const { act, path, text } of tries)
    for (const altered of alter(JSON.parse(text) as Json)) {
      const writes: string[] = [];
      vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
        if (init.method !== 'GET') writes.push(toPath(input));
        const body = toPath(input) === path ? JSON.stringify(altered) : answers.get(toPath(input));
        const missing = { error: { type: 'invalid_request_error', code: 'resource_missing' } };
        return new Response(body ?? JSON.stringify(missing), {
          status: body === undefined ? 404 : 200,
          headers: { 'content-type': 'application/json' },
        });
      });
      const outcome = await act().catch((error: unknown) => error);
      count += 1;
      if (Array.isArray(outcome)) expect(outcome.every(isSane)).toBe(true);
      else expect([path, altered, outcome]).toEqual([path, altered, expect.any(PaymentsError)]);
      // A look never charges a card because an answer lacks something.
      expect(writes.filter((written) => written.endsWith('/pay'))).toEqual([]);
    }
  expect(count).toBeGreaterThan(300);
});
