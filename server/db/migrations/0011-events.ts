import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

export const events: Migration = {
  name: '0011-events',
  up: async (tx, dialect) => {
    await finishTable(
      tx.schema
        .createTable('events')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('at', timeType(dialect), (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('set null'))
        .addColumn('device', 'text')
        .addColumn('properties', 'text', (c) => c.notNull()),
      dialect,
    );
    await sql.raw('create index events_by_time on events (at)').execute(tx);
    await sql
      .raw('create index events_by_user on events (user_id) where user_id is not null')
      .execute(tx);
    await finishTable(
      tx.schema
        .createTable('event_days')
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('detail', 'text', (c) => c.notNull())
        .addColumn('events', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('event_days_pk', ['day', 'name', 'detail']),
      dialect,
    );
  },
};
