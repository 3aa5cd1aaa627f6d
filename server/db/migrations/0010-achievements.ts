import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

export const achievements: Migration = {
  name: '0010-achievements',
  up: async (tx, dialect) => {
    const time = timeType(dialect);
    await finishTable(
      tx.schema
        .createTable('play_facts')
        .addColumn('user_id', 'text', (c) =>
          c.primaryKey().notNull().references('users.id').onDelete('cascade'),
        )
        .addColumn('plays', 'integer', (c) => c.notNull())
        .addColumn('nights', 'integer', (c) => c.notNull())
        .addColumn('earlies', 'integer', (c) => c.notNull())
        .addColumn('week_streak', 'integer', (c) => c.notNull())
        .addColumn('best_streak', 'integer', (c) => c.notNull())
        .addColumn('last_week', 'text'),
      dialect,
    );
    await finishTable(
      tx.schema
        .createTable('achievements')
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('achievement', 'text', (c) => c.notNull())
        .addColumn('earned_at', time, (c) => c.notNull())
        .addColumn('seen_at', time)
        .addPrimaryKeyConstraint('achievements_pk', ['user_id', 'achievement']),
      dialect,
    );
  },
};
