import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type pg from 'pg';
import type { FastifyBaseLogger } from 'fastify';
import { findOutage } from '../outage.ts';
import { superviseClients } from './postgres-clients.ts';
import type { DirectReader } from './prepare-query.ts';

const POOL_SIZE = 10;
const INT8 = 20;
const NUMERIC = 1700;

const LIMITS = {
  /** For getting a connection, from the pool or from PostgreSQL. */
  connectMs: 5_000,
  /** PostgreSQL cancels a statement after this time. */
  statementMs: 15_000,
  /** After this long without an answer we ask on a new connection whether one will come. */
  doubtMs: 5_000,
  /** That one must answer within this time, or nobody does. */
  askMs: 5_000,
  /** How long a silent database is left alone before it is asked again. */
  retryMs: 1_000,
  /** A connection without an answer for this long is dead, or PostgreSQL would have cancelled. */
  silenceMs: 20_000,
  /** A restart of PostgreSQL usually takes less than this, and then nobody notices it. */
  restartMs: 3_000,
  closeMs: 2_000,
};

/** Then nobody waits for longer than two seconds for a database that doesn't answer. */
const HURRIED = { doubtMs: 400, askMs: 1_100, restartMs: 1_500 };
export type PostgresLimits = typeof LIMITS;

/** Counts, sums and times are whole numbers on both databases; reject one that a number can't represent exactly. */
const parseWholeNumber = (text: string): number => {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`The database returned ${text}, which is too large for an exact number.`);
  }
  return value;
};

const require = createRequire(import.meta.url);

export const openPostgres = (
  settings: { url: string; poolSize?: number; limits?: Partial<PostgresLimits> },
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
): pg.Pool & { hurry: () => void } => {
  // Sites on SQLite never load it.
  const { Client, Pool, types } = require('pg') as typeof pg;
  const limits = { ...LIMITS, ...settings.limits };
  const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? parseWholeNumber : types.getTypeParser(oid, format);
  const pool = new Pool({
    connectionString: settings.url,
    max: settings.poolSize ?? POOL_SIZE,
    connectionTimeoutMillis: limits.connectMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  });
  superviseClients(pool, limits, { Client, log });
  return Object.assign(pool, { hurry: () => void Object.assign(limits, HURRIED) });
};

/** What we use of a pool of connections. */
export type PostgresPool = Pick<pg.Pool, 'connect' | 'query' | 'end' | 'ended' | 'options'>;

/**
 * Runs prepared queries as named statements, so that each connection parses them only once. They only
 * read, so one whose connection is lost runs again.
 */
export const createPostgresReader =
  (pool: PostgresPool): DirectReader =>
  <O>({ sql: text }: { sql: string }) => {
    // One connection must never get the same name for two texts.
    const name = createHash('sha256').update(text).digest('base64url');
    return async (values) => {
      const read = async () => (await pool.query({ name, text, values: [...values] })).rows as O[];
      return read().catch((error: unknown) => {
        if (findOutage(error)?.kind !== 'lost') throw error;
        return read();
      });
    };
  };
