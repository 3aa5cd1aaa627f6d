import type { Statement } from '../migrations/migration.ts';

/** Tracks, their files, and how they get in. */
export const tracks: Statement[] = [
  // The weekly mixes. Published, ready ones are what listeners see.
  `create table tracks (
     id text primary key not null,
     title text not null,
     year integer not null,
     week integer not null check (week between 1 and 53),
     description text not null,
     genre text,
     bpm integer,
     duration_ms integer not null,
     chapters text not null,
     cover_key text,
     master_key text,
     master_sha256 text,
     preview_start_ms integer,
     status text not null check (status in ('processing', 'ready', 'failed')),
     progress integer not null,
     failure text,
     is_subscriber_only flag not null check (is_subscriber_only in (0, 1)),
     publish_at time,
     announced_at time,
     play_count integer not null,
     version integer not null default 0,
     created_at time not null,
     updated_at time not null,
     deleted_at time,
     restore_publish_at time,
     purged_at time)`,
  `create index tracks_published on tracks (year desc, week desc, publish_at desc, id desc)
     where publish_at is not null and status = 'ready'`,
  // A genre in the order of the library; the list of genres skips through it.
  `create index tracks_by_genre on tracks (genre, year desc, week desc, publish_at desc, id desc)
     where publish_at is not null and status = 'ready'`,
  `create index tracks_by_slot on tracks (year desc, week desc, created_at desc, id desc)`,
  `create index tracks_by_week on tracks (year, week)`,
  `create index tracks_by_master on tracks (master_sha256) where master_sha256 is not null`,
  `create index tracks_by_master_key on tracks (master_key) where master_key is not null`,
  `create index tracks_by_cover on tracks (cover_key) where cover_key is not null`,
  `create index tracks_to_announce on tracks (publish_at) where announced_at is null`,
  `create index tracks_deleted on tracks (deleted_at) where deleted_at is not null and purged_at is null`,
  `create index tracks_failed on tracks (updated_at) where status = 'failed'`,

  // The audio files of a track.
  `create table renditions (
     track_id text not null references tracks (id) on delete cascade,
     name text not null check (name in ('stream', 'dataSaver', 'preview', 'mp3', 'flac')),
     key text not null,
     size time not null,
     media_type text not null,
     primary key (track_id, name))`,
  `create index renditions_by_key on renditions (key)`,

  // The waveform that the player draws.
  `create table track_peaks (
     track_id text primary key not null references tracks (id) on delete cascade,
     peaks text not null)`,

  // Runs that make the renditions of a track from its master. At most one of a track is processing;
  // a playable track keeps its active run, and the audio named here, until the new one replaces it.
  `create table ingest_runs (
     id text primary key not null,
     track_id text not null references tracks (id) on delete cascade,
     job_id text,
     state text not null check (state in ('processing', 'active', 'failed')),
     replaces_audio flag not null check (replaces_audio in (0, 1)),
     previous_master_key text,
     previous_master_sha256 text,
     found_preview_start_ms time,
     created_at time not null,
     updated_at time not null,
     unique (track_id, state))`,

  // The finished stages of a run, so that a retry continues where the last attempt stopped.
  `create table ingest_stages (
     run_id text not null references ingest_runs (id) on delete cascade,
     stage text not null,
     result text not null,
     finished_at time not null,
     primary key (run_id, stage))`,

  // Masters that administrators upload, in pieces, before they become a track.
  `create table uploads (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     file_name text not null,
     size time not null,
     received time not null,
     state text not null
       check (state in ('uploading', 'received', 'duplicate', 'refused', 'finished')),
     failure text,
     sha256 text,
     container text,
     tags text,
     draft text not null,
     cover_key text,
     track_id text references tracks (id) on delete set null,
     replaces_id text references tracks (id) on delete cascade,
     duplicate_of text references tracks (id) on delete set null,
     is_duplicate_wanted flag not null check (is_duplicate_wanted in (0, 1)),
     version integer not null,
     created_at time not null,
     updated_at time not null)`,
  `create index uploads_by_time on uploads (created_at desc, id desc)`,
  `create index uploads_by_track on uploads (track_id)`,
  `create index uploads_by_cover on uploads (cover_key) where cover_key is not null`,

  // Release e-mails that were queued: one per user and track, however often the job runs.
  `create table release_mails (
     track_id text not null references tracks (id) on delete cascade,
     user_id text not null references users (id) on delete cascade,
     primary key (track_id, user_id))`,
  `create index release_mails_by_user on release_mails (user_id)`,
];
