import { runStatements, type MigrationSteps } from './migration.ts';

/** How long each part of a mix was heard per day, without who heard it or at what time. */
export const usage: MigrationSteps = {
  up: (tx, dialect) =>
    runStatements(tx, dialect, [
      // What reported a play: null for the site's own player. Staff are in no figures.
      `alter table plays add column source text check (source in ('subsonic', 'staff'))`,
      `update plays set source = 'staff'
         where user_id in (select id from users where is_admin = 1 or is_helper = 1)`,

      // Days that are added up. Each begins where the one before ended, also when clocks or the time
      // zone changed in between.
      `create table usage_days (
         day text primary key not null,
         from_at time not null,
         to_at time not null,
         checked_at time not null)`,

      // \`until_at\` is when the audio was replaced on that day that these plays heard, or 0.
      `create table heard_days (
         day text not null,
         track_id text not null references tracks (id) on delete cascade,
         kind text not null check (kind in ('full', 'preview', 'subsonic', 'podcast')),
         until_at time not null,
         spans text not null,
         plays integer not null,
         listened_ms time not null,
         unplaced_ms time not null,
         primary key (day, track_id, kind, until_at))`,
      `create index heard_days_by_track on heard_days (track_id, day)`,

      // The tracklist of audio that was replaced, for the plays before.
      `create table past_tracklists (
         track_id text not null references tracks (id) on delete cascade,
         until_at time not null,
         chapters text not null,
         duration_ms integer not null,
         primary key (track_id, until_at))`,

      // Feeds that asked for a mix, as hashes with a key of that day, until the day is added up.
      `create table podcast_requests (
         day text not null,
         track_id text not null references tracks (id) on delete cascade,
         feed text not null,
         primary key (day, track_id, feed))`,
      `create index podcast_requests_by_track on podcast_requests (track_id)`,
    ]),
};
