import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

export const live: Migration = {
  name: '0016-live',
  up: async (tx, dialect) => {
    await finishTable(
      tx.schema
        .createTable('signals')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('topic', 'text', (c) => c.notNull())
        .addColumn('created_at', timeType(dialect), (c) => c.notNull()),
      dialect,
    );
    await tx.schema.createIndex('signals_by_time').on('signals').column('created_at').execute();
  },
};
