import type { Statement } from '../migrations/migration.ts';

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
