import { runStatements, type MigrationSteps } from './migration.ts';

/** What apps that speak Subsonic need: their passwords, what they play, bookmarks and queues. */
export const musicApps: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
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

      // Like streams, for devices with an app password.
      `create table app_streams (
         app_password_id text primary key not null
           references app_passwords (id) on delete cascade,
         user_id text not null references users (id) on delete cascade,
         started_at time not null,
         seen_at time not null,
         stopped_at time,
         told_at time)`,
      `create index app_streams_by_user on app_streams (user_id)`,

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
    ]),
};
