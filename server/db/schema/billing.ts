import type { Statement } from './migrations/migration.ts';

/** Checkouts, subscriptions, webhook events, the ledger, invoices and coupons. */
export const billing: Statement[] = [
  // The version of a user's ledger, so that two writers cannot both append the same entry.
  `create table billing_accounts (
     user_id text primary key not null references users (id) on delete cascade,
     version integer not null)`,

  // Payments that users started, finished or not.
  `create table checkouts (
     reference text primary key not null,
     checkout_id text,
     user_id text references users (id) on delete set null,
     provider text not null,
     plan text not null,
     amount integer not null,
     renewal_amount integer not null,
     currency text not null,
     coupon_id text,
     free_days integer not null,
     free_kind text,
     first_charge_at time not null,
     state text not null,
     customer_id text,
     provider_subscription_id text,
     is_purchase_reported flag not null,
     created_at time not null,
     updated_at time not null)`,
  `create index checkouts_by_user on checkouts (user_id, created_at)`,
  `create index checkouts_by_time on checkouts (created_at, state)`,
  `create index checkouts_by_time_and_reference on checkouts (created_at, reference)`,
  `create index checkouts_open on checkouts (created_at) where state = 'open'`,
  `create index checkouts_by_customer on checkouts (provider, customer_id) where customer_id is not null`,

  // The payment provider's own subscriptions, as we last saw them.
  `create table provider_subscriptions (
     id text primary key not null,
     provider text not null,
     provider_subscription_id text not null,
     user_id text references users (id) on delete set null,
     customer_id text not null,
     reference text,
     plan text not null,
     next_plan text,
     status text not null,
     agreed_prices text not null,
     next_charge_at time,
     next_amount integer,
     card text,
     problem_since time,
     problem text,
     is_duplicate flag not null,
     changing_to text,
     replaced_by text,
     started_at time not null,
     check_at time,
     updated_at time not null,
     constraint provider_subscriptions_once unique (provider, provider_subscription_id))`,
  `create index provider_subscriptions_by_user on provider_subscriptions (user_id)`,
  `create index provider_subscriptions_by_customer on provider_subscriptions (provider, customer_id)`,
  `create index provider_subscriptions_by_status on provider_subscriptions (status, user_id)`,
  `create index provider_subscriptions_to_check on provider_subscriptions (check_at) where check_at is not null`,

  // Webhook events from the provider, each processed once.
  `create table webhook_events (
     id text primary key not null,
     provider text not null,
     event_id text not null,
     kind text not null,
     subjects text not null,
     body text not null,
     state text not null,
     user_id text references users (id) on delete set null,
     received_at time not null,
     processed_at time,
     constraint webhook_events_once unique (provider, event_id))`,
  `create index webhook_events_by_user on webhook_events (user_id)`,
  `create index webhook_events_by_time on webhook_events (received_at)`,

  // Everything that ever changed a user's access or money, in order. Access is computed from it.
  `create table ledger_entries (
     user_id text not null references users (id) on delete cascade,
     seq integer not null,
     kind text not null,
     at time not null,
     recorded_at time not null,
     provider text,
     charge_id text,
     provider_subscription_id text,
     plan text,
     amount integer,
     currency text,
     days integer,
     months integer,
     until time,
     because text not null,
     detail text,
     actor text not null,
     primary key (user_id, seq))`,
  `create unique index ledger_entries_charges on ledger_entries (provider, charge_id)
     where kind in ('charge', 'charge-refused')`,
  `create index ledger_entries_by_charge on ledger_entries (provider, charge_id) where charge_id is not null`,

  // One invoice per charge.
  `create table invoices (
     id text primary key not null,
     number integer not null unique,
     user_id text references users (id) on delete set null,
     provider text not null,
     charge_id text not null,
     plan text not null,
     at time not null,
     from_at time not null,
     to_at time not null,
     amount integer not null,
     refunded integer not null,
     currency text not null,
     card text,
     status text not null,
     constraint invoices_once unique (provider, charge_id))`,
  `create index invoices_by_user on invoices (user_id, number)`,
  `create index invoices_by_time on invoices (at, id)`,

  // Discount codes.
  `create table coupons (
     id text primary key not null,
     code text not null unique,
     kind text not null,
     percent integer,
     free_days integer,
     plans text not null,
     max_uses integer,
     uses integer not null,
     starts_at time,
     ends_at time,
     created_by text not null,
     created_at time not null)`,
  `create index coupons_by_time on coupons (created_at, id)`,

  // Who used which coupon: one use per user.
  `create table coupon_uses (
     coupon_id text not null references coupons (id) on delete cascade,
     user_id text not null references users (id) on delete cascade,
     reference text not null,
     is_used flag not null,
     at time not null,
     primary key (coupon_id, user_id))`,
  `create index coupon_uses_by_user on coupon_uses (user_id)`,
  `create index coupon_uses_by_reference on coupon_uses (reference)`,

  // Gift links for free months.
  `create table gifts (
     id text primary key not null,
     token_hash text not null unique,
     months integer not null,
     from_name text not null,
     created_by text not null,
     created_at time not null,
     redeemed_by text references users (id) on delete set null,
     redeemed_at time)`,
  `create index gifts_by_redeemer on gifts (redeemed_by)`,

  // Billing e-mails that were sent, so that none goes out twice.
  `create table sent_messages (
     key text primary key not null,
     user_id text not null references users (id) on delete cascade,
     created_at time not null)`,
  `create index sent_messages_by_user on sent_messages (user_id)`,

  // One-time offers used by accounts that were deleted, by a keyed hash of the e-mail address.
  `create table used_offers_of_deleted_accounts (
     email_hash text not null,
     offer text not null,
     at time not null,
     primary key (email_hash, offer))`,
];

/** The data of the simulated payment provider. No other table refers to it. */
export const sandbox: Statement[] = [
  // Checkout pages that were opened.
  `create table sandbox_checkouts (
     id text primary key not null,
     reference text not null,
     customer_id text not null,
     plan text not null,
     amount integer not null check (amount >= 0),
     renewal_amount integer not null,
     currency text not null,
     first_charge_at time not null,
     success_url text not null,
     cancel_url text not null,
     state text not null check (state in ('open', 'paid', 'closed')),
     provider_subscription_id text,
     charge_id text,
     created_at time not null)`,
  `create unique index sandbox_checkouts_by_reference on sandbox_checkouts (reference)`,

  // Subscriptions at the provider.
  `create table sandbox_subscriptions (
     id text primary key not null,
     customer_id text not null,
     plan text not null,
     currency text not null,
     status text not null check (status in ('active', 'ending', 'late', 'ended')),
     due_at time not null,
     next_charge_at time not null,
     next_amount integer not null,
     renewal_amount integer not null,
     next_plan text,
     card text not null,
     card_uses integer not null,
     failures integer not null,
     created_at time not null)`,
  `create index sandbox_subscriptions_by_customer on sandbox_subscriptions (customer_id)`,
  `create index sandbox_subscriptions_due on sandbox_subscriptions (next_charge_at) where status <> 'ended'`,

  // Charges of a card, successful or not.
  `create table sandbox_charges (
     id text primary key not null,
     reference text,
     customer_id text not null,
     provider_subscription_id text,
     plan text not null,
     status text not null check (status in ('paid', 'failed')),
     amount integer not null,
     refunded integer not null check (refunded >= 0 and refunded <= amount),
     currency text not null,
     is_disputed flag not null check (is_disputed in (0, 1)),
     card text not null,
     failure text,
     at time not null)`,
  `create index sandbox_charges_by_subscription on sandbox_charges (provider_subscription_id, at)`,

  // Refunds, by their idempotency key.
  `create table sandbox_refunds (
     key text primary key not null,
     charge_id text not null,
     amount integer not null,
     at time not null)`,

  // Pages on which a customer enters a new card.
  `create table sandbox_card_updates (
     id text primary key not null,
     provider_subscription_id text not null,
     return_url text not null,
     created_at time not null)`,

  // Webhook events, sent in the order of `seq`.
  `create table sandbox_events (
     id text primary key not null,
     seq integer not null,
     body text not null,
     created_at time not null,
     delivered_at time)`,
  `create index sandbox_events_by_seq on sandbox_events (seq)`,
  `create index sandbox_events_undelivered on sandbox_events (seq) where delivered_at is null`,
];
