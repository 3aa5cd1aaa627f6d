import type { Subscriber } from '#contract/admin/subscribers.ts';
import type { LedgerEntriesTable } from '../../db/types/billing-tables.ts';
import type { Deps } from '../../deps.ts';
import { findPeriods } from '../billing/subscriptions/service.ts';
import { listLedgersOf } from './list-queries.ts';

type Paying = Pick<Subscriber, 'basis' | 'refundedAt'>;

/** What a member's paid time rests on, or why there is none. */
function findPaying(
  ledger: readonly LedgerEntriesTable[],
  calendar: Deps['payments']['calendar'],
): Paying {
  const last = findPeriods(ledger, calendar).at(-1);
  const atOf = (kind: LedgerEntriesTable['kind']) =>
    Math.max(...ledger.filter((entry) => entry.kind === kind).map(({ at }) => at));
  const [chargedAt, refundedAt] = [atOf('charge'), atOf('refund')];
  if (last) return { basis: last.entry.kind === 'charge' ? 'payment' : 'free', refundedAt: null };
  if (refundedAt >= chargedAt && refundedAt > 0) return { basis: 'refunded', refundedAt };
  return { basis: chargedAt > 0 ? 'ended' : 'none', refundedAt: null };
}

export async function findPayingOf(
  { database, payments }: Pick<Deps, 'database' | 'payments'>,
  ids: readonly string[],
): Promise<(id: string) => Paying> {
  const byUser = Map.groupBy(await listLedgersOf(database.db, ids), ({ user_id }) => user_id);
  return (id) => findPaying(byUser.get(id) ?? [], payments.calendar);
}
