import { sql, type Kysely, type Transaction } from 'kysely';
import { StartProblem } from '../../start-problem.ts';
import type { Database, Db, DialectName } from '../connect.ts';
import { migrations } from './migrations/list.ts';
import type { Migration } from './migrations/migration.ts';

type Bookkeeping = { schema_migrations: { name: string; applied_at: number } };

/** Any number works, as long as all processes on the database use the same one. */
const ADVISORY_LOCK = 7_234_118_902;

/** The migrations that still have to run, or an error if the database is newer than this program. */
const planMigrations = (
  known: readonly Migration[],
  applied: readonly string[],
): readonly Migration[] => {
  const names = new Set(known.map((migration) => migration.name));
  const unknown = applied.filter((name) => !names.has(name)).toSorted();
  if (unknown.length > 0) {
    throw new StartProblem(
      `The database was last used by a newer version of this program (it has migration ` +
        `${unknown.at(-1)}, this program knows up to ${known.at(-1)?.name ?? 'none'}). ` +
        `Start the newer version, or restore a backup.`,
    );
  }
  return known.filter((migration) => !applied.includes(migration.name));
};

const OLDEST_POSTGRES = 15;

/** An older PostgreSQL would create the first tables and then fail at a feature that it lacks. */
const refuseOldPostgres = async (tx: Transaction<Bookkeeping>): Promise<void> => {
  const { rows } = await sql<{ number: number; name: string }>`
    select cast(current_setting('server_version_num') as integer) as number,
      current_setting('server_version') as name`.execute(tx);
  const [version] = rows;
  if (version && version.number < OLDEST_POSTGRES * 10_000)
    throw new StartProblem(
      `DATABASE_URL leads to PostgreSQL ${version.name}, which is too old. Upgrade it to ` +
        `PostgreSQL ${OLDEST_POSTGRES} or later, or use another server. Nothing was changed.`,
    );
};

/** On SQLite the transaction has the write lock from its start. */
const lock = async (tx: Transaction<Bookkeeping>, dialect: DialectName): Promise<void> => {
  if (dialect === 'sqlite') return;
  await refuseOldPostgres(tx);
  await sql`set local statement_timeout = 0`.execute(tx);
  await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(tx);
};

const createBookkeeping = (tx: Transaction<Bookkeeping>, dialect: DialectName): Promise<void> =>
  tx.schema
    .createTable('schema_migrations')
    .ifNotExists()
    .addColumn('name', 'text', (c) => c.primaryKey().notNull())
    .addColumn('applied_at', dialect === 'sqlite' ? 'integer' : 'bigint', (c) => c.notNull())
    .execute();

/** Migrates within a larger transaction, so that nothing stays if the rest fails. */
export const migrateWithin = async (
  within: Transaction<unknown>,
  dialect: DialectName,
  now: number,
  known: readonly Migration[] = migrations,
): Promise<string[]> => {
  const tx = within as Transaction<Bookkeeping>;
  await lock(tx, dialect);
  await createBookkeeping(tx, dialect);
  const applied = await tx.selectFrom('schema_migrations').select('name').execute();
  const pending = planMigrations(
    known,
    applied.map((row) => row.name),
  );
  for (const migration of pending) {
    await migration.up(within, dialect);
    await tx
      .insertInto('schema_migrations')
      .values({ name: migration.name, applied_at: now })
      .execute();
  }
  return pending.map((migration) => migration.name);
};

/**
 * Runs all missing migrations or, on an error, none. Processes that start together wait for each
 * other. Returns the names of the migrations that ran.
 */
export const migrate = (
  { db, dialect }: Pick<Database, 'db' | 'dialect'>,
  now: number,
  known: readonly Migration[] = migrations,
): Promise<string[]> =>
  db
    .transaction()
    .execute((tx) => migrateWithin(tx as unknown as Transaction<unknown>, dialect, now, known));

/** How many migrations the database lacks, and how many it has that this program doesn't know. */
export async function compareMigrations(db: Db): Promise<{ missing: number; unknown: number }> {
  const rows = await (db as unknown as Kysely<Bookkeeping>)
    .selectFrom('schema_migrations')
    .select('name')
    .execute();
  const applied = new Set(rows.map(({ name }) => name));
  const known = migrations.filter(({ name }) => applied.has(name)).length;
  return { missing: migrations.length - known, unknown: applied.size - known };
}
