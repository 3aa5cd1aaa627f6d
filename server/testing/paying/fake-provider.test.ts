import { describePayments } from '../payments-contract.ts';
import { FakeProvider } from './fake-provider.ts';
import { PaystackLikeProvider } from './paystack-like-provider.ts';

const kinds = [
  ['a provider in memory', FakeProvider, true],
  ['a provider in memory that is like Paystack', PaystackLikeProvider, false],
] as const;

for (const [name, Provider, isRetrying] of kinds)
  describePayments(name, async () => {
    let now = Date.UTC(2026, 10, 15, 12);
    const fakeProvider = new Provider({ now: () => now });
    return {
      payments: fakeProvider.payments,
      now: () => now,
      passTo: async (time) => {
        now = time;
        fakeProvider.renewDue();
      },
      pay: async (reference) => void fakeProvider.pay(reference, 'success'),
      decline: async (reference) => void fakeProvider.pay(reference, 'insufficient-funds'),
      emptyAccount: async (id) => fakeProvider.setCard(id, 'insufficient-funds'),
      fillAccount: async (id) => fakeProvider.setCard(id, 'success'),
      updateCard: async (id) => fakeProvider.replaceCard(id, 'success'),
      isRetrying,
      dispute: async (id) => fakeProvider.setDisputed(id, true),
      drainWebhooks: async () => fakeProvider.drainWebhooks(),
      sign: async (body) => fakeProvider.signBody(body),
      close: async () => undefined,
    };
  });
