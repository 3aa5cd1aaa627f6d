import type { LegalPageName } from '#contract/legal-pages.ts';

export type LegalVersionsTable = {
  page: LegalPageName;
  version: number;
  /** Markdown, before the facts are filled in. */
  text: string;
  /** The id of an administrator; null for the default text. */
  created_by: string | null;
  created_at: number;
};

/** `notice`: the member read that the text changed. */
export type AcceptancePlace = 'registration' | 'checkout' | 'notice';

export type LegalAcceptancesTable = {
  user_id: string;
  page: LegalPageName;
  version: number;
  place: AcceptancePlace;
  at: number;
};

/** A subscription that its member cancelled within the cooling-off period. */
export type WithdrawalsTable = {
  user_id: string;
  provider: string;
  subscription_id: string;
  charge_id: string;
  /** Cents that are refunded. */
  amount: number;
  currency: string;
  requested_at: number;
  /** When it was ended and refunded. */
  done_at: number | null;
};

/** Cards that were used for one, as keyed hashes. They survive the account. */
export type WithdrawnCardsTable = { card_hash: string; at: number };

export type LegalTables = {
  legal_versions: LegalVersionsTable;
  legal_acceptances: LegalAcceptancesTable;
  withdrawals: WithdrawalsTable;
  withdrawn_cards: WithdrawnCardsTable;
};
