import { expect, it } from 'vitest';
import { payingClient } from '../../testing/test-payments.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { createUser } from '../../testing/test-user.ts';
import { newEvent } from './ledger-event.ts';
import { listAgreementsOf, type LedgerRow } from './queries.ts';
import { findPayBacks, unwind } from './unwind.ts';

const rows = (...events: ReturnType<typeof newEvent>[]): LedgerRow[] =>
  events.map((event, index) => ({ ...event, user_id: 'thandi', seq: index + 1, recorded_at: 1 }));
const charge = (id: string) =>
  newEvent('charge', 5, '', { charge_id: id, agreement_id: 'two', amount: 79_00 });
const about = (kind: 'refund' | 'dispute', id: string, amount: number) =>
  newEvent(kind, 6, '', { charge_id: id, agreement_id: 'two', amount });

it('what is paid back is what is left of a charge, and nothing that the bank holds', async () => {
  const test = await createTestApp();
  const member = await createUser(test);
  await payingClient(test, member).buy('monthly');
  const [row] = await listAgreementsOf(test.deps.database.db, member.user.id);
  const duplicate = { ...row!, agreement_id: 'two', is_duplicate: 1 as const };
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
  expect(findPayBacks([duplicate], kept, ledger)).toEqual([
    { chargeId: 'whole', amount: 79_00, key: 'unwind:whole:0' },
    { chargeId: 'part', amount: 49_00, key: 'unwind:part:1' },
  ]);
  await test.close();
});

it('one refund that is refused does not keep the others waiting', async () => {
  const test = await createTestApp();
  const member = await createUser(test);
  await payingClient(test, member).buy('monthly');
  const { database, payments } = test.deps;
  await database.db.updateTable('agreements').set({ is_duplicate: 1 }).execute();
  const refunded: string[] = [];
  Object.assign(payments, {
    cancelAtPeriodEnd: () => Promise.reject(new Error('refused')),
    refund: async ({ chargeId }: { chargeId: string }) => void refunded.push(chargeId),
  });
  await expect(unwind(test.deps, member.user.id)).rejects.toThrow('refused');
  expect(refunded).toHaveLength(1);
  await test.close();
});
