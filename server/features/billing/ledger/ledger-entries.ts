import { z } from 'zod';
import type { LedgerEntriesTable, LedgerEntryKind } from '../../../db/billing-tables.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { publishSignal } from '../../live/service.ts';
import { updateInvoices } from '../invoices/service.ts';
import type { LedgerEntry } from '../queries.ts';
import { countLedgerChange } from './paid-history.ts';
import { findPeriods } from './paid-through.ts';

/** An entry before it is appended, when it gets its user and its number. */
export type NewLedgerEntry = Omit<LedgerEntriesTable, 'user_id' | 'seq' | 'recorded_at'>;

const defaults = {
  provider: null,
  charge_id: null,
  provider_subscription_id: null,
  plan: null,
  amount: null,
  currency: null,
  days: null,
  months: null,
  until: null,
  detail: null,
  actor: 'system',
};

export const buildLedgerEntry = (
  kind: LedgerEntryKind,
  at: number,
  because: string,
  more: Partial<NewLedgerEntry> = {},
): NewLedgerEntry => ({ ...defaults, kind, at, because, ...more });

/** The detail of a `charge-refused` entry: a checkout was paid with something the user did not agree to. */
const RefusedPurchase = z.object({
  reference: z.string(),
  /** The amount was right, but its coupon was already used up. */
  isCouponSpent: z.boolean().default(false),
});
type RefusedPurchase = z.infer<typeof RefusedPurchase>;

export const formatRefusedPurchase = (purchase: RefusedPurchase): string =>
  JSON.stringify(purchase);

export function parseRefusedPurchase({
  kind,
  detail,
}: Pick<LedgerEntriesTable, 'kind' | 'detail'>): RefusedPurchase | null {
  if (kind !== 'charge-refused' || detail === null) return null;
  return RefusedPurchase.safeParse(JSON.parse(detail)).data ?? null;
}

export type LedgerContext = { now: number; calendar: Calendar; timeZone: string };

export const toLedgerContext = ({
  clock,
  config,
  payments,
}: Pick<Deps, 'clock' | 'config' | 'payments'>): LedgerContext => ({
  now: clock.now(),
  calendar: payments.calendar,
  timeZone: config.timeZone,
});

/**
 * Appends entries and updates everything computed from them: `paid_through`, the invoices and the
 * site's figures. The caller has locked the account, and `ledger` holds the entries so far.
 */
export async function appendLedgerEntries(
  tx: Tx,
  { userId, ledger }: { userId: string; ledger: readonly LedgerEntry[] },
  entries: readonly NewLedgerEntry[],
  { now, calendar, timeZone }: LedgerContext,
): Promise<{ ledger: LedgerEntry[]; paidThrough: number | null }> {
  const last = ledger.at(-1);
  // The clock may have been set back; entries keep the order in which they were recorded.
  const recordedAt = Math.max(now, last?.recorded_at ?? 0);
  const rows = entries.map((entry, index): LedgerEntry => ({
    ...entry,
    user_id: userId,
    seq: (last?.seq ?? 0) + 1 + index,
    recorded_at: recordedAt,
  }));
  const all = [...ledger, ...rows];
  const periods = findPeriods(all, calendar);
  const paidThrough = periods.at(-1)?.to ?? null;
  if (rows.length > 0) {
    await tx.insertInto('ledger_entries').values(rows).execute();
    await tx
      .updateTable('users')
      .set({ paid_through: paidThrough })
      .where('id', '=', userId)
      .execute();
    await updateInvoices(tx, rows, periods, now);
    await countLedgerChange(tx, userId, { before: ledger, after: all }, { calendar, timeZone });
  }
  await publishSignal(tx, `user:${userId}`, now);
  return { ledger: all, paidThrough };
}
