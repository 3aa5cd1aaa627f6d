import { describePayments } from '../../../testing/payments-contract.ts';
import { createTestDatabase } from '../../../testing/test-database.ts';
import { createSandbox } from './sandbox.ts';
import { signWebhook } from './webhooks.ts';

describePayments('the sandbox', async () => {
  const database = await createTestDatabase();
  let now = Date.UTC(2026, 10, 15, 12);
  const site = { origin: 'https://site.example' };
  const sandbox = createSandbox({ database, clock: { now: () => now }, site });
  return {
    payments: sandbox.payments,
    now: () => now,
    passTo: async (time) => {
      now = time;
      await sandbox.renewDue();
    },
    pay: async (reference) => void (await sandbox.pay(reference, { card: 'success' })),
    decline: async (reference) =>
      void (await sandbox.pay(reference, { card: 'insufficient-funds' })),
    emptyAccount: sandbox.emptyAccount,
    fillAccount: sandbox.fillAccount,
    updateCard: async (id) => void (await sandbox.replaceCard(id, 'success')),
    isRetrying: false,
    dispute: sandbox.dispute,
    drainWebhooks: sandbox.drainWebhooks,
    sign: (body) => signWebhook(database.db, body),
    close: database.close,
  };
});
