import { describe } from 'vitest';
import { describeFaults } from './payments-contract/fault-contract.ts';
import { describeBankPayments, describePages } from './payments-contract/page-contract.ts';
import { describeChanges, describeReversals } from './payments-contract/reversal-contract.ts';
import { describeSavedCards } from './payments-contract/saved-card-contract.ts';
import { useSubject, type PaymentsUnderTest } from './payments-contract/subject.ts';
import { describeWebhooks } from './payments-contract/webhook-contract.ts';

/** What every provider must do; each adapter's test runs it. */
export function describePayments(name: string, create: () => Promise<PaymentsUnderTest>) {
  describe(`payments by ${name}`, () => {
    useSubject(create);
    describe('a payment page', () => {
      describePages();
    });
    describe('a payment from a bank account', () => {
      describeBankPayments();
    });
    describe('a saved card', () => {
      describeSavedCards();
    });
    describe('refunds and disputes', () => {
      describeReversals();
    });
    describe('changes', () => {
      describeChanges();
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
