import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { alter, type Json } from '../../../testing/alter-json.ts';
import { expectSaneLooks } from '../../../testing/altered-answers.ts';
import { startFakePaystack, type FakePaystack } from '../../../testing/fake-paystack.ts';
import { connectPaystack, createSetClock, START } from '../../../testing/fake-providers.ts';
import { ask, askCharge, REFERENCE, RENEWAL } from '../../../testing/payments-contract/subject.ts';
import { isOurReference, type Payments } from '../payments.ts';

const clock = createSetClock();
let fake: FakePaystack;
let payments: Payments;
beforeEach(async () => {
  clock.set(START);
  fake = await startFakePaystack(clock);
  payments = connectPaystack(fake, clock);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await fake.close();
});

/** A member who kept a card that was charged, refunded and disputed, and another product. */
async function createHistory() {
  await payments.startPayment(ask({ savesCard: true }));
  fake.pay(REFERENCE);
  const { savedCard } = await payments.readPayment(REFERENCE, null);
  await payments.charge(askCharge(savedCard!));
  fake.refund(REFERENCE, 100);
  fake.dispute(RENEWAL);
  fake.sellOther();
  fake.settle({ settledAt: START, amount: 7471, fees: 429, status: 'success' });
}

it('reads an altered event as a hint or as nothing', async () => {
  await createHistory();
  fake.setRefund(REFERENCE, 'failed');
  const bodies = fake.drainWebhooks().map(({ rawBody }) => JSON.parse(rawBody.toString()) as Json);
  const events = bodies as { event: string; data: Json }[];
  const byKind = new Map(events.map((event) => [event.event, event]));
  expect(byKind.size).toBe(4);
  for (const { event, data } of byKind.values())
    for (const altered of alter(data)) {
      const { headers, rawBody } = fake.sign(JSON.stringify({ event, data: altered }));
      const parsed = await payments.parseWebhook(headers, rawBody);
      expect(parsed === null || isOurReference(parsed)).toBe(true);
    }
});

it('reads an altered answer as what it says or fails as expected, and never in another way', async () => {
  await createHistory();
  const looks = [
    async () => [await payments.readPayment(REFERENCE, null)],
    async () => [await payments.readPayment(RENEWAL, null)],
    () => payments.listChanges(START),
    () => payments.listPayouts({ from: 0, to: START + 1 }),
  ];
  const missing = { status: false, message: 'Not found' };
  expect(await expectSaneLooks(looks, missing)).toBeGreaterThan(300);
});
