import type { Statement } from './migrations/migration.ts';

/** Feeds and music apps of an account, the limits of its devices, and the devices that get notices. */
export const devices: Statement[] = [
  // The token is encrypted, because Settings shows the address again. A feed is found by its hash.
  `create table podcast_feeds (
     user_id text primary key not null references users (id) on delete cascade,
     token_hash text not null unique,
     token text not null,
     created_at time not null,
     last_used_at time)`,

  // Passwords of music apps.
  `create table app_passwords (
     id text primary key not null,
     user_id text not null references users (id) on delete cascade,
     name text not null,
     secret_hash text not null unique,
     secret text not null,
     created_at time not null,
     last_used_at time,
     last_client text,
     last_ip text)`,
  `create index app_passwords_by_user on app_passwords (user_id)`,

  // One row per device that has played full tracks. An app password can have several.
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

  // From where feeds and music apps load audio: networks as hashes, for a week. A credential is
  // `feed`, or `app:` and the id of a password.
  `create table credential_networks (
     user_id text not null references users (id) on delete cascade,
     credential text not null,
     network text not null,
     seen_at time not null,
     primary key (user_id, credential, network)) without rowid`,
  `create index credential_networks_by_time on credential_networks (seen_at)`,

  // From where a download link was used, as hashes.
  `create table download_networks (
     link text not null,
     network text not null,
     user_id text not null references users (id) on delete cascade,
     expires_at time not null,
     primary key (link, network)) without rowid`,
  `create index download_networks_by_user on download_networks (user_id)`,
  `create index download_networks_by_expiry on download_networks (expires_at)`,

  // What an app has loaded and not yet reported as heard.
  `create table app_plays (
     app_password_id text not null references app_passwords (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     loaded_at time not null,
     playing_since time,
     play_id text,
     listened_ms integer not null default 0,
     position_ms integer,
     primary key (app_password_id, track_id)) without rowid`,
  `create index app_plays_by_track on app_plays (track_id)`,

  // Places in tracks that a user marked in an app.
  `create table bookmarks (
     user_id text not null references users (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     position_ms integer not null,
     comment text not null,
     created_at time not null,
     changed_at time not null,
     primary key (user_id, track_id)) without rowid`,
  `create index bookmarks_by_track on bookmarks (track_id)`,

  // The queue that a user takes from one app to another.
  `create table play_queues (
     user_id text primary key not null references users (id) on delete cascade,
     track_ids text not null,
     current_index integer not null,
     position_ms integer not null,
     changed_at time not null,
     changed_by text not null)`,

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
];
