import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { openPostgres } from '../db/open-postgres.ts';
import { openSqlite } from '../db/open-sqlite.ts';
import { LendingSqliteDialect, wrapDatabase } from '../db/sqlite-dialect.ts';
import type { Db } from '../db/connect.ts';
import type { Tables } from '../db/types/tables.ts';
import type { TestDatabase } from './test-database.ts';

const dialectFor = ({ settings }: TestDatabase) =>
  settings.kind === 'sqlite'
    ? new LendingSqliteDialect({ database: wrapDatabase(openSqlite(settings.file)) })
    : new PostgresDialect({ pool: openPostgres({ url: settings.url, poolSize: 1 }, console) });

/** PostgreSQL scans small tables whatever the indexes; with scans disabled, its plans show the indexes. */
async function explain(db: Db, { dialect }: TestDatabase, query: CompiledQuery): Promise<string[]> {
  const command = dialect === 'sqlite' ? 'explain query plan' : 'explain';
  return db.connection().execute(async (one) => {
    if (dialect === 'postgres') await sql`set enable_seqscan = off`.execute(one);
    const asked = CompiledQuery.raw(`${command} ${query.sql}`, [...query.parameters]);
    const { rows } = await one.executeQuery<Record<string, string>>(asked);
    return rows.map((row) => row.detail ?? row['QUERY PLAN'] ?? '');
  });
}

/** A full scan of a table, or of a full-text index without a word; lists in the query are no tables. */
const isFullScan = (step: string): boolean =>
  /\bSeq Scan on\b/.test(step) ||
  (step.startsWith('SCAN ') &&
    !/USING|CONSTANT ROW|^SCAN (?:ids|json_each|questions)\b|VIRTUAL TABLE INDEX \d+:.*M/.test(
      step,
    ));

export type Plan = { sql: string; steps: string[]; fullScans: string[] };

/** Runs a callback on a separate connection and returns the plan of each of its queries. */
export async function explainQueries(
  database: TestDatabase,
  run: (db: Db) => Promise<unknown>,
): Promise<Plan[]> {
  const queries = new Map<string, CompiledQuery>();
  const db = new Kysely<Tables>({
    dialect: dialectFor(database),
    log: ({ level, query }) => {
      if (level === 'query') queries.set(query.sql, query);
    },
  });
  try {
    await run(db);
    const plans: Plan[] = [];
    for (const query of [...queries.values()].filter((q) => /^\s*(?:select|with)\b/i.test(q.sql))) {
      const steps = await explain(db, database, query);
      plans.push({ sql: query.sql, steps, fullScans: steps.filter(isFullScan) });
    }
    return plans;
  } finally {
    await db.destroy();
  }
}
