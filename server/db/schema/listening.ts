import type { Statement } from './migrations/migration.ts';

/** Plays, and what users do with tracks. */
export const listening: Statement[] = [
  // Every playback of a user or a visitor, counted or not. `suspicion` is why it stays out of the
  // chart; null if it doesn't.
  `create table plays (
     id text primary key not null,
     track_id text not null references tracks (id) on delete cascade,
     user_id text references users (id) on delete set null,
     listener_key text not null,
     is_subscriber flag not null check (is_subscriber in (0, 1)),
     started_at time not null,
     listened_at time not null,
     listened_ms integer not null,
     position_ms integer not null,
     is_counted flag not null check (is_counted in (0, 1)),
     counted_at time,
     suspicion text)`,
  `create index plays_by_user on plays (user_id, listened_at)`,
  `create index plays_by_track on plays (track_id, started_at)`,
  `create index plays_by_listened_at on plays (listened_at, id)`,
  `create index plays_previews on plays (counted_at, id) where is_counted = 1 and is_subscriber = 0`,
  `create index plays_suspicious on plays (counted_at, id) where suspicion is not null`,

  // When each listener's play of a track last counted.
  `create table counted_plays (
     listener_key text not null,
     track_id text not null references tracks (id) on delete cascade,
     counted_at time not null,
     primary key (listener_key, track_id))`,

  // Where a user stopped in a track, and how much of it they have listened to.
  `create table progress (
     user_id text not null references users (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     position_ms integer not null,
     listened_ms time not null,
     is_finished flag not null check (is_finished in (0, 1)),
     last_listened_at time not null,
     reach integer,
     reach_day text,
     primary key (user_id, track_id))`,
  `create index progress_by_time on progress (user_id, last_listened_at desc, track_id desc)`,
  `create index progress_by_track on progress (track_id)`,
  `create index progress_by_reach on progress (track_id, reach_day, reach, user_id)
     where reach is not null`,

  // Tracks that users marked as favorites.
  `create table favorites (
     user_id text not null references users (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     created_at time not null,
     primary key (user_id, track_id))`,
  `create index favorites_by_time on favorites (user_id, created_at desc, track_id desc)`,
  `create index favorites_by_track on favorites (track_id)`,

  // What a subscriber has downloaded, per format.
  `create table downloads (
     user_id text not null references users (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     format text not null check (format in ('mp3', 'flac')),
     first_at time not null,
     last_at time not null,
     times integer not null,
     primary key (user_id, track_id, format))`,
  `create index downloads_by_time on downloads (user_id, last_at desc, track_id desc, format desc)`,
  `create index downloads_by_track on downloads (track_id)`,

  // Totals per user from which achievements are decided.
  `create table play_facts (
     user_id text primary key not null references users (id) on delete cascade,
     plays integer not null,
     night_plays integer not null,
     early_plays integer not null,
     week_streak integer not null,
     best_streak integer not null,
     last_week text)`,

  // The achievements a user has earned, and whether the user has seen them.
  `create table achievements (
     user_id text not null references users (id) on delete cascade,
     achievement text not null,
     earned_at time not null,
     seen_at time,
     primary key (user_id, achievement))`,
];

/** What listeners hear goes to the services they have connected. */
export const scrobbling: Statement[] = [
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
];
