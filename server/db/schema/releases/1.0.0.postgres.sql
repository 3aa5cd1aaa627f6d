create table jobs (
     id text primary key not null,
     name text not null,
     lane text not null,
     payload text not null,
     unique_key text,
     state text not null check (state in ('ready', 'running', 'dead')),
     run_at bigint not null,
     attempts integer not null check (attempts >= 0),
     max_attempts integer not null check (max_attempts >= 1),
     interruptions integer not null default 0,
     lease_token text,
     lease_until bigint,
     last_error text,
     created_at bigint not null,
     updated_at bigint not null,
     constraint jobs_lease_while_running check (
       (state = 'running') = (lease_token is not null)
       and (lease_token is null) = (lease_until is null)));

create index jobs_due on jobs (run_at, id) where state = 'ready';

create index jobs_due_in_lane on jobs (lane, run_at, id) where state = 'ready';

create index jobs_leased on jobs (lease_until) where state = 'running';

create index jobs_dead on jobs (name) where state = 'dead';

create index jobs_dead_by_time on jobs (updated_at, id) where state = 'dead';

create unique index jobs_unique_key on jobs (unique_key)
     where unique_key is not null and state <> 'dead';

create table schedule_runs (name text primary key not null, ended_at bigint not null, error text);

create table clock_mark (
     id integer primary key not null check (id = 1),
     seen_at bigint not null,
     steady_ms integer not null);

create table outbox (
     id text primary key not null,
     recipient text not null,
     subject text not null,
     body_text text not null,
     body_html text not null,
     created_at bigint not null);

create index outbox_by_time on outbox (created_at, id);

create table rate_limits (key text primary key not null, tat bigint not null);

create index rate_limits_by_tat on rate_limits (tat);

create table settings (
     name text primary key not null,
     value text not null,
     updated_at bigint not null);

create table counters (name text primary key not null, value bigint not null);

create table secrets (name text primary key not null, value text not null);

create table signals (
     id text primary key not null,
     topic text not null,
     created_at bigint not null);

create index signals_by_time on signals (created_at);

create table setup_links (
     token_hash text primary key not null,
     created_at bigint not null,
     expires_at bigint not null);

create table audit_log (
     id text primary key not null,
     at bigint not null,
     actor_id text,
     via text not null,
     action text not null,
     subject_kind text not null,
     subject_id text,
     before text,
     after text,
     because text,
     request_id text);

create index audit_log_by_subject on audit_log (subject_id, id);

create index audit_log_by_actor on audit_log (actor_id, id);

create index audit_log_by_kind on audit_log (subject_kind, id);

create function refuse_audit_change() returns trigger language plpgsql as
       $$ begin raise exception 'The audit log cannot be changed.'; end $$;

create trigger audit_log_no_change before update or delete or truncate on audit_log
       for each statement execute function refuse_audit_change();

create table users (
     id text primary key not null,
     username text not null,
     username_key text not null unique,
     username_look text,
     email text not null,
     email_key text not null unique,
     email_verified_at bigint,
     pending_email text,
     password_hash text not null,
     is_admin integer not null check (is_admin in (0, 1)),
     admin_grace_until bigint,
     paid_through bigint,
     link_generation integer not null default 0,
     is_scrobbling integer not null default 0,
     avatar_key text,
     created_at bigint not null,
     updated_at bigint not null);

create unique index users_by_look on users (username_look);

create index users_administrators on users (id) where is_admin = 1;

create index users_by_paid on users (coalesce(paid_through, 0), id);

create index users_by_name on users (id, username_key, email_key);

create table disabled_accounts (
     user_id text primary key not null references users (id) on delete cascade,
     at bigint not null,
     because text not null);

create table sessions (
     token_hash text primary key not null,
     user_id text not null references users (id) on delete cascade,
     user_agent text not null,
     ip text not null,
     created_at bigint not null,
     last_seen_at bigint not null,
     confirmed_at bigint,
     proved_with text,
     expires_at bigint not null);

create index sessions_by_user on sessions (user_id);

create index sessions_by_expiry on sessions (expires_at);

create table password_resets (
     token_hash text primary key not null,
     user_id text not null references users (id) on delete cascade,
     email text,
     is_invitation integer not null default 0,
     created_at bigint not null,
     expires_at bigint not null);

create index password_resets_by_user on password_resets (user_id);

create index password_resets_by_expiry on password_resets (expires_at);

create table email_links (
     token_hash text primary key not null,
     user_id text not null references users (id) on delete cascade,
     kind text not null,
     email text not null,
     created_at bigint not null,
     expires_at bigint not null);

create index email_links_by_user on email_links (user_id);

create index email_links_by_expiry on email_links (expires_at);

create table held_jobs (
     id text primary key not null,
     user_id text not null references users (id) on delete cascade,
     name text not null,
     payload text not null,
     max_attempts integer not null,
     created_at bigint not null);

create index held_jobs_by_user on held_jobs (user_id, id);

create index held_jobs_by_age on held_jobs (created_at);

create table totp (
     user_id text primary key not null references users (id) on delete cascade,
     secret text not null,
     confirmed_at bigint,
     last_step bigint not null,
     created_at bigint not null);

create table recovery_codes (
     user_id text not null references users (id) on delete cascade,
     code_hash text not null,
     primary key (user_id, code_hash));

create table passkeys (
     id text primary key not null,
     user_id text not null references users (id) on delete cascade,
     credential_id text not null unique,
     public_key text not null,
     counter bigint not null,
     transports text not null,
     is_synced integer not null check (is_synced in (0, 1)),
     name text not null,
     created_at bigint not null,
     last_used_at bigint);

create index passkeys_by_user on passkeys (user_id);

create table passkey_challenges (
     challenge_hash text primary key not null,
     user_id text references users (id) on delete cascade,
     expires_at bigint not null);

create index passkey_challenges_by_user on passkey_challenges (user_id);

create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

create table preferences (
     user_id text primary key not null references users (id) on delete cascade,
     release_mails integer not null check (release_mails in (0, 1)),
     news_mails integer not null check (news_mails in (0, 1)),
     analytics integer not null check (analytics in (0, 1)),
     updated_at bigint not null);

create table legal_versions (
     page text not null,
     version integer not null,
     text text not null,
     created_by text,
     created_at bigint not null,
     primary key (page, version));

create table legal_acceptances (
     user_id text not null references users (id) on delete cascade,
     page text not null,
     version integer not null,
     place text not null,
     at bigint not null,
     primary key (user_id, page, version, place));

create table member_imports (
     id text primary key not null,
     created_by text references users (id) on delete set null,
     file_name text not null,
     source text not null,
     state text not null check (state in ('checking', 'draft', 'running', 'done')),
     outcomes text,
     lines integer not null,
     with_access integer not null,
     created_at bigint not null,
     finished_at bigint);

create index member_imports_by_state on member_imports (state, created_at);

create table member_import_lines (
     import_id text not null references member_imports (id) on delete cascade,
     line integer not null,
     email text not null,
     email_key text not null,
     name text not null,
     paid_until bigint,
     is_unsubscribed integer not null check (is_unsubscribed in (0, 1)),
     outcome text not null,
     note text,
     user_id text references users (id) on delete cascade,
     done_at bigint,
     primary key (import_id, line));

create index member_import_lines_by_outcome on member_import_lines (import_id, outcome, line);

create index member_import_lines_open on member_import_lines (import_id, line)
     where done_at is null;

create index member_import_lines_by_email on member_import_lines (email_key);

create index member_import_lines_by_user on member_import_lines (user_id)
     where user_id is not null;

create table tracks (
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
     is_subscriber_only integer not null check (is_subscriber_only in (0, 1)),
     publish_at bigint,
     announced_at bigint,
     play_count integer not null,
     version integer not null default 0,
     created_at bigint not null,
     updated_at bigint not null,
     deleted_at bigint,
     restore_publish_at bigint,
     purged_at bigint);

create index tracks_published on tracks (year desc, week desc, publish_at desc, id desc)
     where publish_at is not null and status = 'ready';

create index tracks_by_genre on tracks (genre, year desc, week desc, publish_at desc, id desc)
     where publish_at is not null and status = 'ready';

create index tracks_by_series on tracks (series, year desc, week desc, publish_at desc, id desc)
     where publish_at is not null and status = 'ready' and series is not null;

create index tracks_by_release on tracks (publish_at)
     where publish_at is not null and status = 'ready';

create index tracks_by_slot on tracks (year desc, week desc, created_at desc, id desc);

create index tracks_by_week on tracks (year, week);

create index tracks_by_master on tracks (master_sha256) where master_sha256 is not null;

create index tracks_by_master_key on tracks (master_key) where master_key is not null;

create index tracks_by_cover on tracks (cover_key) where cover_key is not null;

create index tracks_to_announce on tracks (publish_at) where announced_at is null;

create index tracks_deleted on tracks (deleted_at) where deleted_at is not null and purged_at is null;

create index tracks_failed on tracks (updated_at) where status = 'failed';

create table renditions (
     track_id text not null references tracks (id) on delete cascade,
     name text not null check (name in ('stream', 'dataSaver', 'preview', 'mp3', 'flac')),
     key text not null,
     size bigint not null,
     media_type text not null,
     primary key (track_id, name));

create index renditions_by_key on renditions (key);

create table track_peaks (
     track_id text primary key not null references tracks (id) on delete cascade,
     peaks text not null);

create table ingest_runs (
     id text primary key not null,
     track_id text not null references tracks (id) on delete cascade,
     job_id text,
     state text not null check (state in ('processing', 'active', 'failed')),
     replaces_audio integer not null check (replaces_audio in (0, 1)),
     previous_master_key text,
     previous_master_sha256 text,
     found_preview_start_ms bigint,
     created_at bigint not null,
     updated_at bigint not null,
     unique (track_id, state));

create table ingest_stages (
     run_id text not null references ingest_runs (id) on delete cascade,
     stage text not null,
     result text not null,
     finished_at bigint not null,
     primary key (run_id, stage));

create table uploads (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     file_name text not null,
     size bigint not null,
     received bigint not null,
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
     is_duplicate_wanted integer not null check (is_duplicate_wanted in (0, 1)),
     version integer not null,
     created_at bigint not null,
     updated_at bigint not null);

create index uploads_by_time on uploads (created_at desc, id desc);

create index uploads_by_track on uploads (track_id);

create index uploads_by_cover on uploads (cover_key) where cover_key is not null;

create table upload_parts (
     upload_id text not null references uploads (id) on delete cascade,
     first_byte bigint not null,
     size bigint not null check (size > 0),
     key text not null,
     primary key (upload_id, first_byte));

create index upload_parts_by_key on upload_parts (key);

create table release_mails (
     track_id text not null references tracks (id) on delete cascade,
     user_id text not null references users (id) on delete cascade,
     primary key (track_id, user_id));

create index release_mails_by_user on release_mails (user_id);

create table artists (
     id text primary key not null,
     name text not null,
     name_key text collate "C" not null unique,
     about text not null,
     links text not null,
     picture_key text,
     version integer not null default 0,
     created_at bigint not null,
     updated_at bigint not null);

create index artists_by_picture on artists (picture_key) where picture_key is not null;

create table artist_aliases (
     id text primary key not null,
     name text not null,
     name_key text collate "C" not null,
     artist_id text not null references artists (id) on delete cascade);

create index artist_aliases_by_name on artist_aliases (name_key);

create index artist_aliases_by_artist on artist_aliases (artist_id);

create table track_artists (
     track_id text not null references tracks (id) on delete cascade,
     position integer not null,
     artist_id text not null references artists (id),
     primary key (track_id, position));

create unique index track_artists_by_artist on track_artists (artist_id, track_id);

create table plays (
     id text primary key not null,
     track_id text not null references tracks (id) on delete cascade,
     user_id text references users (id) on delete set null,
     listener_key text not null,
     is_subscriber integer not null check (is_subscriber in (0, 1)),
     started_at bigint not null,
     listened_at bigint not null,
     listened_ms integer not null,
     position_ms integer not null,
     is_counted integer not null check (is_counted in (0, 1)),
     counted_at bigint,
     suspicion text);

create index plays_by_user on plays (user_id, listened_at);

create index plays_by_track on plays (track_id, started_at);

create index plays_by_listened_at on plays (listened_at, id);

create index plays_previews on plays (counted_at, id) where is_counted = 1 and is_subscriber = 0;

create index plays_suspicious on plays (counted_at, id) where suspicion is not null;

create table counted_plays (
     listener_key text not null,
     track_id text not null references tracks (id) on delete cascade,
     counted_at bigint not null,
     primary key (listener_key, track_id));

create table progress (
     user_id text not null references users (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     position_ms integer not null,
     listened_ms bigint not null,
     is_finished integer not null check (is_finished in (0, 1)),
     last_listened_at bigint not null,
     reach integer,
     reach_day text,
     primary key (user_id, track_id));

create index progress_by_time on progress (user_id, last_listened_at desc, track_id desc);

create index progress_by_track on progress (track_id);

create index progress_by_reach on progress (track_id, reach_day, reach, user_id)
     where reach is not null;

create table favorites (
     user_id text not null references users (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     created_at bigint not null,
     primary key (user_id, track_id));

create index favorites_by_time on favorites (user_id, created_at desc, track_id desc);

create index favorites_by_track on favorites (track_id);

create table downloads (
     user_id text not null references users (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     format text not null check (format in ('mp3', 'flac')),
     first_at bigint not null,
     last_at bigint not null,
     times integer not null,
     primary key (user_id, track_id, format));

create index downloads_by_time on downloads (user_id, last_at desc, track_id desc, format desc);

create index downloads_by_track on downloads (track_id);

create table play_facts (
     user_id text primary key not null references users (id) on delete cascade,
     plays integer not null,
     night_plays integer not null,
     early_plays integer not null,
     week_streak integer not null,
     best_streak integer not null,
     last_week text);

create table achievements (
     user_id text not null references users (id) on delete cascade,
     achievement text not null,
     earned_at bigint not null,
     seen_at bigint,
     primary key (user_id, achievement));

create table scrobble_accounts (
     user_id text not null references users (id) on delete cascade,
     service text not null,
     server text,
     username text not null,
     secret text not null,
     is_paused integer not null,
     connected_at bigint not null,
     sent_at bigint,
     refused_at bigint,
     failed_at bigint,
     attempts integer not null,
     primary key (user_id, service));

create table current_listens (
     user_id text not null references users (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     chapter integer not null,
     started_at bigint not null,
     heard_ms bigint not null,
     position_ms bigint not null,
     is_scrobbled integer not null,
     updated_at bigint not null,
     primary key (user_id, track_id));

create index current_listens_by_track on current_listens (track_id);

create index current_listens_by_time on current_listens (updated_at);

create table scrobbles (
     user_id text not null,
     service text not null,
     listened_at bigint not null,
     track_id text not null,
     chapter integer not null,
     artist text not null,
     title text not null,
     release text not null,
     duration_ms bigint not null,
     queued_at bigint not null,
     primary key (user_id, service, listened_at, track_id, chapter),
     foreign key (user_id, service)
       references scrobble_accounts (user_id, service) on delete cascade);

create index scrobbles_by_time on scrobbles (queued_at);

create table podcast_feeds (
     user_id text primary key not null references users (id) on delete cascade,
     token_hash text not null unique,
     token text not null,
     created_at bigint not null,
     last_used_at bigint);

create table app_passwords (
     id text primary key not null,
     user_id text not null references users (id) on delete cascade,
     name text not null,
     secret_hash text not null unique,
     secret text not null,
     created_at bigint not null,
     last_used_at bigint,
     last_client text,
     last_ip text);

create index app_passwords_by_user on app_passwords (user_id);

create table streams (
     device text primary key not null,
     user_id text not null references users (id) on delete cascade,
     session_hash text references sessions (token_hash) on delete cascade,
     app_password_id text references app_passwords (id) on delete cascade,
     started_at bigint not null,
     seen_at bigint not null,
     stopped_at bigint,
     told_at bigint);

create index streams_by_user on streams (user_id);

create index streams_by_session on streams (session_hash);

create index streams_by_app_password on streams (app_password_id);

create table credential_networks (
     user_id text not null references users (id) on delete cascade,
     credential text not null,
     network text not null,
     seen_at bigint not null,
     primary key (user_id, credential, network));

create index credential_networks_by_time on credential_networks (seen_at);

create table download_networks (
     link text not null,
     network text not null,
     user_id text not null references users (id) on delete cascade,
     expires_at bigint not null,
     primary key (link, network));

create index download_networks_by_user on download_networks (user_id);

create index download_networks_by_expiry on download_networks (expires_at);

create table app_plays (
     app_password_id text not null references app_passwords (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     loaded_at bigint not null,
     playing_since bigint,
     play_id text,
     listened_ms integer not null default 0,
     position_ms integer,
     primary key (app_password_id, track_id));

create index app_plays_by_track on app_plays (track_id);

create table bookmarks (
     user_id text not null references users (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     position_ms integer not null,
     comment text not null,
     created_at bigint not null,
     changed_at bigint not null,
     primary key (user_id, track_id));

create index bookmarks_by_track on bookmarks (track_id);

create table play_queues (
     user_id text primary key not null references users (id) on delete cascade,
     track_ids text not null,
     current_index integer not null,
     position_ms integer not null,
     changed_at bigint not null,
     changed_by text not null);

create table push_subscriptions (
     id text primary key not null,
     session_hash text not null references sessions (token_hash) on delete cascade,
     user_id text not null references users (id) on delete cascade,
     endpoint_hash text not null,
     subscription text not null,
     created_at bigint not null);

create unique index push_subscriptions_by_endpoint on push_subscriptions (endpoint_hash);

create index push_subscriptions_by_session on push_subscriptions (session_hash);

create index push_subscriptions_by_user on push_subscriptions (user_id);

create table release_notices (
     track_id text not null references tracks (id) on delete cascade,
     subscription_id text not null references push_subscriptions (id) on delete cascade,
     primary key (track_id, subscription_id));

create index release_notices_by_subscription on release_notices (subscription_id);

create table track_figures (
     track_id text primary key not null references tracks (id) on delete cascade,
     listeners integer not null default 0,
     favorites integer not null default 0,
     downloads integer not null default 0);

create function counted_plays_insert_counted() returns trigger language plpgsql as $$ begin insert into track_figures (track_id, listeners)
  values (new.track_id, 1)
  on conflict (track_id) do update set listeners = track_figures.listeners + 1; return null; end $$;

create trigger counted_plays_insert_counted after insert on counted_plays for each row execute function counted_plays_insert_counted();

create function counted_plays_delete_counted() returns trigger language plpgsql as $$ begin update track_figures set listeners = listeners - 1 where track_id = old.track_id; return null; end $$;

create trigger counted_plays_delete_counted after delete on counted_plays for each row execute function counted_plays_delete_counted();

create function favorites_insert_counted() returns trigger language plpgsql as $$ begin insert into track_figures (track_id, favorites)
  values (new.track_id, 1)
  on conflict (track_id) do update set favorites = track_figures.favorites + 1; return null; end $$;

create trigger favorites_insert_counted after insert on favorites for each row execute function favorites_insert_counted();

create function favorites_delete_counted() returns trigger language plpgsql as $$ begin update track_figures set favorites = favorites - 1 where track_id = old.track_id; return null; end $$;

create trigger favorites_delete_counted after delete on favorites for each row execute function favorites_delete_counted();

create function downloads_insert_counted() returns trigger language plpgsql as $$ begin insert into track_figures (track_id, downloads)
  values (new.track_id, 1)
  on conflict (track_id) do update set downloads = track_figures.downloads + 1; return null; end $$;

create trigger downloads_insert_counted after insert on downloads for each row execute function downloads_insert_counted();

create function downloads_delete_counted() returns trigger language plpgsql as $$ begin update track_figures set downloads = downloads - 1 where track_id = old.track_id; return null; end $$;

create trigger downloads_delete_counted after delete on downloads for each row execute function downloads_delete_counted();

create table playlists (
     id text primary key not null,
     user_id text not null references users (id) on delete cascade,
     request_key text,
     name text not null,
     description text not null,
     share_token text,
     version integer not null,
     created_at bigint not null,
     updated_at bigint not null,
     deleted_at bigint);

create index playlists_by_time on playlists (user_id, updated_at desc, id desc)
     where deleted_at is null;

create index playlists_deleted on playlists (user_id, deleted_at) where deleted_at is not null;

create index playlists_to_sweep on playlists (deleted_at) where deleted_at is not null;

create unique index playlists_by_request on playlists (user_id, request_key);

create unique index playlists_by_share_token on playlists (share_token);

create table playlist_tracks (
     playlist_id text not null references playlists (id) on delete cascade,
     track_id text not null references tracks (id) on delete cascade,
     position bigint not null,
     added_at bigint not null,
     primary key (playlist_id, track_id));

create index playlist_tracks_in_order on playlist_tracks (playlist_id, position, track_id);

create index playlist_tracks_by_track on playlist_tracks (track_id);

create table play_days (
     day text not null,
     track_id text not null references tracks (id) on delete cascade,
     plays integer not null,
     subscriber_listeners integer not null,
     free_listeners integer not null,
     primary key (day, track_id));

create table listener_days (
     day text not null,
     track_id text not null references tracks (id) on delete cascade,
     listener_key text not null,
     suspicion text,
     primary key (day, track_id, listener_key));

create index listener_days_by_listener on listener_days (listener_key);

create table network_listeners (
     day text not null,
     track_id text not null references tracks (id) on delete cascade,
     network text not null,
     listeners integer not null,
     primary key (day, track_id, network));

create index network_listeners_by_track on network_listeners (track_id);

create table suspicious_days (
     day text not null,
     track_id text not null references tracks (id) on delete cascade,
     suspicion text not null,
     plays integer not null,
     primary key (day, track_id, suspicion));

create index suspicious_days_by_track on suspicious_days (track_id);

create table charts (
     chart text primary key not null,
     as_of bigint not null,
     from_day text not null,
     to_day text not null);

create table chart_entries (
     chart text not null references charts (chart),
     rank integer not null,
     track_id text not null references tracks (id) on delete cascade,
     subscriber_days integer not null,
     free_days integer not null,
     previous_rank integer,
     peak integer not null,
     weeks_on_chart integer not null,
     recent text not null,
     primary key (chart, rank));

create unique index chart_entries_by_track on chart_entries (track_id, chart);

create table search_docs (
     row_order bigint primary key not null,
     track_id text not null unique references tracks (id) on delete cascade,
     document text not null,
     genre text,
     version integer not null);

alter table search_docs add column lexemes tsvector;

create index search_docs_lexemes on search_docs using gin (lexemes);

create table search_words (word text collate "C" primary key not null, docs integer not null);

create table search_typos (
     key text collate "C" not null,
     stem text collate "C" not null,
     primary key (key, stem));

create table search_genres (genre text primary key not null, docs integer not null);

create index search_genres_by_docs on search_genres (docs desc);

create table search_misses (
     day text not null,
     query text not null,
     searches integer not null,
     primary key (day, query));

create table billing_accounts (
     user_id text primary key not null references users (id) on delete cascade,
     version integer not null);

create table payment_methods (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     provider text not null,
     token text not null,
     email text not null,
     customer_id text,
     fingerprint_hash text,
     brand text not null,
     last4 text not null,
     expiry_month integer not null,
     expiry_year integer not null,
     state text not null,
     created_at bigint not null);

create index payment_methods_by_user on payment_methods (user_id);

create table subscriptions (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     provider text not null,
     plan text not null,
     status text not null,
     amount integer not null,
     next_plan text,
     next_amount integer not null,
     next_at bigint not null,
     period integer not null,
     method_id text,
     attempt integer not null,
     late_since bigint,
     retry_at bigint,
     failure text,
     held_since bigint,
     cancelled_at bigint,
     started_at bigint not null,
     ended_at bigint,
     updated_at bigint not null);

create unique index subscriptions_running on subscriptions (user_id) where status <> 'ended';

create index subscriptions_by_user on subscriptions (user_id, started_at);

create index subscriptions_by_status on subscriptions (status, next_at, user_id);

create table payments (
     reference text primary key not null,
     user_id text references users (id) on delete set null,
     kind text not null,
     subscription_id text,
     period integer,
     attempt integer,
     plan text,
     months integer,
     amount integer not null,
     first_amount integer,
     renewal_amount integer,
     refunded integer not null default 0,
     failed_refunds integer not null default 0,
     currency text not null,
     coupon_id text,
     free_days integer not null,
     free_kind text,
     provider text not null,
     provider_id text,
     charge_id text,
     channel text,
     state text not null,
     asked_at bigint,
     failure text,
     is_hard integer not null,
     is_purchase_reported integer not null,
     is_card_used integer not null,
     check_at bigint,
     created_at bigint not null,
     updated_at bigint not null);

create unique index payments_asked on payments (subscription_id) where state = 'asked';

create unique index payments_once_per_period on payments (subscription_id, period) where state = 'paid';

create index payments_by_user on payments (user_id, created_at);

create index payments_by_subscription on payments (subscription_id, created_at) where subscription_id is not null;

create index payments_by_time on payments (created_at, reference);

create index payments_to_check on payments (check_at, reference) where check_at is not null;

create index payments_by_asking on payments (asked_at) where asked_at is not null;

create index payments_by_charge on payments (provider, charge_id) where charge_id is not null;

create index payments_by_coupon on payments (coupon_id) where coupon_id is not null;

create table refund_requests (
     provider text not null,
     charge_id text not null,
     key text not null,
     amount integer not null,
     why text not null,
     user_id text references users (id) on delete set null,
     action_id text,
     ends_subscription integer not null default 0,
     requested_at bigint not null,
     lease_until bigint,
     accepted_at bigint,
     done_at bigint,
     primary key (provider, charge_id, key));

create unique index refund_requests_withdrawal on refund_requests (user_id)
     where why = 'withdrawal';

create table withdrawn_cards (
     card_hash text primary key not null,
     at bigint not null);

create table trial_cards (
     card_hash text primary key not null,
     reference text not null,
     at bigint not null);

create table ledger_entries (
     user_id text not null references users (id) on delete cascade,
     seq integer not null,
     kind text not null,
     at bigint not null,
     recorded_at bigint not null,
     provider text,
     charge_id text,
     subscription_id text,
     plan text,
     amount integer,
     fee integer,
     currency text,
     days integer,
     months integer,
     until bigint,
     because text not null,
     detail text,
     actor text not null,
     primary key (user_id, seq));

create unique index ledger_entries_charges on ledger_entries (provider, charge_id)
     where kind in ('charge', 'charge-refused', 'card-check');

create index ledger_entries_by_charge on ledger_entries (provider, charge_id) where charge_id is not null;

create table payment_issues (
     id text primary key not null,
     key text not null unique,
     kind text not null,
     user_id text references users (id) on delete set null,
     provider text,
     charge_id text,
     reference text,
     amount integer,
     currency text,
     because text not null,
     keeps_subscription integer not null default 0,
     due_at bigint,
     opened_at bigint not null,
     closed_at bigint,
     closed_by text,
     note text);

create index payment_issues_open on payment_issues (opened_at, id) where closed_at is null;

create index payment_issues_closed on payment_issues (closed_at, id) where closed_at is not null;

create index payment_issues_by_user on payment_issues (user_id) where user_id is not null;

create table price_changes (
     id text primary key not null,
     plan text not null,
     old_amount integer not null,
     amount integer not null,
     starts_at bigint not null,
     notice_days integer not null,
     provider text not null,
     state text not null,
     is_applied integer not null,
     created_by text not null,
     created_at bigint not null,
     updated_at bigint not null);

create unique index price_changes_planned on price_changes (plan) where state = 'planned';

create index price_changes_by_time on price_changes (created_at, id);

create table price_change_members (
     change_id text not null references price_changes (id),
     user_id text not null references users (id) on delete cascade,
     old_amount integer not null,
     told_at bigint not null,
     applies_from bigint not null,
     starts_at bigint,
     state text not null,
     updated_at bigint not null,
     primary key (change_id, user_id));

create index price_change_members_by_user on price_change_members (user_id);

create index price_change_members_told on price_change_members (applies_from, change_id, user_id) where state = 'told';

create table coupons (
     id text primary key not null,
     code text not null unique,
     kind text not null,
     percent integer,
     free_days integer,
     plans text not null,
     max_uses integer,
     starts_at bigint,
     ends_at bigint,
     created_by text not null,
     created_at bigint not null);

create index coupons_by_time on coupons (created_at, id);

create table gifts (
     id text primary key not null,
     token_hash text not null unique,
     token text,
     months integer not null,
     from_name text not null,
     words text,
     created_by text not null,
     created_at bigint not null,
     reference text,
     provider text,
     buyer_id text references users (id) on delete set null,
     buyer_email text,
     recipient_email text,
     open_key text,
     paid_at bigint,
     send_on text,
     send_at bigint,
     sent_at bigint,
     redeemed_by text references users (id) on delete set null,
     redeemed_at bigint,
     void_at bigint);

create index gifts_by_redeemer on gifts (redeemed_by);

create unique index gifts_by_reference on gifts (reference) where reference is not null;

create unique index gifts_by_open_key on gifts (open_key) where open_key is not null;

create index gifts_by_buyer on gifts (buyer_id) where buyer_id is not null;

create index gifts_to_send on gifts (send_at) where sent_at is null and send_at is not null;

create table sent_messages (
     key text primary key not null,
     user_id text not null references users (id) on delete cascade,
     created_at bigint not null,
     sending_at bigint,
     sent_at bigint);

create index sent_messages_by_user on sent_messages (user_id);

create table coming_subscriptions (
     provider text not null,
     provider_subscription_id text not null,
     user_id text references users (id) on delete set null,
     state text not null,
     plan text not null,
     amount integer not null,
     first_at bigint not null,
     periods integer not null,
     watched_since bigint not null,
     clean_since bigint not null,
     equal_renewals integer not null,
     differences text not null,
     method_id text,
     updated_at bigint not null,
     primary key (provider, provider_subscription_id));

create unique index coming_subscriptions_of_user on coming_subscriptions (user_id)
     where state in ('shadow', 'ending');

create table used_offers_of_deleted_accounts (
     email_hash text not null,
     offer text not null,
     at bigint not null,
     primary key (email_hash, offer));

create table invoices (
     id text primary key not null,
     number integer not null unique,
     user_id text references users (id) on delete set null,
     provider text not null,
     charge_id text not null,
     plan text,
     months integer,
     at bigint not null,
     issued_at bigint not null,
     booked_on text not null,
     from_at bigint not null,
     to_at bigint not null,
     amount integer not null,
     refunded integer not null,
     vat_rate integer,
     vat integer not null,
     fee integer,
     currency text not null,
     card text,
     status text not null,
     seller text,
     buyer_name text,
     buyer_email text,
     buyer_address text,
     buyer_vat_number text,
     description text,
     constraint invoices_once unique (provider, charge_id));

create index invoices_by_user on invoices (user_id, number);

create index invoices_by_time on invoices (at, id);

create index invoices_by_booking on invoices (booked_on, number);

create table credit_notes (
     id text primary key not null,
     kind text not null,
     number integer not null,
     invoice_id text not null references invoices (id),
     at bigint not null,
     issued_at bigint not null,
     booked_on text not null,
     amount integer not null,
     vat integer not null,
     currency text not null,
     reason text not null,
     constraint credit_notes_once unique (kind, number));

create index credit_notes_by_invoice on credit_notes (invoice_id, at);

create index credit_notes_by_time on credit_notes (at, id);

create index credit_notes_by_booking on credit_notes (booked_on, kind, number);

create table refused_payments (
     id text primary key not null,
     kind text not null,
     provider text not null,
     charge_id text not null,
     at bigint not null,
     booked_on text not null,
     amount integer not null,
     currency text not null,
     fee integer,
     because text not null);

create index refused_payments_by_charge on refused_payments (provider, charge_id);

create index refused_payments_by_time on refused_payments (at, id);

create index refused_payments_by_booking on refused_payments (booked_on, id);

create table buyer_details (
     user_id text primary key not null references users (id) on delete cascade,
     name text not null,
     address text not null,
     vat_number text not null,
     updated_at bigint not null);

create table sandbox_payments (
     id text primary key not null,
     reference text not null,
     email text,
     amount integer not null check (amount > 0),
     refunded integer not null check (refunded >= 0 and refunded <= amount),
     refunds text not null,
     currency text not null,
     description text not null,
     saves_card integer not null check (saves_card in (0, 1)),
     success_url text,
     cancel_url text,
     state text not null check (state in ('open', 'pending', 'paid', 'failed', 'needs-member')),
     method text,
     card_id text,
     charge_id text,
     failure text,
     is_hard integer not null check (is_hard in (0, 1)),
     respond_by bigint,
     lost_at bigint,
     due_at bigint,
     created_at bigint not null,
     at bigint not null,
     changed_at bigint);

create unique index sandbox_payments_by_reference on sandbox_payments (reference);

create unique index sandbox_payments_by_charge on sandbox_payments (charge_id);

create index sandbox_payments_due on sandbox_payments (due_at) where due_at is not null;

create index sandbox_payments_changed on sandbox_payments (changed_at);

create table sandbox_cards (
     id text primary key not null,
     email text not null,
     method text not null,
     uses integer not null,
     created_at bigint not null);

create table sandbox_events (
     id text primary key not null,
     seq integer not null,
     body text not null,
     created_at bigint not null,
     delivered_at bigint);

create index sandbox_events_by_seq on sandbox_events (seq);

create index sandbox_events_undelivered on sandbox_events (seq) where delivered_at is null;

create table site_days (
     day text primary key not null,
     plays integer not null,
     subscriber_plays integer not null,
     listeners integer not null);

create table play_hours (
     day text not null,
     hour integer not null,
     plays integer not null,
     primary key (day, hour));

create table play_months (
     month text not null,
     track_id text not null references tracks (id) on delete cascade,
     plays integer not null,
     primary key (month, track_id));

create index play_months_by_track on play_months (track_id);

create table listener_last_days (
     listener_key text primary key not null,
     day text not null);

create table listener_gaps (
     day text not null,
     previous_day text not null,
     listeners integer not null,
     primary key (day, previous_day));

create table listener_visits (
     day text not null,
     previous_day text not null,
     listener_key text not null,
     primary key (day, previous_day, listener_key));

create index listener_visits_by_listener on listener_visits (listener_key);

create table track_reach (
     track_id text not null references tracks (id) on delete cascade,
     day text not null,
     reach integer not null,
     listeners integer not null,
     primary key (track_id, day, reach));

create table subscription_days (
     day text primary key not null,
     started integer not null,
     ended integer not null,
     mrr bigint not null);

create table money_days (
     day text primary key not null,
     payments integer not null,
     charged bigint not null,
     returned bigint not null);

create table cohort_months (
     cohort text not null,
     month integer not null,
     subscribers integer not null,
     primary key (cohort, month));

create table paid_spans (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     from_day text not null,
     to_day text not null,
     monthly bigint not null,
     is_start integer not null,
     is_end integer not null,
     cohort text);

create index paid_spans_by_end on paid_spans (to_day, id, from_day);

create index paid_spans_started on paid_spans (from_day, id) where is_start = 1;

create index paid_spans_ended on paid_spans (to_day, id) where is_end = 1;

create index paid_spans_by_cohort on paid_spans (cohort, id) where cohort is not null;

create index paid_spans_by_user on paid_spans (user_id) where user_id is not null;

create table money_returns (
     id text primary key not null,
     user_id text references users (id) on delete set null,
     day text not null,
     at bigint not null,
     kind text not null,
     amount bigint not null);

create index money_returns_by_day on money_returns (day, id);

create index money_returns_by_user on money_returns (user_id) where user_id is not null;

create table analytics_events (
     id text primary key not null,
     at bigint not null,
     name text not null,
     user_id text references users (id) on delete set null,
     device text,
     properties text not null);

create index analytics_events_by_time on analytics_events (at);

create index analytics_events_by_user on analytics_events (user_id) where user_id is not null;

create table analytics_days (
     day text not null,
     name text not null,
     detail text not null,
     events integer not null,
     primary key (day, name, detail));

create table analytics_arrivals (
     day text not null,
     network text not null,
     events integer not null,
     bytes bigint not null,
     primary key (day, network));

create table analytics_outbox (
     id text primary key not null,
     queued_at bigint not null,
     user_id text,
     body text not null);

create index analytics_outbox_by_time on analytics_outbox (queued_at, id);

create index analytics_outbox_by_user on analytics_outbox (user_id) where user_id is not null;

create table catalogue_version (
     id integer primary key not null check (id = 1),
     version text not null,
     plays text not null);

insert into catalogue_version values (1, gen_random_uuid(), '');

create function renew_version() returns trigger language plpgsql as $$
    begin
      if current_setting('catalogue.version_renewed_by', true)
        is distinct from pg_current_xact_id()::text then
        update catalogue_version set version = gen_random_uuid();
        perform set_config(
          'catalogue.version_renewed_by', pg_current_xact_id()::text, true);
      end if;
      return null;
    end $$;

create function renew_plays() returns trigger language plpgsql as $$
    begin
      if current_setting('catalogue.plays_renewed_by', true)
        is distinct from pg_current_xact_id()::text then
        update catalogue_version set plays = gen_random_uuid();
        perform set_config(
          'catalogue.plays_renewed_by', pg_current_xact_id()::text, true);
      end if;
      return null;
    end $$;

create constraint trigger tracks_insert_published after insert on tracks
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger tracks_update_published after update on tracks
      deferrable initially deferred for each row when (old.play_count = new.play_count) execute function renew_version();

create constraint trigger tracks_delete_published after delete on tracks
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger renditions_insert_published after insert on renditions
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger renditions_update_published after update on renditions
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger renditions_delete_published after delete on renditions
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger track_peaks_insert_published after insert on track_peaks
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger track_peaks_update_published after update on track_peaks
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger track_peaks_delete_published after delete on track_peaks
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger artists_insert_published after insert on artists
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger artists_update_published after update on artists
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger artists_delete_published after delete on artists
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger artist_aliases_insert_published after insert on artist_aliases
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger artist_aliases_update_published after update on artist_aliases
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger artist_aliases_delete_published after delete on artist_aliases
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger track_artists_insert_published after insert on track_artists
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger track_artists_update_published after update on track_artists
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger track_artists_delete_published after delete on track_artists
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger charts_insert_published after insert on charts
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger charts_update_published after update on charts
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger charts_delete_published after delete on charts
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger chart_entries_insert_published after insert on chart_entries
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger chart_entries_update_published after update on chart_entries
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger chart_entries_delete_published after delete on chart_entries
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger search_docs_insert_published after insert on search_docs
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger search_docs_update_published after update on search_docs
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger search_docs_delete_published after delete on search_docs
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger settings_insert_published after insert on settings
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger settings_update_published after update on settings
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger settings_delete_published after delete on settings
      deferrable initially deferred for each row  execute function renew_version();

create constraint trigger tracks_play_counted after update on tracks
      deferrable initially deferred for each row when (old.play_count <> new.play_count) execute function renew_plays();
