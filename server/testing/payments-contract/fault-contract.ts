import { expect, it } from 'vitest';
import { PaymentsError, type PaymentsErrorKind } from '../../ports/payments/payments.ts';
import type { Fault } from '../fake-http.ts';
import { ask, catchError, read, readCharges, subject, subscribe } from './subject.ts';

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
    'distinguishes a provider that is %s from one that refuses',
    async (fault, kind) => {
      const { providerSubscriptionId, customerId, checkout } = await subscribe();
      subject.setFault?.(fault);
      const { payments } = subject;
      const chargeId = checkout.charge?.id ?? '';
      const change = {
        providerSubscriptionId,
        plan: 'annual' as const,
        amount: 79_000,
        startsAt: subject.now(),
      };
      const calls = [
        payments.startCheckout(ask({ reference: 'ref-another' })),
        payments.getProviderSubscription(providerSubscriptionId),
        payments.listProviderSubscriptions(customerId),
        payments.cancelAtPeriodEnd(providerSubscriptionId),
        payments.resume(change),
        payments.endNow(providerSubscriptionId),
        payments.changePlan(change),
        payments.cardUpdateUrl(providerSubscriptionId, 'https://site.example/back'),
        payments.payOwed({ ...change, reference: 'owed-1' }),
        payments.refund({ chargeId, amount: 100, key: 'k' }),
        payments.isOurs(chargeId),
        payments.listPayouts({ from: 0, to: subject.now() }),
      ];
      for (const error of await Promise.all(calls.map(catchError))) {
        expect(error).toBeInstanceOf(PaymentsError);
        expect(error).toMatchObject({ kind });
      }
      subject.setFault?.(null);
      expect((await read(providerSubscriptionId)).providerSubscription.status).toBe('active');
      expect(await readCharges(customerId)).toMatchObject([{ refunded: 0 }]);
    },
  );

  it.each([
    ['error', 'temporary'],
    ['unauthorized', 'unauthorized'],
    ['forbidden', 'unauthorized'],
  ] as const)(
    'does not mistake a provider that is %s for one without the checkout',
    async (fault, kind) => {
      await subscribe();
      subject.setFault?.(fault);
      const { getCheckout, finishCheckout } = subject.payments;
      for (const call of [getCheckout('ref-0123456789'), finishCheckout('ref-0123456789')])
        expect(await catchError(call)).toMatchObject({ name: 'PaymentsError', kind });
    },
  );
}
