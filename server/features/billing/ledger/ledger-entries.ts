import { z } from 'zod';
import { defineCounter } from '../../../http/load/counters.ts';
import type { Tx } from '../../../db/connect.ts';
import type { LedgerEntriesTable, LedgerEntryKind } from '../../../db/types/billing-tables.ts';
import type { Deps } from '../../../deps.ts';
import type { Calendar } from '../../../ports/payments/payments.ts';
import { publishSignal } from '../../live/service.ts';
import { listLedgerEntries, lockAccount, type LedgerEntry } from '../queries.ts';
import { countLedgerChange } from './paid-history.ts';
import { findPeriods, type Period } from './paid-through.ts';
import { updateInvoices } from './write-invoices.ts';

/** An entry before it is appended, when it gets its user and its number. */
export type NewLedgerEntry = Omit<LedgerEntriesTable, 'user_id' | 'seq' | 'recorded_at'>;

const defaults = {
  provider: null,
  charge_id: null,
  subscription_id: null,
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
  reason: string,
  more: Partial<NewLedgerEntry> = {},
): NewLedgerEntry => ({ ...defaults, kind, at, reason, ...more });

/** Why a payment that arrived doesn't count. */
const REFUSALS = ['amount', 'coupon', 'card', 'second', 'cancelled'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** The detail of a `charge-refused` entry. */
const RefusedCharge = z.object({ reference: z.string(), why: z.enum(REFUSALS) });
type RefusedCharge = z.infer<typeof RefusedCharge>;

export const formatRefusedCharge = (charge: RefusedCharge): string => JSON.stringify(charge);

export function parseRefusedCharge({
  kind,
  detail,
}: Pick<LedgerEntriesTable, 'kind' | 'detail'>): RefusedCharge | null {
  if (kind !== 'charge-refused' || detail === null) return null;
  return RefusedCharge.safeParse(JSON.parse(detail)).data ?? null;
}

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

/** The end of the paid time has moved: the next payment is due then, never earlier than planned. */
async function moveNextPayment(tx: Tx, userId: string, paidThrough: number, now: number) {
  const running = () =>
    tx
      .updateTable('subscriptions')
      .where('user_id', '=', userId)
      .where('status', '<>', 'ended')
      .where('next_at', '<', paidThrough);
  await running()
    .set({ status: 'active', late_since: null, retry_at: null, failure: null })
    .where('status', 'in', ['late', 'needs_member'])
    .execute();
  await running().set({ next_at: paidThrough, updated_at: now }).execute();
}

const countMoneyEvent = defineCounter(
  'weekender_money_events_total',
  'Payments, refunds and other entries of the ledger.',
  ['kind'],
);

/** A payment of a subscription remembers the day that its period ends on. */
const keepEnd = (entry: LedgerEntry, periods: readonly Period<LedgerEntry>[]): LedgerEntry =>
  entry.kind === 'charge' && entry.subscription_id !== null && entry.until === null
    ? { ...entry, until: periods.find((one) => one.entry === entry)?.to ?? null }
    : entry;

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
  const numbered = entries.map((entry, index): LedgerEntry => ({
    ...entry,
    user_id: userId,
    seq: (last?.seq ?? 0) + 1 + index,
    recorded_at: recordedAt,
  }));
  const periods = findPeriods([...ledger, ...numbered], calendar);
  const rows = numbered.map((entry) => keepEnd(entry, periods));
  const all = [...ledger, ...rows];
  const paidThrough = periods.at(-1)?.to ?? null;
  if (rows.length > 0) {
    await tx.insertInto('ledger_entries').values(rows).execute();
    for (const { kind } of rows) countMoneyEvent(kind);
    await tx
      .updateTable('users')
      .set({ paid_through: paidThrough })
      .where('id', '=', userId)
      .execute();
    if (paidThrough !== null) await moveNextPayment(tx, userId, paidThrough, now);
    await updateInvoices(tx, { entries: rows, ledger: all, periods }, { now, timeZone });
    await countLedgerChange(tx, userId, { before: ledger, after: all }, { calendar, timeZone });
  }
  await publishSignal(tx, `user:${userId}`, now);
  return { ledger: all, paidThrough };
}

/** Locks the account and appends to what it has. */
export async function appendEntries(
  tx: Tx,
  userId: string,
  entries: readonly NewLedgerEntry[],
  context: LedgerContext,
) {
  await lockAccount(tx, userId);
  const ledger = await listLedgerEntries(tx, userId);
  return appendLedgerEntries(tx, { userId, ledger }, entries, context);
}

export const appendEntry = (
  tx: Tx,
  userId: string,
  entry: NewLedgerEntry,
  context: LedgerContext,
) => appendEntries(tx, userId, [entry], context);
