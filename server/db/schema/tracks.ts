import type { Statement } from './migrations/migration.ts';

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
     series text,
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
  // A series in the order of the library.
  `create index tracks_by_series on tracks (series, year desc, week desc, publish_at desc, id desc)
     where publish_at is not null and status = 'ready' and series is not null`,
  // Finds the release before and after a time.
  `create index tracks_by_release on tracks (publish_at)
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

  // The bytes of an unfinished upload: files in the store, in the order of their first byte.
  `create table upload_parts (
     upload_id text not null references uploads (id) on delete cascade,
     first_byte time not null,
     size time not null check (size > 0),
     key text not null,
     primary key (upload_id, first_byte))`,
  `create index upload_parts_by_key on upload_parts (key)`,

  // Release e-mails that were queued: one per user and track, however often the job runs.
  `create table release_mails (
     track_id text not null references tracks (id) on delete cascade,
     user_id text not null references users (id) on delete cascade,
     primary key (track_id, user_id))`,
  `create index release_mails_by_user on release_mails (user_id)`,
];

/** Who plays in the tracks. */
export const artists: Statement[] = [
  `create table artists (
     id text primary key not null,
     name text not null,
     name_key bytewise_text not null unique,
     about text not null,
     links text not null,
     picture_key text,
     version integer not null default 0,
     created_at time not null,
     updated_at time not null)`,
  `create index artists_by_picture on artists (picture_key) where picture_key is not null`,

  // What an artist was before it was merged into another one: the old name and address still work.
  `create table artist_aliases (
     id text primary key not null,
     name text not null,
     name_key bytewise_text not null,
     artist_id text not null references artists (id) on delete cascade)`,
  `create index artist_aliases_by_name on artist_aliases (name_key)`,
  `create index artist_aliases_by_artist on artist_aliases (artist_id)`,

  // The artists of a track, in their order.
  `create table track_artists (
     track_id text not null references tracks (id) on delete cascade,
     position integer not null,
     artist_id text not null references artists (id),
     primary key (track_id, position)) without rowid`,
  `create unique index track_artists_by_artist on track_artists (artist_id, track_id)`,
];

/** The search index: documents, their words, and what people searched for without success. */
export const search: Statement[] = [
  // One document per track. The number is the row of the full-text index.
  `create table search_docs (
     row_order time primary key not null,
     track_id text not null unique references tracks (id) on delete cascade,
     document text not null,
     genre text,
     version integer not null)`,
  // Words are normalised before they get here; every character that is not ASCII belongs to a word.
  {
    sqlite: `create virtual table search_index using fts5(
       tokens, content='', contentless_delete=1, prefix='3 4 5',
       tokenize="ascii tokenchars '_'")`,
  },
  // Deleting a track deletes its document, and with it the document's words.
  {
    sqlite: `create trigger search_docs_deleted after delete on search_docs begin
       delete from search_index where rowid = old.row_order;
     end`,
  },
  { postgres: `alter table search_docs add column lexemes tsvector` },
  { postgres: `create index search_docs_lexemes on search_docs using gin (lexemes)` },

  // All words, and in how many documents each occurs.
  `create table search_words (word bytewise_text primary key not null, docs integer not null)`,

  // Shortened spellings that lead from a typo to a word.
  `create table search_typos (
     key bytewise_text not null,
     stem bytewise_text not null,
     primary key (key, stem))`,

  // Genres that can be suggested, and in how many documents each occurs.
  `create table search_genres (genre text primary key not null, docs integer not null)`,
  `create index search_genres_by_docs on search_genres (docs desc)`,

  // Searches without a result, per day.
  `create table search_misses (
     day text not null,
     query text not null,
     searches integer not null,
     primary key (day, query))`,
];

/** Playlists of users, and the tracks in them. */
export const playlists: Statement[] = [
  // A deleted playlist can be restored until it is swept.
  `create table playlists (
     id text primary key not null,
     user_id text not null references users (id) on delete cascade,
     request_key text,
     name text not null,
     description text not null,
     share_token text,
     version integer not null,
     created_at time not null,
     updated_at time not null,
     deleted_at time)`,
  `create index playlists_by_time on playlists (user_id, updated_at desc, id desc)
     where deleted_at is null`,
  `create index playlists_deleted on playlists (user_id, deleted_at) where deleted_at is not null`,
  `create index playlists_to_sweep on playlists (deleted_at) where deleted_at is not null`,
  `create unique index playlists_by_request on playlists (user_id, request_key)`,
  `create unique index playlists_by_share_token on playlists (share_token)`,

  // A new position is the middle between its neighbours, so it needs as many bits as a time.
  `create table playlist_tracks (
     playlist_id text not null references playlists (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     position time not null,
     added_at time not null,
     primary key (playlist_id, track_id))`,
  `create index playlist_tracks_in_order on playlist_tracks (playlist_id, position, track_id)`,
  `create index playlist_tracks_by_track on playlist_tracks (track_id)`,
];
