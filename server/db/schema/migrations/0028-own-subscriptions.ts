import { runStatements, type MigrationSteps } from './migration.ts';

/** Subscriptions are ours: a provider only takes payments, each under a reference of ours. */
export const ownSubscriptions: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
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

      `drop table checkouts`,
      `drop table provider_subscriptions`,
      // What a provider reports is only a hint; the job that reads the payment is enough.
      `drop table webhook_events`,
      `alter table ledger_entries rename column provider_subscription_id to subscription_id`,
      `alter table withdrawals rename column provider_subscription_id to subscription_id`,
      `alter table price_changes drop column plan_id`,
      // A payment is recorded once, whatever it was for.
      `drop index ledger_entries_charges`,
      `create unique index ledger_entries_charges on ledger_entries (provider, charge_id)
         where kind in ('charge', 'charge-refused', 'card-check')`,
      // A payment for some months has no plan.
      `alter table invoices add column months integer`,
      `alter table invoices add column new_plan text`,
      `update invoices set new_plan = plan`,
      `alter table invoices drop column plan`,
      `alter table invoices rename column new_plan to plan`,
    ]),
};
