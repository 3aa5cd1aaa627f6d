import type { LedgerEntriesTable, LedgerEntryKind } from '../../../db/tables/billing-tables.ts';

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
  because: string,
  more: Partial<NewLedgerEntry> = {},
): NewLedgerEntry => ({ ...defaults, kind, at, because, ...more });
