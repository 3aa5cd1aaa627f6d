import type { Statement } from '../migrations/migration.ts';

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
