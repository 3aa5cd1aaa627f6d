import type { Statement } from './migrations/migration.ts';

/** Subscriptions, payments, refunds, the ledger, coupons and gifts. */
export const billing: Statement[] = [
  // The version of a user's ledger, so that two writers cannot both append the same entry.
  `create table billing_accounts (
     user_id text primary key not null references users (id) on delete cascade,
     version integer not null)`,

  // Cards that members let us charge. The token is encrypted.
  `create table payment_methods (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     provider text not null,
     token text not null,
     email text not null,
     customer_id text,
     fingerprint_hash text,
     brand text not null,
     last4 text not null,
     expiry_month integer not null,
     expiry_year integer not null,
     state text not null,
     created_at time not null)`,
  `create index payment_methods_by_user on payment_methods (user_id)`,

  // Subscriptions are ours: a provider only takes payments, each under a reference of ours.
  `create table subscriptions (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     provider text not null,
     plan text not null,
     status text not null,
     amount integer not null,
     next_plan text,
     next_amount integer not null,
     next_at time not null,
     period integer not null,
     method_id text,
     attempt integer not null,
     late_since time,
     retry_at time,
     failure text,
     held_since time,
     cancelled_at time,
     started_at time not null,
     ended_at time,
     updated_at time not null)`,
  // Nobody has two at a time.
  `create unique index subscriptions_running on subscriptions (user_id) where status <> 'ended'`,
  `create index subscriptions_by_user on subscriptions (user_id, started_at)`,
  `create index subscriptions_by_status on subscriptions (status, next_at, user_id)`,

  // Every payment that we or a member started, written before the provider hears of it.
  `create table payments (
     reference text primary key not null,
     user_id text references users (id) on delete set null,
     kind text not null,
     subscription_id text,
     period integer,
     attempt integer,
     plan text,
     months integer,
     amount integer not null,
     first_amount integer,
     renewal_amount integer,
     refunded integer not null default 0,
     failed_refunds integer not null default 0,
     currency text not null,
     coupon_id text,
     free_days integer not null,
     free_kind text,
     provider text not null,
     provider_id text,
     charge_id text,
     channel text,
     state text not null,
     asked_at time,
     failure text,
     is_hard flag not null,
     is_purchase_reported flag not null,
     is_card_used flag not null,
     check_at time,
     created_at time not null,
     updated_at time not null)`,
  // While the outcome of one isn't known, no other may charge the same card.
  `create unique index payments_asked on payments (subscription_id) where state = 'asked'`,
  `create unique index payments_once_per_period on payments (subscription_id, period) where state = 'paid'`,
  `create index payments_by_user on payments (user_id, created_at)`,
  `create index payments_by_subscription on payments (subscription_id, created_at) where subscription_id is not null`,
  `create index payments_by_time on payments (created_at, reference)`,
  `create index payments_to_check on payments (check_at, reference) where check_at is not null`,
  `create index payments_by_asking on payments (asked_at) where asked_at is not null`,
  `create index payments_by_charge on payments (provider, charge_id) where charge_id is not null`,
  `create index payments_by_coupon on payments (coupon_id) where coupon_id is not null`,

  // One row for each refund, whoever wants it and why. Other refunds were made at the provider.
  `create table refund_requests (
     provider text not null,
     charge_id text not null,
     key text not null,
     amount integer not null,
     why text not null,
     user_id text references users (id) on delete set null,
     action_id text,
     ends_subscription flag not null default 0,
     requested_at time not null,
     lease_until time,
     accepted_at time,
     done_at time,
     primary key (provider, charge_id, key))`,
  // A withdrawal within the cooling-off period: once per member.
  `create unique index refund_requests_withdrawal on refund_requests (user_id)
     where why = 'withdrawal'`,

  // Cards that have been used for a withdrawal, which outlive the account.
  `create table withdrawn_cards (
     card_hash text primary key not null,
     at time not null)`,

  // Cards that had a free trial, as keyed hashes. They survive the account.
  `create table trial_cards (
     card_hash text primary key not null,
     reference text not null,
     at time not null)`,

  // Everything that ever changed a user's access or money, in order. Access is computed from it.
  `create table ledger_entries (
     user_id text not null references users (id) on delete cascade,
     seq integer not null,
     kind text not null,
     at time not null,
     recorded_at time not null,
     provider text,
     charge_id text,
     subscription_id text,
     plan text,
     amount integer,
     fee integer,
     currency text,
     days integer,
     months integer,
     until time,
     because text not null,
     detail text,
     actor text not null,
     primary key (user_id, seq))`,
  // A payment is recorded once, whatever it was for.
  `create unique index ledger_entries_charges on ledger_entries (provider, charge_id)
     where kind in ('charge', 'charge-refused', 'card-check')`,
  `create index ledger_entries_by_charge on ledger_entries (provider, charge_id) where charge_id is not null`,

  // What an administrator has to look at, once per cause. With `keeps_subscription` the subscription
  // goes on even if the bank decides for the member.
  `create table payment_issues (
     id text primary key not null,
     key text not null unique,
     kind text not null,
     user_id text references users (id) on delete set null,
     provider text,
     charge_id text,
     reference text,
     amount integer,
     currency text,
     because text not null,
     keeps_subscription flag not null default 0,
     due_at time,
     opened_at time not null,
     closed_at time,
     closed_by text,
     note text)`,
  `create index payment_issues_open on payment_issues (opened_at, id) where closed_at is null`,
  `create index payment_issues_closed on payment_issues (closed_at, id) where closed_at is not null`,
  `create index payment_issues_by_user on payment_issues (user_id) where user_id is not null`,

  // A new price of a plan, for everyone who pays it.
  `create table price_changes (
     id text primary key not null,
     plan text not null,
     old_amount integer not null,
     amount integer not null,
     starts_at time not null,
     notice_days integer not null,
     provider text not null,
     state text not null,
     is_applied flag not null,
     created_by text not null,
     created_at time not null,
     updated_at time not null)`,
  `create unique index price_changes_planned on price_changes (plan) where state = 'planned'`,
  `create index price_changes_by_time on price_changes (created_at, id)`,

  // Subscribers who were told about it, each at their own time.
  `create table price_change_members (
     change_id text not null references price_changes (id),
     user_id text not null references users (id) on delete cascade,
     old_amount integer not null,
     told_at time not null,
     applies_from time not null,
     starts_at time,
     state text not null,
     updated_at time not null,
     primary key (change_id, user_id))`,
  `create index price_change_members_by_user on price_change_members (user_id)`,
  `create index price_change_members_told on price_change_members (applies_from, change_id, user_id) where state = 'told'`,

  // Discount codes.
  `create table coupons (
     id text primary key not null,
     code text not null unique,
     kind text not null,
     percent integer,
     free_days integer,
     plans text not null,
     max_uses integer,
     starts_at time,
     ends_at time,
     created_by text not null,
     created_at time not null)`,
  `create index coupons_by_time on coupons (created_at, id)`,

  // Links that give some months: made by an administrator, or bought by anyone, even without an account.
  `create table gifts (
     id text primary key not null,
     token_hash text not null unique,
     token text,
     months integer not null,
     from_name text not null,
     words text,
     created_by text not null,
     created_at time not null,
     reference text,
     provider text,
     buyer_id text references users (id) on delete set null,
     buyer_email text,
     recipient_email text,
     open_key text,
     paid_at time,
     send_on text,
     send_at time,
     sent_at time,
     redeemed_by text references users (id) on delete set null,
     redeemed_at time,
     void_at time)`,
  `create index gifts_by_redeemer on gifts (redeemed_by)`,
  `create unique index gifts_by_reference on gifts (reference) where reference is not null`,
  `create unique index gifts_by_open_key on gifts (open_key) where open_key is not null`,
  `create index gifts_by_buyer on gifts (buyer_id) where buyer_id is not null`,
  `create index gifts_to_send on gifts (send_at) where sent_at is null and send_at is not null`,

  // Billing e-mails, so that none goes out twice. `sending_at` is just before a message is handed
  // over, `sent_at` once the mail server has it: with the first only, nobody knows whether it arrived.
  `create table sent_messages (
     key text primary key not null,
     user_id text not null references users (id) on delete cascade,
     created_at time not null,
     sending_at time,
     sent_at time)`,
  `create index sent_messages_by_user on sent_messages (user_id)`,

  // Subscriptions that a provider still charges itself, on their way to ours.
  `create table coming_subscriptions (
     provider text not null,
     provider_subscription_id text not null,
     user_id text references users (id) on delete set null,
     state text not null,
     plan text not null,
     amount integer not null,
     first_at time not null,
     periods integer not null,
     watched_since time not null,
     clean_since time not null,
     equal_renewals integer not null,
     differences text not null,
     method_id text,
     updated_at time not null,
     primary key (provider, provider_subscription_id))`,
  // Nobody comes over twice at a time.
  `create unique index coming_subscriptions_of_user on coming_subscriptions (user_id)
     where state in ('shadow', 'ending')`,

  // One-time offers used by accounts that were deleted, by a keyed hash of the e-mail address.
  `create table used_offers_of_deleted_accounts (
     email_hash text not null,
     offer text not null,
     at time not null,
     primary key (email_hash, offer))`,
];
