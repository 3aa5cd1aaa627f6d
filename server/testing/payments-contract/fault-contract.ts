import { expect, it } from 'vitest';
import { PaymentsError } from '../../ports/payments/payments.ts';
import type { Fault } from '../fake-http.ts';
import { ask, catchError, read, readCharges, subject, subscribe } from './subject.ts';

const FAULTS: [Fault, boolean][] = [
  ['down', false],
  ['slow', false],
  ['endless', false],
  ['error', false],
  ['nonsense', false],
  ['surprise', false],
  ['refused', true],
];

export function describeFaults() {
  it.each(FAULTS)(
    'distinguishes a provider that is %s from one that refuses',
    async (fault, isLasting) => {
      const { providerSubscriptionId, customerId, checkout } = await subscribe();
      subject.setFault?.(fault);
      const { payments } = subject;
      const chargeId = checkout.charge?.id ?? '';
      const calls = [
        payments.startCheckout(ask({ reference: 'ref-another' })),
        payments.getProviderSubscription(providerSubscriptionId),
        payments.listProviderSubscriptions(customerId),
        payments.cancelAtPeriodEnd(providerSubscriptionId),
        payments.resume(providerSubscriptionId),
        payments.changePlan({
          providerSubscriptionId,
          plan: 'annual',
          amount: 79_000,
          startsAt: subject.now(),
        }),
        payments.cardUpdateUrl(providerSubscriptionId, 'https://site.example/back'),
        payments.refund({ chargeId, amount: 100, key: 'k' }),
      ];
      for (const error of await Promise.all(calls.map(catchError))) {
        expect(error).toBeInstanceOf(PaymentsError);
        expect(error).toMatchObject({ isLasting });
      }
      subject.setFault?.(null);
      expect((await read(providerSubscriptionId)).providerSubscription.status).toBe('active');
      expect(await readCharges(customerId)).toMatchObject([{ refunded: 0 }]);
    },
  );

  it('does not mistake a failing provider for one without the checkout', async () => {
    await subscribe();
    subject.setFault?.('error');
    const error = await catchError(subject.payments.getCheckout('ref-0123456789'));
    expect(error).toMatchObject({ name: 'PaymentsError', isLasting: false });
  });
}
