import { sql, type Transaction } from 'kysely';
import type { DialectName } from '../connect.ts';
import type { Migration } from './migration.ts';
import { finishTable, timeType } from './table-types.ts';

const createAccounts = async (tx: Transaction<unknown>, dialect: DialectName): Promise<void> => {
  const time = timeType(dialect);
  await finishTable(
    tx.schema
      .createTable('users')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('username', 'text', (c) => c.notNull())
      .addColumn('username_key', 'text', (c) => c.notNull().unique())
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.notNull().unique())
      .addColumn('password_hash', 'text', (c) => c.notNull())
      .addColumn('is_admin', 'integer', (c) => c.notNull().check(sql`is_admin in (0, 1)`))
      .addColumn('is_demo', 'integer', (c) => c.notNull().check(sql`is_demo in (0, 1)`))
      .addColumn('paid_through', time)
      .addColumn('avatar_key', 'text')
      .addColumn('created_at', time, (c) => c.notNull())
      .addColumn('updated_at', time, (c) => c.notNull()),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('sessions')
      .addColumn('token_hash', 'text', (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('user_agent', 'text', (c) => c.notNull())
      .addColumn('ip', 'text', (c) => c.notNull())
      .addColumn('created_at', time, (c) => c.notNull())
      .addColumn('last_seen_at', time, (c) => c.notNull())
      .addColumn('expires_at', time, (c) => c.notNull()),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('password_resets')
      .addColumn('token_hash', 'text', (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', time, (c) => c.notNull())
      .addColumn('expires_at', time, (c) => c.notNull()),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('rate_limits')
      .addColumn('key', 'text', (c) => c.primaryKey().notNull())
      .addColumn('tat', time, (c) => c.notNull()),
    dialect,
  );
  await finishTable(
    tx.schema
      .createTable('outbox')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('recipient', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('body_text', 'text', (c) => c.notNull())
      .addColumn('body_html', 'text', (c) => c.notNull())
      .addColumn('created_at', time, (c) => c.notNull()),
    dialect,
  );
};

const createJobs = async (tx: Transaction<unknown>, dialect: DialectName): Promise<void> => {
  const time = timeType(dialect);
  await finishTable(
    tx.schema
      .createTable('jobs')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('unique_key', 'text')
      .addColumn('state', 'text', (c) =>
        c.notNull().check(sql`state in ('ready', 'running', 'dead')`),
      )
      .addColumn('run_at', time, (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull().check(sql`attempts >= 0`))
      .addColumn('max_attempts', 'integer', (c) => c.notNull().check(sql`max_attempts >= 1`))
      .addColumn('lease_token', 'text')
      .addColumn('lease_until', time)
      .addColumn('last_error', 'text')
      .addColumn('created_at', time, (c) => c.notNull())
      .addColumn('updated_at', time, (c) => c.notNull())
      .addCheckConstraint(
        'jobs_lease_while_running',
        sql`(state = 'running') = (lease_token is not null)
          and (lease_token is null) = (lease_until is null)`,
      ),
    dialect,
  );
};

/** Text, because a partial index reads best in the words of the query it serves. */
const INDEXES = [
  'create index sessions_by_user on sessions (user_id)',
  'create index sessions_by_expiry on sessions (expires_at)',
  'create index password_resets_by_user on password_resets (user_id)',
  'create index password_resets_by_expiry on password_resets (expires_at)',
  'create index rate_limits_by_tat on rate_limits (tat)',
  'create index outbox_by_time on outbox (created_at, id)',
  `create index jobs_due on jobs (run_at, id) where state = 'ready'`,
  `create index jobs_leased on jobs (lease_until) where state = 'running'`,
  `create index jobs_dead on jobs (name) where state = 'dead'`,
  // A dead letter is kept for a person to read; it must not stop the same work from being asked for.
  `create unique index jobs_unique_key on jobs (unique_key)
     where unique_key is not null and state <> 'dead'`,
];

export const accountsAndJobs: Migration = {
  name: '0001-accounts-and-jobs',
  up: async (tx, dialect) => {
    await createAccounts(tx, dialect);
    await createJobs(tx, dialect);
    for (const index of INDEXES) await sql.raw(index).execute(tx);
  },
};
