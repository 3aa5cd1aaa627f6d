import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

export const favorites: Migration = {
  name: '0003-favorites',
  up: async (tx, dialect) => {
    await finishTable(
      tx.schema
        .createTable('favorites')
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('track_id', 'text', (c) =>
          c.notNull().references('tracks.id').onDelete('cascade'),
        )
        .addColumn('created_at', timeType(dialect), (c) => c.notNull())
        .addPrimaryKeyConstraint('favorites_pk', ['user_id', 'track_id']),
      dialect,
    );
    await sql
      .raw('create index favorites_by_time on favorites (user_id, created_at desc, track_id desc)')
      .execute(tx);
    await sql.raw('create index favorites_by_track on favorites (track_id)').execute(tx);
  },
};
