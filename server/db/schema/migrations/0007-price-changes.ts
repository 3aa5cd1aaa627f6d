import { runStatements, type MigrationSteps } from './migration.ts';

export const priceChanges: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // A new price of a plan, for everyone who pays it.
      `create table price_changes (
         id text primary key not null,
         plan text not null,
         old_amount integer not null,
         amount integer not null,
         starts_at time not null,
         notice_days integer not null,
         provider text not null,
         plan_id text,
         state text not null,
         is_applied flag not null default 0,
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
      // Cards that had a free trial, as keyed hashes. They survive the account.
      `create table trial_cards (
         card_hash text primary key not null,
         reference text not null,
         at time not null)`,
      `alter table checkouts add column is_card_used flag not null default 0`,
    ]),
};
