import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { alter, type Json } from '../../../testing/alter-json.ts';
import { expectSaneLooks } from '../../../testing/altered-answers.ts';
import { connectStripe, createSetClock, START } from '../../../testing/fake-providers.ts';
import { startFakeStripe, type FakeStripe } from '../../../testing/fake-stripe.ts';
import { ask, askCharge, REFERENCE, RENEWAL } from '../../../testing/payments-contract/subject.ts';
import { isOurReference, type Payments } from '../payments.ts';

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

/** A member who kept a card that was charged, refunded and disputed, and another shop. */
async function createHistory() {
  await payments.startPayment(ask({ savesCard: true }));
  fake.pay(REFERENCE);
  await payments.startPayment(ask({ reference: 'wk-check', amount: 0, savesCard: true }));
  fake.pay('wk-check');
  const { savedCard, chargeId } = await payments.readPayment(REFERENCE, null);
  await payments.charge(askCharge(savedCard!));
  await payments.refund({ chargeId: chargeId ?? '', amount: 100, key: 'part' });
  fake.failRefund(chargeId ?? '');
  fake.dispute(chargeId ?? '');
  fake.sellOther();
  fake.payouts.push({ id: 'po_1', amount: 7471, fees: [429], at: START });
}

it('reads an altered event as a hint or as nothing', async () => {
  await createHistory();
  const bodies = fake.drainWebhooks().map(({ rawBody }) => JSON.parse(rawBody.toString()) as Json);
  const events = bodies as { type: string; data: { object: Json } }[];
  const byKind = new Map(events.map((event) => [event.type, event]));
  expect(byKind.size).toBe(5);
  for (const { type, data } of byKind.values())
    for (const object of alter(data.object)) {
      const event = { id: 'evt_1', object: 'event', type, data: { object } };
      const { headers, rawBody } = fake.sign(JSON.stringify(event));
      const parsed = await payments.parseWebhook(headers, rawBody);
      expect(parsed === null || isOurReference(parsed)).toBe(true);
    }
});

it('reads an altered answer as what it says or fails as expected, and never in another way', async () => {
  await createHistory();
  const looks = [
    async () => [await payments.readPayment(REFERENCE, null)],
    async () => [await payments.readPayment(RENEWAL, null)],
    async () => [await payments.readPayment('wk-check', null)],
    () => payments.listChanges(START),
    () => payments.listPayouts({ from: 0, to: START + 1 }),
  ];
  const missing = { error: { type: 'invalid_request_error', code: 'resource_missing' } };
  expect(await expectSaneLooks(looks, missing)).toBeGreaterThan(300);
});
