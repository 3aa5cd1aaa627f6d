import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

export const downloads: Migration = {
  name: '0008-downloads',
  up: async (tx, dialect) => {
    const time = timeType(dialect);
    await finishTable(
      tx.schema
        .createTable('downloads')
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('track_id', 'text', (c) =>
          c.notNull().references('tracks.id').onDelete('cascade'),
        )
        .addColumn('format', 'text', (c) => c.notNull().check(sql`format in ('mp3', 'flac')`))
        .addColumn('first_at', time, (c) => c.notNull())
        .addColumn('last_at', time, (c) => c.notNull())
        .addColumn('times', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('downloads_pk', ['user_id', 'track_id', 'format']),
      dialect,
    );
    await sql
      .raw(
        'create index downloads_by_time on downloads (user_id, last_at desc, track_id desc, format desc)',
      )
      .execute(tx);
    await sql.raw('create index downloads_by_track on downloads (track_id)').execute(tx);
    await finishTable(
      tx.schema
        .createTable('secrets')
        .addColumn('name', 'text', (c) => c.primaryKey().notNull())
        .addColumn('value', 'text', (c) => c.notNull()),
      dialect,
    );
  },
};
