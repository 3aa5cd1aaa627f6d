import { runStatements, type MigrationSteps } from './migration.ts';

export const scrobblingAndNotices: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // Every request reads the user, so a heartbeat knows without a query whether to look further.
      `alter table users add column is_scrobbling integer not null default 0`,

      // One row per service that the listener has connected.
      `create table scrobble_accounts (
         user_id text not null references users (id) on delete cascade,
         service text not null,
         server text,
         username text not null,
         secret text not null,
         is_paused flag not null,
         connected_at time not null,
         sent_at time,
         refused_at time,
         failed_at time,
         attempts integer not null,
         primary key (user_id, service))`,

      // What the listener is hearing, as far as it is known.
      `create table current_listens (
         user_id text not null references users (id) on delete cascade,
         track_id text not null references tracks (id) on delete cascade,
         chapter integer not null,
         started_at time not null,
         heard_ms time not null,
         position_ms time not null,
         is_scrobbled flag not null,
         updated_at time not null,
         primary key (user_id, track_id))`,
      `create index current_listens_by_track on current_listens (track_id)`,
      `create index current_listens_by_time on current_listens (updated_at)`,

      // Listens that wait until the service has them.
      `create table scrobbles (
         user_id text not null,
         service text not null,
         listened_at time not null,
         track_id text not null,
         chapter integer not null,
         artist text not null,
         title text not null,
         release text not null,
         duration_ms time not null,
         queued_at time not null,
         primary key (user_id, service, listened_at, track_id, chapter),
         foreign key (user_id, service)
           references scrobble_accounts (user_id, service) on delete cascade)`,
      `create index scrobbles_by_time on scrobbles (queued_at)`,

      // A device that gets release notices, for as long as it is logged in.
      `create table push_subscriptions (
         id text primary key not null,
         session_hash text not null references sessions (token_hash) on delete cascade,
         user_id text not null references users (id) on delete cascade,
         endpoint_hash text not null,
         subscription text not null,
         created_at time not null)`,
      `create unique index push_subscriptions_by_endpoint on push_subscriptions (endpoint_hash)`,
      `create index push_subscriptions_by_session on push_subscriptions (session_hash)`,
      `create index push_subscriptions_by_user on push_subscriptions (user_id)`,

      // Who has been told about which release.
      `create table release_notices (
         track_id text not null references tracks (id) on delete cascade,
         subscription_id text not null references push_subscriptions (id) on delete cascade,
         primary key (track_id, subscription_id))`,
      `create index release_notices_by_subscription on release_notices (subscription_id)`,
    ]),
};
