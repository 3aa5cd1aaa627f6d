import { describePayments } from '../payments-contract.ts';
import { Company } from './fake-provider.ts';

describePayments('a company that keeps no books on disk', async () => {
  let now = Date.UTC(2026, 10, 15, 12);
  const company = new Company({ now: () => now });
  return {
    payments: company.payments,
    now: () => now,
    passTo: async (time) => {
      now = time;
      company.renewDue();
    },
    pay: async (reference) => void company.pay(reference, 'success'),
    decline: async (reference) => void company.pay(reference, 'insufficient-funds'),
    emptyAccount: async (id) => company.replaceCard(id, 'insufficient-funds'),
    dispute: async (id) => company.setDisputed(id, true),
    drainWebhooks: async () => company.drainWebhooks(),
    sign: async (body) => company.signBody(body),
    close: async () => undefined,
  };
});
