import { describe } from 'vitest';
import {
  describeSubscription,
  describeReversals,
} from './payments-contract/subscription-contract.ts';
import { describeCheckout } from './payments-contract/checkout-contract.ts';
import { describeFaults } from './payments-contract/fault-contract.ts';
import { useSubject, type PaymentsUnderTest } from './payments-contract/subject.ts';
import { describeWebhooks } from './payments-contract/webhook-contract.ts';

/** What every provider must do; each adapter's test runs it. */
export function describePayments(name: string, create: () => Promise<PaymentsUnderTest>) {
  describe(`payments by ${name}`, () => {
    useSubject(create);
    describe('a checkout', () => {
      describeCheckout();
    });
    describe('a subscription', () => {
      describeSubscription();
    });
    describe('refunds and disputes', () => {
      describeReversals();
    });
    describe('webhooks', () => {
      describeWebhooks();
    });
  });
}

/** How an adapter handles a provider that fails. */
export function describePaymentFaults(name: string, create: () => Promise<PaymentsUnderTest>) {
  describe(`${name} with failures`, () => {
    useSubject(create);
    describeFaults();
  });
}
