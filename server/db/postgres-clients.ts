import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { findOutage } from '../outage.ts';
import type { PostgresLimits } from './open-postgres.ts';

/** Closes the socket directly: a silent connection wouldn't answer an orderly end. */
const destroy = (client: pg.PoolClient, error?: Error): void => {
  const { connection } = client as unknown as {
    connection: { stream: { destroy: (error?: Error) => void } };
  };
  connection.stream.destroy(error);
};

type Log = Pick<FastifyBaseLogger, 'error'>;
type Query = (...input: unknown[]) => Promise<unknown> | undefined;

const RETRY_MS = 50;
const LIFTS_LIMIT = /^set local statement_timeout = 0/;

/** Has the same text as the client's own errors of this kind, so that both count as lost. */
const silentConnection = () =>
  new Error('Connection terminated unexpectedly: the database did not answer.');

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : String((query as { text?: unknown })?.text);

/** Ends the connection if a query gets no answer, unless its transaction has lifted the limit. */
function limitQueries(client: pg.PoolClient, silenceMs: number, onSilence: () => void) {
  let isLimited = true;
  const send = client.query.bind(client) as unknown as Query;
  const query: Query = (...input) => {
    if (LIFTS_LIMIT.test(textOf(input[0]))) isLimited = false;
    if (!isLimited) return send(...input);
    const timer = setTimeout(() => {
      destroy(client, silentConnection());
      onSilence();
    }, silenceMs);
    const callback = input.at(-1);
    if (typeof callback === 'function')
      return send(...input.slice(0, -1), (...answer: unknown[]) => {
        clearTimeout(timer);
        callback(...answer);
      });
    return send(...input)?.finally(() => clearTimeout(timer));
  };
  client.query = query as unknown as pg.PoolClient['query'];
  return { onRelease: () => void (isLimited = true) };
}

/** Connects again for a moment while PostgreSQL restarts. If it stays away, requests fail at once. */
function waitForRestarts(pool: pg.Pool, restartMs: number) {
  const connectOnce = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  let lostAt: number | null = null;
  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        const client = await connectOnce();
        lostAt = null;
        return client;
      } catch (error) {
        if (findOutage(error)?.kind !== 'lost') throw error;
        lostAt ??= performance.now();
        if (pool.ending || performance.now() - lostAt >= restartMs) throw error;
        await pause(RETRY_MS);
      }
    }
  };
  type Callback = (error: unknown, client?: pg.PoolClient, release?: () => void) => void;
  const passTo = async (callback: Callback): Promise<void> => {
    let client: pg.PoolClient;
    try {
      client = await connect();
    } catch (error) {
      callback(error);
      return;
    }
    callback(undefined, client, client.release);
  };
  pool.connect = ((callback?: Callback) =>
    callback ? void passTo(callback) : connect()) as typeof pool.connect;
}

/** Ending the pool waits for running queries, but not for connections that never answer. */
function limitEnd(pool: pg.Pool, clients: ReadonlyMap<pg.PoolClient, unknown>, closeMs: number) {
  const endAll = pool.end.bind(pool);
  pool.end = async () => {
    const timer = setTimeout(() => {
      for (const client of clients.keys()) destroy(client);
    }, closeMs);
    await Promise.race([endAll(), pause(2 * closeMs, undefined, { ref: false })]);
    clearTimeout(timer);
  };
}

/** Lets the pool survive restarts of PostgreSQL, and replace connections that no longer answer. */
export function superviseClients(pool: pg.Pool, limits: PostgresLimits, log: Log) {
  const clients = new Map<pg.PoolClient, { isIdle: boolean; onRelease: () => void }>();
  const reportLoss = (error: Error) => {
    if (!pool.ending) log.error({ err: error }, 'A database connection was lost.');
  };
  /** If one connection is silent, the others probably are too. */
  const endIdle = () => {
    for (const [client, { isIdle }] of clients) if (isIdle) destroy(client, silentConnection());
  };
  // Without these handlers a restart of PostgreSQL would end our process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', reportLoss);
    const { onRelease } = limitQueries(client, limits.silenceMs, endIdle);
    clients.set(client, { isIdle: false, onRelease });
  });
  const setIdle = (client: pg.PoolClient, isIdle: boolean) => {
    const found = clients.get(client);
    if (!found) return;
    found.isIdle = isIdle;
    if (isIdle) found.onRelease();
  };
  pool.on('acquire', (client) => setIdle(client, false));
  pool.on('release', (_error, client) => setIdle(client, true));
  pool.on('remove', (client) => {
    clients.delete(client);
  });
  waitForRestarts(pool, limits.restartMs);
  limitEnd(pool, clients, limits.closeMs);
}
