import pg from 'pg';
import type { FastifyBaseLogger } from 'fastify';

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

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 || oid === NUMERIC ? parseWholeNumber : pg.types.getTypeParser(oid, format);

export const openPostgres = (
  settings: { url: string; poolSize?: number },
  log: Pick<FastifyBaseLogger, 'error'>,
): pg.Pool => {
  const pool = new pg.Pool({
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
