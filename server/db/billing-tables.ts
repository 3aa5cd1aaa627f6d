import type { Plan } from '#contract/rules/plans.ts';

/** What whoever runs the site has set; the value is JSON. */
export type SettingsTable = { name: string; value: string; updated_at: number };

export type CountersTable = { name: string; value: number };

/** Moves with every change of what a member has paid for, so that no two changes overlook each other. */
export type BillingAccountsTable = { user_id: string; version: number };

/** `refused` was paid with something that was not agreed to: it is cancelled and paid back. */
export type CheckoutState = 'open' | 'paid' | 'failed' | 'expired' | 'refused';

export type CheckoutsTable = {
  reference: string;
  /** The provider's own name for it, where it has one. */
  checkout_id: string | null;
  /** Null once the member has left. */
  user_id: string | null;
  provider: string;
  plan: Plan;
  /** Cents of the first payment, and of every one after it. */
  amount: number;
  renewal_amount: number;
  currency: string;
  coupon_id: string | null;
  /** Days before the first payment, and what they are: a trial, or a code's free period. */
  free_days: number;
  free_kind: 'trial' | 'coupon' | null;
  first_charge_at: number;
  state: CheckoutState;
  customer_id: string | null;
  provider_subscription_id: string | null;
  /** The page that counts subscriptions has been told. */
  is_purchase_reported: 0 | 1;
  created_at: number;
  updated_at: number;
};

export type ProviderSubscriptionStatus = 'active' | 'ending' | 'late' | 'ended';

/** What a provider charges a member for again and again, as we last saw it. */
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
  /** JSON: what the member agreed to pay, the plans and their cents. Nothing else is taken for paid. */
  agreed_prices: string;
  next_charge_at: number | null;
  next_amount: number | null;
  /** JSON: what is known of the card. */
  card: string | null;
  problem_since: number | null;
  problem: string | null;
  /** The plan that a change asks for, from before the provider is asked until it has answered. */
  changing_to: Plan | null;
  /** The subscription that a change of plan put in its place: this one must not be charged again. */
  replaced_by: string | null;
  /** One too many, or not what was agreed to: it is being cancelled and paid back. */
  is_duplicate: 0 | 1;
  started_at: number;
  /** When the provider is asked again without having said anything; null when there is nothing left to learn. */
  check_at: number | null;
  updated_at: number;
};

export type WebhookEventState = 'waiting' | 'done';

/** Every genuine webhook, once. */
export type WebhookEventsTable = {
  id: string;
  provider: string;
  event_id: string;
  kind: string;
  /** JSON: what it is about. */
  subjects: string;
  /** As it arrived; emptied when its member leaves. */
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
  | 'trial'
  | 'coupon'
  | 'gift'
  | 'grant'
  | 'end'
  | 'subscribed'
  | 'cancelled'
  | 'resumed'
  | 'plan-changed'
  | 'duplicate'
  | 'ended';

/** Append-only. What a member may hear follows from these rows and nothing else. */
export type LedgerEntriesTable = {
  user_id: string;
  seq: number;
  kind: LedgerEntryKind;
  /** When it happened, and when we learned of it. */
  at: number;
  recorded_at: number;
  provider: string | null;
  charge_id: string | null;
  provider_subscription_id: string | null;
  plan: Plan | null;
  /** Cents. */
  amount: number | null;
  currency: string | null;
  /** What a trial, a code or a gift gives. */
  days: number | null;
  months: number | null;
  /** To when a grant reaches. */
  until: number | null;
  /** A sentence that says why. */
  because: string;
  /** JSON: what a report wants to know besides, such as the reason of a cancellation. */
  detail: string | null;
  /** Who did it: `provider`, `member`, `system`, or the id of an administrator. */
  actor: string;
};

export type InvoiceStatus = 'paid' | 'refunded' | 'partly-refunded' | 'disputed';

export type InvoicesTable = {
  id: string;
  number: number;
  /** Null once the buyer has left: the books stay, without the person. */
  user_id: string | null;
  provider: string;
  charge_id: string;
  plan: Plan;
  at: number;
  from_at: number;
  to_at: number;
  amount: number;
  refunded: number;
  currency: string;
  card: string | null;
  status: InvoiceStatus;
};

export type CouponsTable = {
  id: string;
  code: string;
  kind: 'percent' | 'free';
  percent: number | null;
  free_days: number | null;
  /** JSON: the plans it is for. */
  plans: string;
  max_uses: number | null;
  /** Checkouts that hold or have used it. */
  uses: number;
  starts_at: number | null;
  ends_at: number | null;
  created_by: string;
  created_at: number;
};

/** Once per member: held by a checkout, used when that is paid, free again when it is given up. */
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

/** Messages about money, each of which goes out once. */
export type SentMessagesTable = {
  key: string;
  user_id: string;
  created_at: number;
};

/** What those who have left had once; their address is kept as a keyed hash and in no other form. */
export type UsedOffersOfDeletedAccountsTable = { email_hash: string; offer: string; at: number };

export type BillingTables = {
  settings: SettingsTable;
  counters: CountersTable;
  billing_accounts: BillingAccountsTable;
  checkouts: CheckoutsTable;
  provider_subscriptions: ProviderSubscriptionsTable;
  webhook_events: WebhookEventsTable;
  ledger_entries: LedgerEntriesTable;
  invoices: InvoicesTable;
  coupons: CouponsTable;
  coupon_uses: CouponUsesTable;
  gifts: GiftsTable;
  sent_messages: SentMessagesTable;
  used_offers_of_deleted_accounts: UsedOffersOfDeletedAccountsTable;
};
