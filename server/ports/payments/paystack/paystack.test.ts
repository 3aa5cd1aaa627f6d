import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import {
  PAYSTACK_KEY,
  startFakePaystack,
  type FakePaystack,
} from '../../../testing/fake-paystack.ts';
import {
  connectPaystack,
  createPaystackSubject,
  createSetClock,
  START,
} from '../../../testing/fake-providers.ts';
import { describePaymentFaults, describePayments } from '../../../testing/payments-contract.ts';
import {
  ask,
  askCharge,
  catchError,
  REFERENCE,
  RENEWAL,
  showAll,
} from '../../../testing/payments-contract/subject.ts';
import type { Payments, SavedCard } from '../payments.ts';
import { InitializedTransaction } from './answers.ts';

describePayments('Paystack', createPaystackSubject);
describePaymentFaults('Paystack', createPaystackSubject);

describe('Paystack alone', () => {
  const clock = createSetClock();
  let fake: FakePaystack;
  let payments: Payments;
  beforeEach(async () => {
    clock.set(START);
    fake = await startFakePaystack(clock);
    payments = connectPaystack(fake, clock);
  });
  afterEach(() => fake.close());

  const read = (reference = REFERENCE) => payments.readPayment(reference, null);

  async function buy(card?: string) {
    await payments.startPayment(ask({ savesCard: true }));
    fake.pay(REFERENCE, card);
    return read();
  }

  async function saveCard(): Promise<SavedCard> {
    const { savedCard } = await buy();
    if (!savedCard) throw new Error('The card was not saved.');
    return savedCard;
  }

  it('returns the page that another process opened only if its URL was stored', async () => {
    const first = await payments.startPayment(ask());
    const other = connectPaystack(fake, clock);
    const { providerId } = first;
    expect(await other.startPayment(ask({ providerId }))).toEqual(first);
    await expect(other.startPayment(ask())).rejects.toMatchObject({
      kind: 'refused',
      code: 'duplicate_reference',
    });
  });

  it('opens one page for two simultaneous requests, and tries again after a failure', async () => {
    fake.setFault('error');
    await expect(payments.startPayment(ask())).rejects.toMatchObject({ kind: 'temporary' });
    fake.setFault(null);
    const [one, two] = await Promise.all([1, 2].map(() => payments.startPayment(ask())));
    expect(two).toEqual(one);
    expect(fake.transactions).toHaveLength(1);
  });

  it('offers a card alone to be kept, and otherwise all that the account has', async () => {
    await payments.startPayment(ask({ savesCard: true }));
    await payments.startPayment(ask({ reference: 'wk-once' }));
    expect(fake.transactions.map(({ channels }) => channels)).toEqual([['card'], undefined]);
    fake.payByBank('wk-once', 'capitec_pay');
    fake.decideBankPayment('wk-once', true);
    expect(await read('wk-once')).toMatchObject({
      status: 'paid',
      channel: 'capitec_pay',
      card: null,
      savedCard: null,
    });
  });

  it('says on the dashboard what was paid for, and where the page leads back to', async () => {
    await payments.startPayment(ask());
    expect(fake.transactions[0]).toMatchObject({
      callbackUrl: ask().successUrl,
      metadata: {
        cancel_action: ask().cancelUrl,
        custom_fields: [{ value: 'Premium for a month' }],
      },
    });
  });

  it('does not keep a card that pays only once', async () => {
    const state = await buy('single-use-1');
    expect(state).toMatchObject({ status: 'paid', card: { brand: 'visa' }, savedCard: null });
  });

  it('never takes a payment for missing while Paystack does not show it yet', async () => {
    const savedCard = await saveCard();
    fake.unseen.add(RENEWAL);
    for (const _ of ['accepted', 'duplicate'])
      await expect(payments.charge(askCharge(savedCard))).rejects.toMatchObject({
        kind: 'temporary',
      });
    expect(fake.transactions.filter(({ reference }) => reference === RENEWAL)).toHaveLength(1);
    fake.unseen.clear();
    expect(await payments.charge(askCharge(savedCard))).toMatchObject({ status: 'paid' });
  });

  it.each(['ongoing', 'abandoned', 'pending', 'failed', 'something-new'])(
    'knows that a charge waits for the member, also if it reads as %s',
    async (status) => {
      const savedCard = await saveCard();
      fake.setBankAnswer(savedCard.token, 'asks-the-member');
      fake.paused.status = status;
      expect(await payments.charge(askCharge(savedCard))).toMatchObject({
        status: 'needs-member',
        chargeId: null,
      });
    },
  );

  it('charges a card only with the address that it belongs to', async () => {
    const savedCard = await saveCard();
    const charged = payments.charge(askCharge({ ...savedCard, email: 'sipho@example.com' }));
    expect(await charged).toMatchObject({ status: 'failed', failure: { isHard: true } });
  });

  it('does not mistake an unknown address of the API for a forgotten card', async () => {
    const savedCard = await saveCard();
    fake.setFault('missing', 'POST /customer/authorization/deactivate');
    await expect(payments.forgetCard(savedCard)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('counts a refund again once the operator has said where the money can go', async () => {
    await buy();
    await payments.refund({ chargeId: REFERENCE, amount: 7900, key: 'k' });
    expect(await read()).toMatchObject({ refunded: 7900 });
    fake.setRefund(REFERENCE, 'needs-attention');
    expect(await read()).toMatchObject({ status: 'paid', refunded: 0 });
    fake.setRefund(REFERENCE, 'processed');
    expect(fake.transactions[0]?.status).toBe('reversed');
    expect(await read()).toMatchObject({ status: 'paid', refunded: 7900 });
  });

  it("finds refunds between many others', however short the pages are", async () => {
    await buy();
    await payments.refund({ chargeId: REFERENCE, amount: 7900, key: 'back' });
    for (let i = 0; i < 20; i += 1) fake.sellOther();
    for (const most of [100, 7]) {
      fake.shortenPages(most);
      expect(await read()).toMatchObject({ refunded: 7900, dispute: null });
      expect(await payments.listChanges(START)).toEqual([REFERENCE]);
    }
  });

  it('finds changes by the reference that a listed refund names', async () => {
    await buy();
    clock.set(START + 10 * DAY);
    fake.nameReferences();
    fake.refund(REFERENCE, 100);
    expect(await read()).toMatchObject({ refunded: 100 });
    expect(await payments.listChanges(START + 9 * DAY)).toEqual([REFERENCE]);
  });

  it('finds a page that was opened days before it was paid', async () => {
    await payments.startPayment(ask());
    clock.set(START + 3 * DAY);
    fake.pay(REFERENCE);
    expect(await payments.listChanges(START + 2 * DAY)).toEqual([REFERENCE]);
  });

  it('lists what was paid out in a range of days', async () => {
    const settle = (days: number, amount: number, status = 'success') =>
      fake.settle({ settledAt: START + days * DAY, amount, fees: 429, status });
    settle(0, 7471);
    settle(3, 14_942);
    settle(4, 500, 'pending');
    settle(9, 1);
    expect(await payments.listPayouts({ from: START, to: START + 9 * DAY })).toMatchObject([
      { at: START, amount: 7471, fees: 429, currency: 'ZAR' },
      { at: START + 3 * DAY, amount: 14_942, fees: 429, currency: 'ZAR' },
    ]);
  });

  it.each(['javascript:alert(1)', 'http://checkout.paystack.com/x', 'file:///etc/passwd'])(
    'never redirects to %s',
    (authorization_url) => {
      const answer = { authorization_url, access_code: 'x', reference: REFERENCE };
      expect(InitializedTransaction.safeParse(answer).success).toBe(false);
    },
  );

  it('keeps its key out of error messages', async () => {
    fake.setFault('refused');
    expect(showAll(await catchError(read()))).not.toContain(PAYSTACK_KEY);
  });

  it('reads a signed event in an unknown format as nothing', async () => {
    for (const event of ['charge.success', 'charge.dispute.create', 'refund.failed'])
      for (const data of [{}, null, 'x', { transaction: 'x' }, { reference: 7 }]) {
        const { headers, rawBody } = fake.sign(JSON.stringify({ event, data }));
        expect(await payments.parseWebhook(headers, rawBody)).toBeNull();
      }
    for (const body of ['', '[]', '{"event":7}', 'x']) {
      const { headers, rawBody } = fake.sign(body);
      expect(await payments.parseWebhook(headers, rawBody)).toBeNull();
    }
  });
});
