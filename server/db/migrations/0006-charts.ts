import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

export const charts: Migration = {
  name: '0006-charts',
  up: async (tx, dialect) => {
    const time = timeType(dialect);
    await finishTable(
      tx.schema
        .createTable('charts')
        .addColumn('chart', 'text', (c) => c.primaryKey().notNull())
        .addColumn('as_of', time, (c) => c.notNull())
        .addColumn('from_day', 'text', (c) => c.notNull())
        .addColumn('to_day', 'text', (c) => c.notNull()),
      dialect,
    );
    await finishTable(
      tx.schema
        .createTable('chart_entries')
        .addColumn('chart', 'text', (c) => c.notNull().references('charts.chart'))
        .addColumn('rank', 'integer', (c) => c.notNull())
        .addColumn('track_id', 'text', (c) =>
          c.notNull().references('tracks.id').onDelete('cascade'),
        )
        .addColumn('subscriber_days', 'integer', (c) => c.notNull())
        .addColumn('free_days', 'integer', (c) => c.notNull())
        .addColumn('previous_rank', 'integer')
        .addColumn('peak', 'integer', (c) => c.notNull())
        .addColumn('weeks_on_chart', 'integer', (c) => c.notNull())
        .addColumn('recent', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('chart_entries_pk', ['chart', 'rank']),
      dialect,
    );
    await sql
      .raw('create unique index chart_entries_by_track on chart_entries (track_id, chart)')
      .execute(tx);
  },
};
