import { runStatements, type MigrationSteps } from './migration.ts';

/** From where feeds and music apps load audio, in one table; and what sessions and apps play, in one. */
export const devicesWithoutSession: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // Networks as hashes, for a week. A credential is `feed`, or `app:` and the id of a password.
      `create table credential_networks (
         user_id text not null references users (id) on delete cascade,
         credential text not null,
         network text not null,
         seen_at time not null,
         primary key (user_id, credential, network)) without rowid`,
      `create index credential_networks_by_time on credential_networks (seen_at)`,
      `insert into credential_networks (user_id, credential, network, seen_at)
         select user_id, 'feed', network, seen_at from podcast_networks`,
      `drop table podcast_networks`,

      // Streams last for minutes, so the old ones needn't be kept. An app password can have several.
      `drop table app_streams`,
      `drop table streams`,
      `create table streams (
         device text primary key not null,
         user_id text not null references users (id) on delete cascade,
         session_hash text references sessions (token_hash) on delete cascade,
         app_password_id text references app_passwords (id) on delete cascade,
         started_at time not null,
         seen_at time not null,
         stopped_at time,
         told_at time)`,
      `create index streams_by_user on streams (user_id)`,
      `create index streams_by_session on streams (session_hash)`,
      `create index streams_by_app_password on streams (app_password_id)`,
    ]),
};
