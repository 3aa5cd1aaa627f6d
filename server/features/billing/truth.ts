import type { AgreementTruth, CheckoutTruth, ProviderName } from '../../ports/payments/payments.ts';
import type { NewEvent } from './ledger-event.ts';
import type { AgreementRow, CheckoutRow, LedgerRow } from './queries.ts';

/** How a code stands for a member: which checkout of theirs has used it, and whether one still may. */
export type CodeStand = { usedBy: string | null; isLeft: boolean };

/** What we have written down about a member. */
export type Known = {
  checkouts: readonly CheckoutRow[];
  agreements: readonly AgreementRow[];
  ledger: readonly LedgerRow[];
  /** The codes of checkouts that are not decided, by their ids. */
  codes?: ReadonlyMap<string, CodeStand>;
};

/** What the provider says now. */
export type Truth = {
  checkouts: ReadonlyMap<string, CheckoutTruth>;
  agreements: readonly AgreementTruth[];
  /** Agreements of ours that the provider does not know, or not any more. */
  missing?: ReadonlySet<string>;
};

/** What is to be written so that the one agrees with the other; rows that do not change are left out. */
export type Outcome = {
  events: NewEvent[];
  checkouts: CheckoutRow[];
  agreements: AgreementRow[];
  /** Agreements found to be one too many. */
  duplicates: AgreementRow[];
  /** Something is to be cancelled or paid back. */
  hasToUnwind: boolean;
};

export type Moment = { now: number; provider: ProviderName };
