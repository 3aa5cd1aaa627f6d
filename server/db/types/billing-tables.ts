import type { PaymentIssue } from '#contract/admin/payment-issues.ts';
import type { Plan } from '#contract/rules/plans.ts';

/** The value is JSON. */
type SettingsTable = { name: string; value: string; updated_at: number };

type CountersTable = { name: string; value: number };

/** The version goes up with every change of a user's billing data, so that no two writers conflict. */
type BillingAccountsTable = { user_id: string; version: number };

/**
 * `trial` is free until `next_at`; `late` had a payment declined that is tried again; `needs_member`
 * waits until the member pays on a page; `ending` was cancelled and lasts until `next_at`.
 */
type SubscriptionStatus = 'trial' | 'active' | 'late' | 'needs_member' | 'ending' | 'ended';

/** What a member pays for again and again. At most one of each member hasn't ended. */
export type SubscriptionsTable = {
  id: string;
  /** Null after the account was deleted. */
  user_id: string | null;
  provider: string;
  plan: Plan;
  status: SubscriptionStatus;
  /** Cents of every payment, and of the next one, which a coupon may reduce. */
  amount: number;
  next_plan: Plan | null;
  next_amount: number;
  /** When the next payment is due: the end of the paid time. */
  next_at: number;
  /** The number of the period that starts then, from 0. */
  period: number;
  /** The card to charge; null if the bank lets nobody charge it again. */
  method_id: string | null;
  /** How many payments of this period were tried: each has a reference of its own. */
  attempt: number;
  /** Since when a payment is owed. */
  late_since: number | null;
  /** When the card is tried again; null if that is pointless. */
  retry_at: number | null;
  /** Why the last payment failed, as a sentence for the member. */
  failure: string | null;
  /** Nothing is charged while a bank decides about a dispute. */
  held_since: number | null;
  cancelled_at: number | null;
  started_at: number;
  ended_at: number | null;
  updated_at: number;
};

/** A subscription that the provider charges itself, on its way to ours. */
export type ComingSubscriptionsTable = {
  provider: string;
  provider_subscription_id: string;
  /** Null after the account was deleted. */
  user_id: string | null;
  /** `shadow`: the provider charges, and we compare. `ending`: we end it there. `done`: it has ended. */
  state: 'shadow' | 'ending' | 'done';
  plan: Plan;
  /** Cents that we would charge. */
  amount: number;
  /** We would charge next so many periods after the first payment that we knew of. */
  first_at: number;
  periods: number;
  /** Payments from then on haven't been looked at. */
  watched_since: number;
  /** Since when nothing differed. */
  clean_since: number;
  /** How many renewals were the same, and JSON: a sentence for each that wasn't. */
  equal_renewals: number;
  differences: string;
  /** The card, once we end it. */
  method_id: string | null;
  updated_at: number;
};

type PaymentMethodState = 'active' | 'replaced' | 'forgotten';

/** A card that we may charge. A secret: never logged, exported or sent anywhere but to the provider. */
export type PaymentMethodsTable = {
  id: string;
  /** Null after the account was deleted, until the provider has forgotten the card. */
  user_id: string | null;
  provider: string;
  /** Encrypted. */
  token: string;
  /** What the provider wants with a charge: encrypted, as it may be an old address of the member. */
  email: string;
  customer_id: string | null;
  /** A keyed hash of what the provider recognises the card by. */
  fingerprint_hash: string | null;
  brand: string;
  last4: string;
  expiry_month: number;
  expiry_year: number;
  state: PaymentMethodState;
  created_at: number;
};

/** `first` starts a subscription; `once` and `gift` buy months; `card-check` only saves a card. */
type PaymentKind = 'first' | 'renewal' | 'once' | 'gift' | 'card-check';

/**
 * `open`: the member has a page. `asked`: we charge a card and don't know the outcome yet. `pending`: a
 * bank is deciding. `refused`: paid, but it doesn't count and goes back.
 */
export type PaymentRowState =
  | 'open'
  | 'asked'
  | 'pending'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'refused';

/** Written before the provider hears of it: whatever happens is found by its reference. */
export type PaymentsTable = {
  reference: string;
  /** Null after the account was deleted. */
  user_id: string | null;
  kind: PaymentKind;
  /** Of a renewal, or of the card that a check replaces. */
  subscription_id: string | null;
  period: number | null;
  attempt: number | null;
  plan: Plan | null;
  /** What a `once` or `gift` payment buys. */
  months: number | null;
  /** Cents. */
  amount: number;
  /** Of a new subscription: cents of the first payment, which may come later, and of the others. */
  first_amount: number | null;
  renewal_amount: number | null;
  currency: string;
  coupon_id: string | null;
  /** Free days before the first payment, from a trial or a coupon. */
  free_days: number;
  free_kind: 'trial' | 'coupon' | null;
  provider: string;
  provider_id: string | null;
  charge_id: string | null;
  /** How it was paid: `card`, `eft` and others. */
  channel: string | null;
  state: PaymentRowState;
  /** When we first asked the provider to charge a card. */
  asked_at: number | null;
  failure: string | null;
  is_hard: 0 | 1;
  /** A page has reported the purchase to analytics. */
  is_purchase_reported: 0 | 1;
  /** It was refused because its card has already had a free trial. */
  is_card_used: 0 | 1;
  /** Cents that had gone back at the last look, and how many refunds a bank has sent back. */
  refunded: number;
  failed_refunds: number;
  /** When to ask the provider about it; null once it is decided. */
  check_at: number | null;
  created_at: number;
  updated_at: number;
};

export type LedgerEntryKind =
  | 'charge'
  | 'charge-refused'
  | 'charge-failed'
  | 'card-check'
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
  subscription_id: string | null;
  plan: Plan | null;
  /** Cents. */
  amount: number | null;
  currency: string | null;
  /** Cents that the provider kept of a charge; null if it doesn't say. */
  fee: number | null;
  /** The length of a trial, a coupon's free period, a gift, or of a payment without a plan. */
  days: number | null;
  months: number | null;
  /** The end of a grant, or of the period that a renewal pays for. */
  until: number | null;
  /** Why, as a sentence. */
  reason: string;
  /** JSON: more data for reports, such as the reason for a cancellation. */
  detail: string | null;
  /** Who did it: `provider`, `user`, `system`, or the id of an administrator. */
  actor: string;
};

/** Billing e-mails, each sent once. */
type SentMessagesTable = {
  key: string;
  user_id: string;
  created_at: number;
  /** Just before it was handed over to the mail server. */
  sending_at: number | null;
  /** When the mail server had accepted it. */
  sent_at: number | null;
  /** When it came back. */
  bounced_at: number | null;
};

type PaymentIssueKind = PaymentIssue['kind'];

/** What an administrator has to look at. It survives the account and contains no personal data. */
export type PaymentIssuesTable = {
  id: string;
  /** What it is about: one issue for each. */
  key: string;
  kind: PaymentIssueKind;
  user_id: string | null;
  provider: string | null;
  charge_id: string | null;
  /** Of the payment. */
  reference: string | null;
  /** Cents. */
  amount: number | null;
  currency: string | null;
  /** What happened, as a sentence without names. */
  reason: string;
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

/**
 * `refused`: it paid for nothing. `second`: it paid for the same time as another. `withdrawal`: within
 * the cooling-off period, once per member. `administrator`: somebody decided it.
 */
type RefundReason = 'refused' | 'second' | 'withdrawal' | 'administrator';

/** Money that goes back because of us, stored before the provider is asked. */
export type RefundRequestsTable = {
  provider: string;
  charge_id: string;
  /** The same refund asked for again has the same key. */
  key: string;
  /** Cents. */
  amount: number;
  why: RefundReason;
  /** Null if it is nobody's, or after the account was deleted. */
  user_id: string | null;
  /** The entry of the audit log that says who asked for it, for whom and why. */
  action_id: string | null;
  ends_subscription: 0 | 1;
  /** Until then someone is asking the provider; null if nobody ever did. */
  lease_until: number | null;
  requested_at: number;
  /** When the provider had accepted it, and when all that follows from it was done. */
  accepted_at: number | null;
  done_at: number | null;
};

/** `planned` until its date, then `current` until another one replaces it. */
type PriceChangeState = 'planned' | 'current' | 'replaced' | 'cancelled';

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
  state: PriceChangeState;
  /** Some subscriber's next payment has the new price: it can't be cancelled any more. */
  is_applied: 0 | 1;
  created_by: string;
  created_at: number;
  updated_at: number;
};

/** `cancelled` with the whole change; `replaced` by a newer one before it was applied. */
type PriceChangeMemberState = 'told' | 'applied' | 'cancelled' | 'replaced';

export type PriceChangeMembersTable = {
  change_id: string;
  user_id: string;
  old_amount: number;
  told_at: number;
  /** The first payment from then on costs the new price. */
  applies_from: number;
  /** The time of that payment, once it was charged. */
  starts_at: number | null;
  state: PriceChangeMemberState;
  updated_at: number;
};

export type BillingTables = {
  refund_requests: RefundRequestsTable;
  settings: SettingsTable;
  counters: CountersTable;
  billing_accounts: BillingAccountsTable;
  subscriptions: SubscriptionsTable;
  coming_subscriptions: ComingSubscriptionsTable;
  payment_methods: PaymentMethodsTable;
  payments: PaymentsTable;
  ledger_entries: LedgerEntriesTable;
  sent_messages: SentMessagesTable;
  payment_issues: PaymentIssuesTable;
  price_changes: PriceChangesTable;
  price_change_members: PriceChangeMembersTable;
};
