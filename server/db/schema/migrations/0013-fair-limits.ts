import { runStatements, type MigrationSteps } from './migration.ts';

/** Where an account listens, and what ends its download links. */
export const fairLimits: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // One row per logged-in device that has played full tracks.
      `create table streams (
         session_hash text primary key not null references sessions (token_hash) on delete cascade,
         user_id text not null references users (id) on delete cascade,
         started_at time not null,
         seen_at time not null,
         stopped_at time,
         told_at time)`,
      `create index streams_by_user on streams (user_id)`,

      // A download link of an earlier generation no longer works.
      `alter table users add column link_generation integer not null default 0`,
      // From where a link was used, as hashes.
      `create table download_networks (
         link text not null,
         network text not null,
         user_id text not null references users (id) on delete cascade,
         expires_at time not null,
         primary key (link, network)) without rowid`,
      `create index download_networks_by_user on download_networks (user_id)`,
      `create index download_networks_by_expiry on download_networks (expires_at)`,
    ]),
};
