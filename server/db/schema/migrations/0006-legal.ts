import { runStatements, type MigrationSteps } from './migration.ts';

export const legal: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // Every text that a legal page has had, without the facts that are filled in.
      `create table legal_versions (
         page text not null,
         version integer not null,
         text text not null,
         created_by text,
         created_at time not null,
         primary key (page, version))`,
      // Which version a user accepted, when and where.
      `create table legal_acceptances (
         user_id text not null references users (id) on delete cascade,
         page text not null,
         version integer not null,
         place text not null,
         at time not null,
         primary key (user_id, page, version, place))`,
      // A subscription that its member cancelled within the cooling-off period; once per user.
      `create table withdrawals (
         user_id text primary key not null references users (id) on delete cascade,
         provider text not null,
         provider_subscription_id text not null,
         charge_id text not null,
         amount integer not null,
         currency text not null,
         requested_at time not null,
         done_at time)`,
      // Cards that have been used for one, which outlive the account.
      `create table withdrawn_cards (
         card_hash text primary key not null,
         at time not null)`,
    ]),
};
