import { expect, it } from 'vitest';
import { PaymentsError, type PaymentsErrorKind } from '../../ports/payments/payments.ts';
import type { Fault } from '../fake-http.ts';
import {
  ask,
  askCharge,
  catchError,
  REFERENCE,
  RENEWAL,
  saveCard,
  showAll,
  subject,
} from './subject.ts';
import { chargeAndKeep } from './saved-card-contract.ts';

const FAULTS: [Fault, PaymentsErrorKind][] = [
  ['down', 'temporary'],
  ['slow', 'temporary'],
  ['endless', 'temporary'],
  ['error', 'temporary'],
  ['nonsense', 'temporary'],
  ['surprise', 'temporary'],
  ['refused', 'refused'],
  ['unauthorized', 'unauthorized'],
  ['forbidden', 'unauthorized'],
];

export function describeFaults() {
  it.each(FAULTS)(
    'tells a provider that is %s from one that refuses, and never names the card',
    async (fault, kind) => {
      const savedCard = await saveCard();
      const { chargeId } = await subject.payments.readPayment(REFERENCE, null);
      subject.setFault?.(fault);
      const { payments } = subject;
      const calls = [
        payments.startPayment(ask({ reference: 'wk-another' })),
        payments.readPayment(REFERENCE, null),
        payments.charge(askCharge(savedCard)),
        payments.refund({ chargeId: chargeId ?? '', amount: 100, key: 'k' }),
        payments.listChanges(0),
        payments.listPayouts({ from: 0, to: subject.now() }),
        payments.forgetCard(savedCard),
      ];
      for (const error of await Promise.all(calls.map(catchError))) {
        expect(error).toBeInstanceOf(PaymentsError);
        expect(error).toMatchObject({ kind });
        expect(showAll(error)).not.toContain(savedCard.token);
      }
      subject.setFault?.(null);
      expect(await payments.readPayment(REFERENCE, null)).toMatchObject({
        status: 'paid',
        refunded: 0,
      });
      expect((await payments.readPayment(RENEWAL, null)).status).toBe('not-found');
    },
  );

  it('finds a charge whose answer was lost, and does not charge again', async () => {
    const savedCard = await saveCard();
    const stored: string[] = [];
    const request = askCharge(savedCard, { storeProviderId: async (id) => void stored.push(id) });
    subject.setChargeFault?.('lost');
    const error = await catchError(subject.payments.charge(request));
    expect(error).toMatchObject({ name: 'PaymentsError', kind: 'temporary' });
    expect(showAll(error)).not.toContain(savedCard.token);
    subject.setChargeFault?.(null);
    const providerId = stored[0] ?? null;
    const state = await subject.payments.readPayment(RENEWAL, providerId);
    expect(state).toMatchObject({ status: 'paid', amount: 9900 });
    expect(await subject.payments.charge({ ...request, providerId })).toEqual(state);
  });

  it('sends the same reference again if the provider never got it', async () => {
    const savedCard = await saveCard();
    const stored: string[] = [];
    const request = askCharge(savedCard, { storeProviderId: async (id) => void stored.push(id) });
    subject.setChargeFault?.('down');
    const error = await catchError(subject.payments.charge(request));
    expect(error).toMatchObject({ name: 'PaymentsError', kind: 'temporary' });
    subject.setChargeFault?.(null);
    const providerId = stored[0] ?? null;
    expect((await subject.payments.readPayment(RENEWAL, providerId)).status).toBe('not-found');
    const { state } = await chargeAndKeep(savedCard, { providerId });
    expect(state).toMatchObject({ reference: RENEWAL, status: 'paid', amount: 9900 });
  });

  it('knows what the bank wants although the answer was lost', async () => {
    const savedCard = await saveCard();
    await subject.setBankAnswer(savedCard.token, 'asks-the-member');
    const stored: string[] = [];
    const request = askCharge(savedCard, { storeProviderId: async (id) => void stored.push(id) });
    subject.setChargeFault?.('lost');
    await catchError(subject.payments.charge(request));
    subject.setChargeFault?.(null);
    const state = await subject.payments.readPayment(RENEWAL, stored[0] ?? null);
    expect(state).toMatchObject({ status: 'needs-member', chargeId: null });
  });

  it('starts no second payment when the answer to the first was lost', async () => {
    subject.setFault?.('lost');
    await catchError(subject.payments.startPayment(ask()));
    subject.setFault?.(null);
    expect((await subject.payments.readPayment(REFERENCE, null)).status).toBe('open');
    // The page again, where the provider can return it; otherwise it belongs to nobody.
    const again = await subject.payments.startPayment(ask()).catch((error: unknown) => error);
    if (again instanceof Error) expect(again).toMatchObject({ kind: 'refused' });
    else expect(again).toMatchObject({ url: expect.any(String), providerId: expect.any(String) });
  });

  it('refunds once although the answer was lost', async () => {
    await saveCard();
    const { chargeId } = await subject.payments.readPayment(REFERENCE, null);
    const refund = { chargeId: chargeId ?? '', amount: 1000, key: 'k' };
    subject.setChargeFault?.('lost');
    await catchError(subject.payments.refund(refund));
    subject.setChargeFault?.(null);
    await subject.payments.refund(refund);
    expect(await subject.payments.readPayment(REFERENCE, null)).toMatchObject({ refunded: 1000 });
  });
}
