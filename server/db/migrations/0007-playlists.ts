import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

const INDEXES = [
  `create index playlists_by_time on playlists (user_id, updated_at desc, id desc)
     where deleted_at is null`,
  `create index playlists_deleted on playlists (user_id, deleted_at)
     where deleted_at is not null`,
  'create index playlists_to_sweep on playlists (deleted_at) where deleted_at is not null',
  'create unique index playlists_by_request on playlists (user_id, request_key)',
  'create unique index playlists_by_share_token on playlists (share_token)',
  'create index playlist_tracks_in_order on playlist_tracks (playlist_id, position, track_id)',
  'create index playlist_tracks_by_track on playlist_tracks (track_id)',
];

export const playlists: Migration = {
  name: '0007-playlists',
  up: async (tx, dialect) => {
    const time = timeType(dialect);
    await finishTable(
      tx.schema
        .createTable('playlists')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('request_key', 'text')
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('description', 'text', (c) => c.notNull())
        .addColumn('share_token', 'text')
        .addColumn('version', 'integer', (c) => c.notNull())
        .addColumn('created_at', time, (c) => c.notNull())
        .addColumn('updated_at', time, (c) => c.notNull())
        .addColumn('deleted_at', time),
      dialect,
    );
    await finishTable(
      tx.schema
        .createTable('playlist_tracks')
        .addColumn('playlist_id', 'text', (c) =>
          c.notNull().references('playlists.id').onDelete('cascade'),
        )
        .addColumn('track_id', 'text', (c) =>
          c.notNull().references('tracks.id').onDelete('cascade'),
        )
        // A position halves and doubles with use: it needs the width that a time has.
        .addColumn('position', time, (c) => c.notNull())
        .addColumn('added_at', time, (c) => c.notNull())
        .addPrimaryKeyConstraint('playlist_tracks_pk', ['playlist_id', 'track_id']),
      dialect,
    );
    for (const index of INDEXES) await sql.raw(index).execute(tx);
  },
};
