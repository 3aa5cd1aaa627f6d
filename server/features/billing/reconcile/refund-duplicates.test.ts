import { expect, it } from 'vitest';
import { payingClient } from '../../../testing/test-payments.ts';
import { createTestApp } from '../../../testing/test-app.ts';
import { createUser } from '../../../testing/test-user.ts';
import { buildLedgerEntry } from '../ledger/ledger-entries.ts';
import { listProviderSubscriptionsOf, type LedgerEntry } from '../queries.ts';
import { planRefunds, refundDuplicates } from './refund-duplicates.ts';

const rows = (...events: ReturnType<typeof buildLedgerEntry>[]): LedgerEntry[] =>
  events.map((event, index) => ({ ...event, user_id: 'thandi', seq: index + 1, recorded_at: 1 }));
const charge = (id: string) =>
  buildLedgerEntry('charge', 5, '', {
    charge_id: id,
    provider_subscription_id: 'two',
    amount: 79_00,
  });
const about = (kind: 'refund' | 'dispute', id: string, amount: number) =>
  buildLedgerEntry(kind, 6, '', { charge_id: id, provider_subscription_id: 'two', amount });

it('refunds what is left of a charge, and nothing that is disputed', async () => {
  const test = await createTestApp();
  const member = await createUser(test);
  await payingClient(test, member).buy('monthly');
  const [row] = await listProviderSubscriptionsOf(test.deps.database.db, member.user.id);
  const duplicate = { ...row!, provider_subscription_id: 'two', is_duplicate: 1 as const };
  const kept = { ...row!, started_at: 1 };
  const ledger = rows(
    charge('whole'),
    charge('part'),
    charge('gone'),
    charge('held'),
    about('refund', 'part', 30_00),
    about('refund', 'gone', 79_00),
    about('dispute', 'held', 79_00),
  );
  expect(planRefunds([duplicate], kept, ledger)).toEqual([
    { chargeId: 'whole', amount: 79_00, key: 'duplicate:whole:0' },
    { chargeId: 'part', amount: 49_00, key: 'duplicate:part:1' },
  ]);
  await test.close();
});

it('makes the other refunds when one is refused', async () => {
  const test = await createTestApp();
  const member = await createUser(test);
  await payingClient(test, member).buy('monthly');
  const { database, payments } = test.deps;
  await database.db.updateTable('provider_subscriptions').set({ is_duplicate: 1 }).execute();
  const refunded: string[] = [];
  Object.assign(payments, {
    cancelAtPeriodEnd: () => Promise.reject(new Error('refused')),
    refund: async ({ chargeId }: { chargeId: string }) => void refunded.push(chargeId),
  });
  await expect(refundDuplicates(test.deps, member.user.id)).rejects.toThrow('refused');
  expect(refunded).toHaveLength(1);
  await test.close();
});
