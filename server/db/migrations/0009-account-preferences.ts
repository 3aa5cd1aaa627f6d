import { sql } from 'kysely';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

const INDEXES = [
  'create index users_administrators on users (id) where is_admin = 1',
  // Who leaves is taken out of these rows, however many other listeners there are.
  'create index listener_days_by_listener on listener_days (listener)',
];

export const accountPreferences: Migration = {
  name: '0009-account-preferences',
  up: async (tx, dialect) => {
    const time = timeType(dialect);
    await finishTable(
      tx.schema
        .createTable('preferences')
        .addColumn('user_id', 'text', (c) =>
          c.primaryKey().notNull().references('users.id').onDelete('cascade'),
        )
        .addColumn('release_mails', 'integer', (c) =>
          c.notNull().check(sql`release_mails in (0, 1)`),
        )
        .addColumn('news_mails', 'integer', (c) => c.notNull().check(sql`news_mails in (0, 1)`))
        .addColumn('analytics', 'integer', (c) => c.notNull().check(sql`analytics in (0, 1)`))
        .addColumn('updated_at', time, (c) => c.notNull()),
      dialect,
    );
    await finishTable(
      tx.schema
        .createTable('totp')
        .addColumn('user_id', 'text', (c) =>
          c.primaryKey().notNull().references('users.id').onDelete('cascade'),
        )
        .addColumn('secret', 'text', (c) => c.notNull())
        .addColumn('confirmed_at', time)
        .addColumn('last_step', time, (c) => c.notNull())
        .addColumn('created_at', time, (c) => c.notNull()),
      dialect,
    );
    await finishTable(
      tx.schema
        .createTable('recovery_codes')
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('code_hash', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('recovery_codes_pk', ['user_id', 'code_hash']),
      dialect,
    );
    for (const index of INDEXES) await sql.raw(index).execute(tx);
  },
};
