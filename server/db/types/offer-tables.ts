import type { ColumnType } from 'kysely';

export type CouponsTable = {
  id: string;
  code: string;
  kind: 'percent' | 'free';
  percent: number | null;
  free_days: number | null;
  /** JSON: the plans it applies to. */
  plans: string;
  max_uses: number | null;
  starts_at: number | null;
  ends_at: number | null;
  created_by: string;
  created_at: number;
};

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** Created by an administrator, or bought: then its payment has the reference. */
export type GiftsTable = {
  id: string;
  token_hash: string;
  months: number;
  from_name: string;
  created_by: string;
  created_at: number;
  redeemed_by: string | null;
  redeemed_at: number | null;
  reference: Optional<string>;
  provider: Optional<string>;
  /** The link, encrypted, so that the buyer can see it again. */
  token: Optional<string>;
  words: Optional<string>;
  /** A member who bought it; the address of every buyer, until their account is deleted. */
  buyer_id: Optional<string>;
  buyer_email: Optional<string>;
  /** Null if the buyer gives the link. */
  recipient_email: Optional<string>;
  /** The day of the mail in the site's time zone, and the time of that morning. */
  send_on: Optional<string>;
  send_at: Optional<number>;
  /** When the mail was queued. */
  sent_at: Optional<number>;
  /** The link works from then on. */
  paid_at: Optional<number>;
  /** Refunded or charged back: the link no longer works, and what was left of the time has ended. */
  void_at: Optional<number>;
  /** While its page is open, the same purchase from another tab gets the same page. */
  open_key: Optional<string>;
};

/** Each card gets one free trial, in any account. */
type TrialCardsTable = {
  /** A keyed hash of what the provider recognises the card by. */
  card_hash: string;
  /** The payment that used it. */
  reference: string;
  at: number;
};

/** One-time offers that deleted accounts have used; the e-mail address is only stored as a keyed hash. */
type UsedOffersOfDeletedAccountsTable = { email_hash: string; offer: string; at: number };

export type OfferTables = {
  coupons: CouponsTable;
  gifts: GiftsTable;
  trial_cards: TrialCardsTable;
  used_offers_of_deleted_accounts: UsedOffersOfDeletedAccountsTable;
};
