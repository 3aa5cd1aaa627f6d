import { expect, it } from 'vitest';
import type { ChargeRequest, PaymentState } from '../../ports/payments/payments.ts';
import {
  askCharge,
  buy,
  catchError,
  REFERENCE,
  RENEWAL,
  saveCard,
  showAll,
  subject,
} from './subject.ts';

/** Charges as the site does, which keeps the provider's id. */
export async function chargeAndKeep(
  savedCard: ChargeRequest['savedCard'],
  change: Partial<ChargeRequest> = {},
): Promise<{ state: PaymentState; stored: string[] }> {
  const stored: string[] = [];
  const storeProviderId = async (id: string) => void stored.push(id);
  const state = await subject.payments.charge(askCharge(savedCard, { storeProviderId, ...change }));
  return { state, stored };
}

export function describeSavedCards() {
  it('tells how to charge it again, and never without being asked', async () => {
    const asked = await buy({ savesCard: true });
    expect(asked.savedCard).toMatchObject({
      card: asked.card,
      token: expect.stringMatching(/./),
      email: 'thandi@example.com',
    });
    const notAsked = await buy({ reference: 'wk-not-asked' });
    expect(notAsked).toMatchObject({ status: 'paid', savedCard: null });
    expect(showAll(notAsked)).not.toContain(asked.savedCard?.token);
  });

  it('has the same fingerprint for everyone who uses it', async () => {
    const one = await saveCard();
    const other = await saveCard({ reference: 'wk-other', email: 'sipho@example.com' });
    expect(other.fingerprint).toBe(one.fingerprint);
    expect(other.token).not.toBe(one.token);
  });

  it('is charged without the member, by the reference that was written first', async () => {
    const savedCard = await saveCard();
    const first = await subject.payments.readPayment(REFERENCE, null);
    const { state, stored } = await chargeAndKeep(savedCard);
    expect(state).toMatchObject({
      reference: RENEWAL,
      status: 'paid',
      amount: 9900,
      refunded: 0,
      currency: 'ZAR',
      card: first.card,
      savedCard: null,
      failure: null,
    });
    expect(state.chargeId).not.toBe(first.chargeId);
    expect(await subject.payments.readPayment(RENEWAL, stored[0] ?? null)).toEqual(state);
    expect(await subject.payments.readPayment(RENEWAL, null)).toEqual(state);
  });

  it('is charged once for a reference, however often and however parallel it is asked', async () => {
    const savedCard = await saveCard();
    const { state, stored } = await chargeAndKeep(savedCard);
    const again = askCharge(savedCard, { providerId: stored[0] ?? null });
    expect(await subject.payments.charge(again)).toEqual(state);
    expect(await subject.payments.charge(askCharge(savedCard))).toEqual(state);
    const parallel = askCharge(savedCard, { reference: 'wk-r-sub1-3-1' });
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => subject.payments.charge(parallel)),
    );
    const ids = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.chargeId] : [],
    );
    const read = await subject.payments.readPayment(parallel.reference, null);
    expect(new Set([...ids, read.chargeId])).toEqual(new Set([read.chargeId]));
    expect(read.status).toBe('paid');
  });

  it.each([
    ['declines', false],
    ['is-lost', true],
  ] as const)('says why the bank did not pay when the card %s', async (answer, isHard) => {
    const savedCard = await saveCard();
    await subject.setBankAnswer(savedCard.token, answer);
    const { state, stored } = await chargeAndKeep(savedCard);
    expect(state).toMatchObject({ status: 'failed', savedCard: null });
    expect(state.failure).toEqual({ message: expect.stringMatching(/^[A-Z].*\.$/), isHard });
    expect(await subject.payments.readPayment(RENEWAL, stored[0] ?? null)).toEqual(state);
    // Asking again for the same reference never charges.
    await subject.setBankAnswer(savedCard.token, 'pays');
    const again = askCharge(savedCard, { providerId: stored[0] ?? null });
    expect(await subject.payments.charge(again)).toEqual(state);
    const next = await chargeAndKeep(savedCard, { reference: 'wk-r-sub1-2-2' });
    expect(next.state.status).toBe('paid');
  });

  it('takes nothing when the bank asks for the member', async () => {
    const savedCard = await saveCard();
    await subject.setBankAnswer(savedCard.token, 'asks-the-member');
    const { state, stored } = await chargeAndKeep(savedCard);
    expect(state).toMatchObject({ status: 'needs-member', chargeId: null, savedCard: null });
    const read = await subject.payments.readPayment(RENEWAL, stored[0] ?? null);
    expect(read).toMatchObject({ status: 'needs-member', chargeId: null });
    // The member pays what is owed on a page.
    const paid = await buy({ reference: 'wk-confirmed', amount: 9900, savesCard: true });
    expect(paid).toMatchObject({ status: 'paid', amount: 9900 });
  });

  it('is not charged again once it is forgotten', async () => {
    const savedCard = await saveCard();
    for (const _ of [1, 2]) await subject.payments.forgetCard(savedCard);
    const { state } = await chargeAndKeep(savedCard);
    expect(state).toMatchObject({ status: 'failed', chargeId: null, failure: { isHard: true } });
    expect(showAll(state)).not.toContain(savedCard.token);
    expect(await subject.payments.readPayment(REFERENCE, null)).toMatchObject({ status: 'paid' });
  });

  it('is forgotten without a complaint if the provider never had it', async () => {
    const { email, customerId, token } = await saveCard();
    const changed = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    const forgotten = subject.payments.forgetCard({ email, customerId, token: changed });
    await expect(forgotten).resolves.toBeUndefined();
  });

  it('is never named in a refusal', async () => {
    const savedCard = await saveCard();
    const error = await catchError(subject.payments.charge(askCharge(savedCard, { amount: 1 })));
    expect(error).toMatchObject({ name: 'PaymentsError', kind: 'refused' });
    expect(showAll(error)).not.toContain(savedCard.token);
  });
}
