import type { LedgerKind, LedgerTable } from '../../db/billing-tables.ts';

/** A row of the ledger before it has its place there. */
export type NewEvent = Omit<LedgerTable, 'user_id' | 'seq' | 'recorded_at'>;

const nothing = {
  provider: null,
  charge_id: null,
  agreement_id: null,
  plan: null,
  amount: null,
  currency: null,
  days: null,
  months: null,
  until: null,
  detail: null,
  actor: 'system',
};

export const newEvent = (
  kind: LedgerKind,
  at: number,
  because: string,
  more: Partial<NewEvent> = {},
): NewEvent => ({ ...nothing, kind, at, because, ...more });
