import type { Plan } from '#contract/rules/plans.ts';

/** The value is JSON. */
export type SettingsTable = { name: string; value: string; updated_at: number };

export type CountersTable = { name: string; value: number };

/** The version goes up with every change of a user's billing data, so that no two writers conflict. */
export type BillingAccountsTable = { user_id: string; version: number };

/** `refused` was paid with something the user did not agree to: it is cancelled and refunded. */
export type CheckoutState = 'open' | 'paid' | 'failed' | 'expired' | 'refused';

export type CheckoutsTable = {
  reference: string;
  /** The provider's id, if it has one. */
  checkout_id: string | null;
  /** Null after the account was deleted. */
  user_id: string | null;
  provider: string;
  plan: Plan;
  /** Cents of the first payment, and of every later one. */
  amount: number;
  renewal_amount: number;
  currency: string;
  coupon_id: string | null;
  /** Free days before the first payment, from a trial or a coupon. */
  free_days: number;
  free_kind: 'trial' | 'coupon' | null;
  first_charge_at: number;
  state: CheckoutState;
  customer_id: string | null;
  provider_subscription_id: string | null;
  /** A page has reported the purchase to analytics. */
  is_purchase_reported: 0 | 1;
  /** When to look for the subscription of a paid checkout; null once it is settled. */
  check_at: number | null;
  /** It was refused because its card has already had a free trial. */
  is_card_used: 0 | 1;
  created_at: number;
  updated_at: number;
};

type ProviderSubscriptionStatus = 'active' | 'ending' | 'late' | 'ended';

/** The provider's own subscription, as we last saw it. */
export type ProviderSubscriptionsTable = {
  id: string;
  provider: string;
  provider_subscription_id: string;
  user_id: string | null;
  customer_id: string;
  /** The checkout it came from. */
  reference: string | null;
  plan: Plan;
  next_plan: Plan | null;
  status: ProviderSubscriptionStatus;
  /** JSON: the plans and cents that the user agreed to pay. Other payments are refused. */
  agreed_prices: string;
  next_charge_at: number | null;
  next_amount: number | null;
  /** JSON. */
  card: string | null;
  problem_since: number | null;
  problem: string | null;
  /** The plan of a pending change, set before the provider is asked. */
  changing_to: Plan | null;
  /** The subscription that replaced it in a plan change: this one must not charge again. */
  replaced_by: string | null;
  /** A duplicate, or not what the user agreed to: it is cancelled and refunded. */
  is_duplicate: 0 | 1;
  started_at: number;
  /** When to ask the provider without a webhook event; null for never. */
  check_at: number | null;
  updated_at: number;
};

type WebhookEventState = 'waiting' | 'done';

/** Every genuine webhook event, once. */
export type WebhookEventsTable = {
  id: string;
  provider: string;
  event_id: string;
  kind: string;
  /** JSON. */
  subjects: string;
  /** As it arrived, without card data; emptied when the account is deleted. */
  body: string;
  state: WebhookEventState;
  user_id: string | null;
  received_at: number;
  processed_at: number | null;
};

export type LedgerEntryKind =
  | 'charge'
  | 'charge-refused'
  | 'charge-failed'
  | 'refund'
  | 'dispute'
  | 'dispute-won'
  | 'dispute-lost'
  | 'trial'
  | 'coupon'
  | 'gift'
  | 'grant'
  | 'end'
  | 'subscribed'
  | 'cancelled'
  | 'resumed'
  | 'plan-changed'
  | 'price-changed'
  | 'duplicate'
  | 'ended';

/** Append-only. A user's access is computed from these rows alone. */
export type LedgerEntriesTable = {
  user_id: string;
  seq: number;
  kind: LedgerEntryKind;
  /** When it happened, and when we recorded it. */
  at: number;
  recorded_at: number;
  provider: string | null;
  charge_id: string | null;
  provider_subscription_id: string | null;
  plan: Plan | null;
  /** Cents. */
  amount: number | null;
  currency: string | null;
  /** Cents that the provider kept of a charge; null if it doesn't say. */
  fee: number | null;
  /** The length of a trial, a coupon's free period or a gift. */
  days: number | null;
  months: number | null;
  /** The end of a grant. */
  until: number | null;
  /** Why, as a sentence. */
  because: string;
  /** JSON: more data for reports, such as the reason for a cancellation. */
  detail: string | null;
  /** Who did it: `provider`, `user`, `system`, or the id of an administrator. */
  actor: string;
};

export type CouponsTable = {
  id: string;
  code: string;
  kind: 'percent' | 'free';
  percent: number | null;
  free_days: number | null;
  /** JSON: the plans it applies to. */
  plans: string;
  max_uses: number | null;
  /** Checkouts that have reserved or used it. */
  uses: number;
  starts_at: number | null;
  ends_at: number | null;
  created_by: string;
  created_at: number;
};

/** One per user: reserved by a checkout, used when that is paid, released when it fails. */
export type CouponUsesTable = {
  coupon_id: string;
  user_id: string;
  reference: string;
  is_used: 0 | 1;
  at: number;
};

export type GiftsTable = {
  id: string;
  token_hash: string;
  months: number;
  from_name: string;
  created_by: string;
  created_at: number;
  redeemed_by: string | null;
  redeemed_at: number | null;
};

/** Billing e-mails, each sent once. */
export type SentMessagesTable = {
  key: string;
  user_id: string;
  created_at: number;
  /** Just before it was handed over to the mail server. */
  sending_at: number | null;
  /** When the mail server had accepted it. */
  sent_at: number | null;
};

/** One-time offers that deleted accounts have used; the e-mail address is only stored as a keyed hash. */
export type UsedOffersOfDeletedAccountsTable = { email_hash: string; offer: string; at: number };

export type PaymentIssueKind =
  | 'wrong-key'
  | 'checkout-refused'
  | 'other-amount'
  | 'payment-without-subscription'
  | 'dispute'
  | 'unknown-charge'
  | 'refund-at-provider';

/** What an administrator has to look at. It survives the account and contains no personal data. */
export type PaymentIssuesTable = {
  id: string;
  /** What it is about: one issue for each. */
  key: string;
  kind: PaymentIssueKind;
  user_id: string | null;
  provider: string | null;
  charge_id: string | null;
  /** Of the checkout. */
  reference: string | null;
  /** Cents. */
  amount: number | null;
  currency: string | null;
  /** What happened, as a sentence without names. */
  because: string;
  /** Answer by then. */
  due_at: number | null;
  opened_at: number;
  closed_at: number | null;
  /** The id of an administrator; null if its cause went away by itself. */
  closed_by: string | null;
  note: string | null;
  /** Of a dispute: the subscription goes on even if it is lost. */
  keeps_subscription: 0 | 1;
};

/** A refund that the site asked a provider for, stored before it asks. */
export type RefundRequestsTable = {
  provider: string;
  charge_id: string;
  /** The same refund asked for again has the same key. */
  key: string;
  /** Cents. */
  amount: number;
  /** Until then someone is asking the provider. */
  lease_until: number | null;
  requested_at: number;
};

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

export type BillingTables = {
  refund_requests: RefundRequestsTable;
  settings: SettingsTable;
  counters: CountersTable;
  billing_accounts: BillingAccountsTable;
  checkouts: CheckoutsTable;
  provider_subscriptions: ProviderSubscriptionsTable;
  webhook_events: WebhookEventsTable;
  ledger_entries: LedgerEntriesTable;
  coupons: CouponsTable;
  coupon_uses: CouponUsesTable;
  gifts: GiftsTable;
  sent_messages: SentMessagesTable;
  used_offers_of_deleted_accounts: UsedOffersOfDeletedAccountsTable;
  payment_issues: PaymentIssuesTable;
  price_changes: PriceChangesTable;
  price_change_members: PriceChangeMembersTable;
  trial_cards: TrialCardsTable;
};
