import type { LedgerEntry } from '../queries.ts';

export type DisputeState = 'none' | 'open' | 'lost';

const STATES: Partial<Record<LedgerEntry['kind'], DisputeState>> = {
  dispute: 'open',
  'dispute-won': 'none',
  'dispute-lost': 'lost',
};

/** What the last entry about a dispute says; the entries are those of one charge, in order. */
export const findDisputeState = (entries: readonly Pick<LedgerEntry, 'kind'>[]): DisputeState =>
  STATES[entries.findLast(({ kind }) => kind in STATES)?.kind ?? 'charge'] ?? 'none';
