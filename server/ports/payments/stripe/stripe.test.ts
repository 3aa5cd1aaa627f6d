import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import {
  connectStripe,
  createSetClock,
  createStripeSubject,
  START,
} from '../../../testing/fake-providers.ts';
import { startFakeStripe, STRIPE_KEY, type FakeStripe } from '../../../testing/fake-stripe.ts';
import { describePaymentFaults, describePayments } from '../../../testing/payments-contract.ts';
import {
  ask,
  askCharge,
  catchError,
  REFERENCE,
  RENEWAL,
  showAll,
} from '../../../testing/payments-contract/subject.ts';
import { ForgedWebhook, type Payments, type SavedCard } from '../payments.ts';

describePayments('Stripe', createStripeSubject);
describePaymentFaults('Stripe', createStripeSubject);

describe('Stripe alone', () => {
  const clock = createSetClock();
  let fake: FakeStripe;
  let payments: Payments;
  beforeEach(async () => {
    clock.set(START);
    fake = await startFakeStripe(clock);
    payments = connectStripe(fake, clock);
  });
  afterEach(() => fake.close());

  const read = (reference = REFERENCE, providerId: string | null = null) =>
    payments.readPayment(reference, providerId);

  async function saveCard(): Promise<SavedCard> {
    await payments.startPayment(ask({ savesCard: true }));
    fake.pay(REFERENCE);
    const { savedCard } = await read();
    if (!savedCard) throw new Error('The card was not saved.');
    return savedCard;
  }

  const findIntents = (reference = RENEWAL) =>
    fake.intents.filter(({ metadata }) => metadata.reference === reference);

  it('starts the same page from another process, and none from one that is closed', async () => {
    const first = await payments.startPayment(ask());
    expect(await connectStripe(fake, clock).startPayment(ask())).toEqual(first);
    expect(fake.sessions).toHaveLength(1);
    fake.pay(REFERENCE);
    const { providerId } = first;
    await expect(payments.startPayment(ask({ providerId }))).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  it('does not return a payment by its id if the reference differs', async () => {
    const savedCard = await saveCard();
    const stored: string[] = [];
    const storeProviderId = async (id: string) => void stored.push(id);
    await payments.charge(askCharge(savedCard, { storeProviderId }));
    const page = fake.sessions[0]?.id ?? '';
    for (const id of [page, stored[0] ?? ''])
      expect((await read('wk-another', id)).status).toBe('not-found');
    const charged = payments.charge(
      askCharge(savedCard, { reference: 'wk-another', providerId: stored[0] ?? '' }),
    );
    await expect(charged).rejects.toMatchObject({ kind: 'refused' });
  });

  it('moves no money before the id of the payment is stored', async () => {
    const savedCard = await saveCard();
    const storeProviderId = async () => {
      throw new Error('The database is down.');
    };
    const charged = payments.charge(askCharge(savedCard, { storeProviderId }));
    await expect(charged).rejects.toThrow('The database is down.');
    expect(findIntents().map(({ status }) => status)).toEqual(['requires_confirmation']);
    expect((await read(RENEWAL)).status).toBe('not-found');
    // Days later, when Stripe has forgotten the key, it is another one that is charged.
    clock.set(START + 3 * DAY);
    expect((await read(RENEWAL)).status).toBe('not-found');
    expect(await payments.charge(askCharge(savedCard))).toMatchObject({ status: 'paid' });
    expect(findIntents().map(({ status }) => status)).toEqual([
      'requires_confirmation',
      'succeeded',
    ]);
    const state = await read(RENEWAL);
    expect(state.status).toBe('paid');
    clock.set(START + 40 * DAY);
    expect(await read(RENEWAL)).toEqual(state);
  });

  it('finds a payment whose id was lost behind thousands of others of the same day', async () => {
    await payments.charge(askCharge(await saveCard()));
    const [ours] = findIntents();
    const others = Array.from({ length: 2100 }, (_, index) => ({
      ...structuredClone(ours!),
      id: `pi_other_${index}`,
      metadata: { reference: 'another' },
    }));
    fake.intents.push(...others);
    expect((await read(RENEWAL)).status).toBe('paid');
  });

  it('charges a card that replaced the one of an earlier try', async () => {
    const savedCard = await saveCard();
    const storeProviderId = () => Promise.reject(new Error('Stopped.'));
    await catchError(payments.charge(askCharge(savedCard, { storeProviderId })));
    await payments.startPayment(ask({ reference: 'wk-new-card', savesCard: true }));
    fake.pay('wk-new-card', 'second');
    const { savedCard: added } = await read('wk-new-card');
    const state = await payments.charge(askCharge(added!));
    expect(state).toMatchObject({ status: 'paid', card: { last4: '5556' } });
    expect(findIntents().filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  });

  it('charges nothing when the card was removed between creating and confirming', async () => {
    const savedCard = await saveCard();
    const storeProviderId = () => payments.forgetCard(savedCard);
    const state = await payments.charge(askCharge(savedCard, { storeProviderId }));
    expect(state).toMatchObject({ status: 'failed', chargeId: null, failure: { isHard: true } });
  });

  it('keeps a card only with a customer, and offers a card alone on such a page', async () => {
    const { token, customerId } = await saveCard();
    expect(fake.methods.find(({ id }) => id === token)?.customer).toBe(customerId);
    expect(customerId).toMatch(/^cus_/);
    await payments.startPayment(ask({ reference: 'wk-once' }));
    expect(fake.sessions.at(-1)).toMatchObject({ createsCustomer: false, savesCard: false });
  });

  it('checks a card without charging anything', async () => {
    await payments.startPayment(ask({ amount: 0, savesCard: true }));
    fake.pay(REFERENCE);
    expect(fake.intents).toEqual([]);
    const { savedCard } = await read();
    expect(await payments.charge(askCharge(savedCard!))).toMatchObject({ status: 'paid' });
    expect((await payments.listChanges(START)).toSorted()).toEqual([REFERENCE, RENEWAL]);
  });

  it('reads a charge that waits for a confirmation on the page of the bank', async () => {
    const savedCard = await saveCard();
    await payments.charge(askCharge(savedCard));
    Object.assign(findIntents()[0]!, { status: 'requires_action', charge: null });
    expect(await read(RENEWAL)).toMatchObject({ status: 'needs-member', chargeId: null });
  });

  it('takes the advice of the bank not to try again', async () => {
    const savedCard = await saveCard();
    fake.setBankAnswer(savedCard.token, 'declines');
    expect((await payments.charge(askCharge(savedCard))).failure?.isHard).toBe(false);
    Object.assign(findIntents()[0]?.error ?? {}, { advice_code: 'do_not_try_again' });
    expect((await read(RENEWAL)).failure?.isHard).toBe(true);
  });

  it('reports fees, payouts and every state of a dispute for the books', async () => {
    await saveCard();
    const { fee, chargeId } = await read();
    expect(fee).toBe(229 + 200);
    fake.payouts.push(
      { id: 'po_1', amount: 7471, fees: [429], at: START },
      { id: 'po_2', amount: 14_942, fees: [429, 429], at: START + 7 * DAY },
      { id: 'po_3', amount: 1, fees: [], at: START + 14 * DAY },
    );
    expect(await payments.listPayouts({ from: START, to: START + 14 * DAY })).toEqual([
      { id: 'po_1', at: START, amount: 7471, fees: 429, currency: 'ZAR' },
      { id: 'po_2', at: START + 7 * DAY, amount: 14_942, fees: 858, currency: 'ZAR' },
    ]);
    const disputeAfter = async (status: Parameters<FakeStripe['dispute']>[1]) => {
      fake.dispute(chargeId ?? '', status);
      return (await read()).dispute;
    };
    // An inquiry takes nothing yet.
    expect(await disputeAfter('warning_needs_response')).toBeNull();
    expect(await disputeAfter('needs_response')).toEqual({
      state: 'open',
      respondBy: START + 9 * DAY,
    });
    expect(await disputeAfter('under_review')).toEqual({ state: 'open', respondBy: null });
    expect(await disputeAfter('lost')).toEqual({ state: 'lost', respondBy: null });
    expect(await disputeAfter('won')).toBeNull();
  });

  it('adds up the fees of a payout over many pages', async () => {
    const fees = (count: number) => Array.from({ length: count }, () => 429);
    fake.payouts.push(
      { id: 'po_1', amount: 1, fees: fees(250), at: START },
      { id: 'po_2', amount: 1, fees: fees(2100), at: START },
    );
    expect(await payments.listPayouts({ from: START, to: START + DAY })).toMatchObject([
      { id: 'po_2', fees: 2100 * 429 },
      { id: 'po_1', fees: 250 * 429 },
    ]);
  });

  it('refuses a signature that is minutes old', async () => {
    await payments.startPayment(ask());
    fake.pay(REFERENCE);
    const [{ headers, rawBody }] = fake.drainWebhooks() as [ReturnType<FakeStripe['sign']>];
    expect(await payments.parseWebhook(headers, rawBody)).toBe(REFERENCE);
    clock.set(START + 301_000);
    await expect(payments.parseWebhook(headers, rawBody)).rejects.toBeInstanceOf(ForgedWebhook);
  });

  it('fails on an event about a refund while it can’t ask which payment that is', async () => {
    await saveCard();
    const { chargeId } = await read();
    fake.drainWebhooks();
    fake.refund(chargeId ?? '', 100);
    const [delivery] = fake.drainWebhooks();
    fake.setFault('down');
    const parsed = payments.parseWebhook(delivery!.headers, delivery!.rawBody);
    // Stripe sends it again.
    await expect(parsed).rejects.toMatchObject({ kind: 'temporary' });
  });

  it('keeps its key out of error messages', async () => {
    fake.setFault('refused');
    expect(showAll(await catchError(read()))).not.toContain(STRIPE_KEY);
  });

  it('does not search for what is no reference', async () => {
    expect((await read("wk-' OR status:'succeeded")).status).toBe('not-found');
    expect(fake.seen).toEqual([]);
  });
});
