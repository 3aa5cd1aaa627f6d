import type { Statement } from './migrations/migration.ts';

/** The data of the simulated payment provider. No other table refers to it. */
export const sandbox: Statement[] = [
  // One row for each reference, with or without a page.
  `create table sandbox_payments (
     id text primary key not null,
     reference text not null,
     email text,
     amount integer not null check (amount > 0),
     refunded integer not null check (refunded >= 0 and refunded <= amount),
     refunds text not null,
     currency text not null,
     description text not null,
     saves_card flag not null check (saves_card in (0, 1)),
     success_url text,
     cancel_url text,
     state text not null check (state in ('open', 'pending', 'paid', 'failed', 'needs-member')),
     method text,
     card_id text,
     charge_id text,
     failure text,
     is_hard flag not null check (is_hard in (0, 1)),
     respond_by time,
     lost_at time,
     due_at time,
     created_at time not null,
     at time not null,
     changed_at time)`,
  `create unique index sandbox_payments_by_reference on sandbox_payments (reference)`,
  `create unique index sandbox_payments_by_charge on sandbox_payments (charge_id)`,
  `create index sandbox_payments_due on sandbox_payments (due_at) where due_at is not null`,
  `create index sandbox_payments_changed on sandbox_payments (changed_at)`,

  // Cards that can be charged again.
  `create table sandbox_cards (
     id text primary key not null,
     email text not null,
     method text not null,
     uses integer not null,
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
