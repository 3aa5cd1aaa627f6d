import { z } from 'zod';
import type { LedgerEntriesTable, LedgerEntryKind } from '../../../db/billing-tables.ts';
import { defineCounter } from '../../../counters.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Deps } from '../../../deps.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { publishSignal } from '../../live/service.ts';
import { updateInvoices } from '../invoices/write-invoices.ts';
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
  fee: null,
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

/** The detail of a `charge-refused` entry that is refunded in full. */
const RefusedCharge = z.object({
  /** The checkout that it names; null for a renewal. */
  reference: z.string().nullable(),
  /** The amount was right, but its coupon was already used up. */
  isCouponSpent: z.boolean().default(false),
});
type RefusedCharge = z.infer<typeof RefusedCharge>;

export const formatRefusedCharge = (charge: RefusedCharge): string => JSON.stringify(charge);

/** Null if it is not refunded without an administrator. */
export function parseRefusedCharge({
  kind,
  detail,
}: Pick<LedgerEntriesTable, 'kind' | 'detail'>): RefusedCharge | null {
  if (kind !== 'charge-refused' || detail === null) return null;
  return RefusedCharge.safeParse(JSON.parse(detail)).data ?? null;
}

/** The detail of a `charge` entry. */
const ChargeDetail = z.object({
  /** Cents that the user agreed to, if another amount was charged: what is above them is refunded. */
  agreed: z.int().optional(),
  /** The checkout of a payment whose subscription didn’t exist yet. */
  reference: z.string().optional(),
});
type ChargeDetail = z.infer<typeof ChargeDetail>;

export const formatChargeDetail = (detail: ChargeDetail): string => JSON.stringify(detail);

export function parseChargeDetail({
  kind,
  detail,
}: Pick<LedgerEntriesTable, 'kind' | 'detail'>): ChargeDetail {
  if (kind !== 'charge' || detail === null) return {};
  return ChargeDetail.safeParse(JSON.parse(detail)).data ?? {};
}

/** The detail of a `dispute` entry. */
const DisputeDetail = z.object({ respondBy: z.int().nullable() });

export const formatDisputeDetail = (detail: z.infer<typeof DisputeDetail>): string =>
  JSON.stringify(detail);

export const parseDisputeDetail = (detail: string | null) =>
  detail === null ? null : (DisputeDetail.safeParse(JSON.parse(detail)).data ?? null);

/** The detail of a `refund` entry: someone made it at the provider, not here, and nothing is left. */
const AtProvider = z.object({ isAtProvider: z.literal(true) });

export const REFUNDED_AT_PROVIDER = JSON.stringify({ isAtProvider: true });

export const isRefundedAtProvider = ({
  kind,
  detail,
}: Pick<LedgerEntriesTable, 'kind' | 'detail'>): boolean =>
  kind === 'refund' && detail !== null && AtProvider.safeParse(JSON.parse(detail)).success;

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

const countMoneyEvent = defineCounter(
  'weekender_money_events_total',
  'Payments, refunds and other entries of the ledger.',
  ['kind'],
);

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
    for (const { kind } of rows) countMoneyEvent(kind);
    await tx
      .updateTable('users')
      .set({ paid_through: paidThrough })
      .where('id', '=', userId)
      .execute();
    await updateInvoices(tx, { entries: rows, ledger: all, periods }, { now, timeZone });
    await countLedgerChange(tx, userId, { before: ledger, after: all }, { calendar, timeZone });
  }
  await publishSignal(tx, `user:${userId}`, now);
  return { ledger: all, paidThrough };
}
