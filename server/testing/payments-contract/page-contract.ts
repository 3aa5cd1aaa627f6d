import { expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { notFoundPayment } from '../../ports/payments/payments.ts';
import { about, ask, buy, catchError, REFERENCE, subject } from './subject.ts';

export function describePages() {
  it('starts one payment, however often it is called', async () => {
    const { startPayment, readPayment } = subject.payments;
    const first = await startPayment(ask());
    expect(await startPayment(ask())).toEqual(first);
    const { providerId } = first;
    expect(await startPayment(ask({ providerId }))).toEqual(first);
    expect(URL.canParse(first.url)).toBe(true);
    const state = await readPayment(REFERENCE, providerId);
    expect(state).toMatchObject({ reference: REFERENCE, status: 'open', chargeId: null });
    expect(state.savedCard).toBeNull();
  });

  it('does not know an unused reference', async () => {
    expect(await subject.payments.readPayment('wk-of-nobody', null)).toEqual(
      notFoundPayment('wk-of-nobody'),
    );
  });

  it('refuses less than the smallest amount', async () => {
    const amount = subject.payments.minimumAmount - 1;
    const error = await catchError(subject.payments.startPayment(ask({ amount })));
    expect(error).toMatchObject({ name: 'PaymentsError', kind: 'refused' });
  });

  it("returns a payment by the provider's id and by our reference alone", async () => {
    const state = await buy();
    expect(state).toMatchObject({
      reference: REFERENCE,
      status: 'paid',
      chargeId: expect.stringMatching(/./),
      amount: 7900,
      refunded: 0,
      currency: 'ZAR',
      dispute: null,
      channel: 'card',
      card: { last4: expect.stringMatching(/^\d{4}$/), expiryMonth: expect.any(Number) },
      // It wasn't asked to keep the card.
      savedCard: null,
      failure: null,
    });
    expect(about(state.at)).toBe(about(subject.now()));
    expect(await subject.payments.readPayment(REFERENCE, null)).toEqual(state);
    await subject.passTo(subject.now() + 40 * DAY);
    expect(await subject.payments.readPayment(REFERENCE, null)).toEqual(state);
  });

  it('can be paid after a declined card', async () => {
    const { providerId } = await subject.payments.startPayment(ask());
    await subject.decline(REFERENCE);
    const declined = await subject.payments.readPayment(REFERENCE, providerId);
    expect(declined).toMatchObject({ status: 'open', chargeId: null });
    if (declined.failure) expect(declined.failure.message).toMatch(/^[A-Z].*\.$/);
    await subject.pay(REFERENCE);
    const paid = await subject.payments.readPayment(REFERENCE, providerId);
    expect(paid).toMatchObject({ status: 'paid', failure: null });
  });

  it('fails when nobody has paid for a day', async () => {
    const { providerId } = await subject.payments.startPayment(ask());
    await subject.passTo(subject.now() + DAY + 1000);
    const state = await subject.payments.readPayment(REFERENCE, providerId);
    expect(state).toMatchObject({ status: 'failed', chargeId: null });
    expect(state.failure).toMatchObject({ isHard: false });
  });

  it('saves a card without charging more than the card check', async () => {
    const amount = subject.payments.cardCheckAmount;
    const state = await buy({ amount, savesCard: true });
    expect(state).toMatchObject({
      status: 'paid',
      amount,
      chargeId: amount === 0 ? null : expect.stringMatching(/./),
      card: { last4: expect.stringMatching(/^\d{4}$/) },
      savedCard: { token: expect.stringMatching(/./), email: 'thandi@example.com' },
    });
    expect(await subject.payments.readPayment(REFERENCE, null)).toEqual(state);
  });
}

export function describeBankPayments() {
  const payByBank = async () => {
    const { providerId } = await subject.payments.startPayment(ask());
    await subject.payByBank(REFERENCE);
    return () => subject.payments.readPayment(REFERENCE, providerId);
  };

  it('is pending until the bank has decided, and then paid', async () => {
    const read = await payByBank();
    expect(await read()).toMatchObject({ status: 'pending', failure: null });
    await subject.passTo(subject.now() + 2 * DAY);
    expect(await read()).toMatchObject({ status: 'pending' });
    await subject.decideBankPayment(REFERENCE, true);
    const state = await read();
    expect(state).toMatchObject({
      status: 'paid',
      chargeId: expect.stringMatching(/./),
      amount: 7900,
      savedCard: null,
    });
    expect([null, 'card']).not.toContain(state.channel);
    expect(await subject.payments.readPayment(REFERENCE, null)).toEqual(state);
  });

  it('is not paid if the bank says no', async () => {
    const read = await payByBank();
    await subject.decideBankPayment(REFERENCE, false);
    const state = await read();
    // Some pages stay open for another try.
    expect(['open', 'failed']).toContain(state.status);
    expect(state.failure).toMatchObject({ isHard: false });
    await subject.passTo(subject.now() + DAY + 1000);
    expect((await read()).status).toBe('failed');
  });
}
