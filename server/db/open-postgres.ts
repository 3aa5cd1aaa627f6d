import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type pg from 'pg';
import type { FastifyBaseLogger } from 'fastify';
import type { DirectReader } from './prepare-query.ts';

const POOL_SIZE = 10;
const INT8 = 20;
const NUMERIC = 1700;

/** Counts, sums and times are whole numbers on both databases; reject one that a number can't represent exactly. */
export const parseWholeNumber = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`The database returned ${text}, which is too large for an exact number.`);
  }
  return value;
};

const require = createRequire(import.meta.url);

export const openPostgres = (
  settings: { url: string; poolSize?: number },
  log: Pick<FastifyBaseLogger, 'error'>,
): pg.Pool => {
  // Sites on SQLite never load it.
  const { Pool, types } = require('pg') as typeof pg;
  const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? parseWholeNumber : types.getTypeParser(oid, format);
  const pool = new Pool({
    connectionString: settings.url,
    max: settings.poolSize ?? POOL_SIZE,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    types: { getTypeParser },
  });
  // Without this handler, a restart of PostgreSQL would end our process; the pool replaces the client.
  pool.on('error', (error) => {
    if (!pool.ending) log.error({ err: error }, 'An idle database connection was lost.');
  });
  return pool;
};

/** What we use of a pool of connections. */
export type PostgresPool = Pick<pg.Pool, 'connect' | 'query' | 'end' | 'ended' | 'options'>;

/** Runs prepared queries as named statements, so that each connection parses them only once. */
export const createPostgresReader =
  (pool: PostgresPool): DirectReader =>
  <O>({ sql: text }: { sql: string }) => {
    // One connection must never get the same name for two texts.
    const name = createHash('sha256').update(text).digest('base64url');
    return async (values) => (await pool.query({ name, text, values: [...values] })).rows as O[];
  };
