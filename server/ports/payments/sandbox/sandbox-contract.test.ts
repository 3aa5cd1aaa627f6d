import { describePayments } from '../../../testing/payments-contract.ts';
import { createTestDatabase } from '../../../testing/test-database.ts';
import { createSandbox } from './sandbox.ts';
import { signWebhook } from './webhooks.ts';

describePayments('the sandbox', async () => {
  const database = await createTestDatabase();
  let now = Date.UTC(2026, 10, 15, 12);
  let refunds = 0;
  const site = { origin: 'https://site.example' };
  const sandbox = createSandbox({ database, clock: { now: () => now }, site });
  const answers = {
    pays: (token: string) => sandbox.changeCard(token, 'used'),
    declines: sandbox.emptyAccount,
    'is-lost': (token: string) => sandbox.changeCard(token, 'stolen'),
    'asks-the-member': (token: string) => sandbox.changeCard(token, 'always-confirms'),
  };
  return {
    payments: sandbox.payments,
    now: () => now,
    passTo: async (time) => {
      now = time;
    },
    pay: async (reference) => void (await sandbox.pay(reference, { card: 'used' })),
    decline: async (reference) =>
      void (await sandbox.pay(reference, { card: 'insufficient-funds' })),
    payByBank: async (reference) => void (await sandbox.pay(reference, { bank: 'eft-waits' })),
    decideBankPayment: (reference, isPaid) => sandbox.decide(reference, isPaid ? 'paid' : 'failed'),
    setBankAnswer: (token, answer) => answers[answer](token),
    refundByHand: (chargeId, amount) => {
      refunds += 1;
      return sandbox.payments.refund({ chargeId, amount, key: `by hand ${refunds}` });
    },
    failRefund: sandbox.failRefund,
    dispute: (chargeId) => sandbox.dispute(chargeId, 30),
    decideDispute: sandbox.endDispute,
    drainWebhooks: sandbox.drainWebhooks,
    sign: (body) => signWebhook(database.db, body),
    close: database.close,
  };
});
