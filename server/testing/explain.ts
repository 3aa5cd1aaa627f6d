import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely';
import type { Database, Db } from '../db/connect.ts';
import { createTestDatabase } from './test-database.ts';

/**
 * How a query reads a table: `search` reads part of an index, `walk` reads an index from its
 * start, `scan` reads the whole table.
 */
export type PlanStep = { table: string; access: 'search' | 'walk' | 'scan'; sql: string };

/** The database's own query plans for every query of a callback. */
export async function recordPlan(
  database: Database,
  run: () => Promise<unknown>,
): Promise<PlanStep[]> {
  const { db } = database;
  const queries = new Map<string, CompiledQuery>();
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const query = db.getExecutor().compileQuery<RootOperationNode>(node, queryId);
      queries.set(query.sql, query);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  Object.assign(database, { db: db.withPlugin(recorder) });
  try {
    await run();
  } finally {
    Object.assign(database, { db });
  }
  if (database.dialect === 'sqlite') return explainAll(db, explainSqlite, queries.values());
  const untouched = await createTestDatabase({ isUntouched: true });
  try {
    return await explainAll(untouched.db, explainPostgres, queries.values());
  } finally {
    await untouched.close();
  }
}

type Explain = (db: Db, sql: string, values: unknown[]) => Promise<Step[]>;

async function explainAll(
  db: Db,
  explain: Explain,
  queries: Iterable<CompiledQuery>,
): Promise<PlanStep[]> {
  const steps: PlanStep[] = [];
  for (const { sql, parameters } of queries) {
    if (!/^(with|select|update|delete)\b/i.test(sql)) continue;
    // A prepared query has no values yet; '0' is valid for any type.
    const values = parameters.map((value) => (Object(value) === value ? '0' : value));
    for (const step of await explain(db, sql, values)) steps.push({ ...step, sql });
  }
  return steps;
}

type Step = Omit<PlanStep, 'sql'>;

async function explainSqlite(db: Db, sql: string, values: unknown[]): Promise<Step[]> {
  const query = CompiledQuery.raw(`explain query plan ${sql}`, values);
  const { rows } = await db.executeQuery<{ detail: string }>(query);
  return rows.flatMap(({ detail }): Step[] => {
    const [, verb, table = '', rest = ''] = /^(SEARCH|SCAN) (\S+)(.*)$/.exec(detail) ?? [];
    if (!verb) return [];
    if (verb === 'SEARCH') return [{ table, access: 'search' }];
    return [{ table, access: rest.includes(' INDEX ') ? 'walk' : 'scan' }];
  });
}

type PostgresNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: PostgresNode[];
};

/** PostgreSQL prefers to scan small tables; with scans disabled, it scans only if no index fits. */
const explainPostgres = (db: Db, sql: string, values: unknown[]): Promise<Step[]> =>
  db.transaction().execute(async (tx) => {
    await tx.executeQuery(CompiledQuery.raw('set local enable_seqscan = off'));
    const query = CompiledQuery.raw(`explain (format json) ${sql}`, values);
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': [{ Plan: PostgresNode }] }>(query);
    return rows.flatMap((row) => listPostgresSteps(row['QUERY PLAN'][0].Plan));
  });

function listPostgresSteps(node: PostgresNode): Step[] {
  const below = node.Plans?.flatMap(listPostgresSteps) ?? [];
  const table = node['Relation Name'];
  const kind = node['Node Type'];
  if (!table || !kind.endsWith('Scan')) return below;
  const isSearch = kind === 'Bitmap Heap Scan' || node['Index Cond'] !== undefined;
  const access = kind === 'Seq Scan' ? 'scan' : isSearch ? 'search' : 'walk';
  return [{ table, access }, ...below];
}

/** The steps that scan one of these tables; there should be none. */
export const findFullScans = (steps: readonly PlanStep[], ...tables: string[]): PlanStep[] =>
  steps.filter(({ table, access }) => access === 'scan' && tables.includes(table));
