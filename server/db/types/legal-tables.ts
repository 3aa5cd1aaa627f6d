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

type LegalAcceptancesTable = {
  user_id: string;
  page: LegalPageName;
  version: number;
  place: AcceptancePlace;
  at: number;
};

/** Cards that were used to withdraw from a subscription, as keyed hashes. They survive the account. */
type WithdrawnCardsTable = { card_hash: string; at: number };

export type LegalTables = {
  legal_versions: LegalVersionsTable;
  legal_acceptances: LegalAcceptancesTable;
  withdrawn_cards: WithdrawnCardsTable;
};
