import type { Plan } from '#contract/rules/plans.ts';

/** `planned` until its date, then `current` until another one replaces it. */
export type PriceChangeState = 'planned' | 'current' | 'replaced' | 'cancelled';

/** A new price of a plan, for new checkouts from its date and for subscribers after their notice. */
export type PriceChangesTable = {
  id: string;
  plan: Plan;
  /** Cents: the price of new checkouts when it was planned, and the new one. */
  old_amount: number;
  amount: number;
  starts_at: number;
  notice_days: number;
  provider: string;
  /** The provider's plan with this price; null in the sandbox. */
  plan_id: string | null;
  state: PriceChangeState;
  /** Some subscriber's next payment has the new price: it can't be cancelled any more. */
  is_applied: 0 | 1;
  created_by: string;
  created_at: number;
  updated_at: number;
};

/** `cancelled` with the whole change; `replaced` by a newer one before it was applied. */
export type PriceChangeMemberState = 'told' | 'applied' | 'cancelled' | 'replaced';

export type PriceChangeMembersTable = {
  change_id: string;
  user_id: string;
  old_amount: number;
  told_at: number;
  /** The first payment from then on costs the new price. */
  applies_from: number;
  /** The time of that payment, set before the provider is asked. */
  starts_at: number | null;
  state: PriceChangeMemberState;
  updated_at: number;
};

/** Each card gets one free trial, in any account. */
export type TrialCardsTable = {
  /** A keyed hash of what the provider recognises the card by. */
  card_hash: string;
  /** The checkout that used it. */
  reference: string;
  at: number;
};

export type PriceTables = {
  price_changes: PriceChangesTable;
  price_change_members: PriceChangeMembersTable;
  trial_cards: TrialCardsTable;
};
