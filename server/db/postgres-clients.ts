import { setTimeout as pause } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { findOutage } from '../outage.ts';
import type { PostgresLimits } from './open-postgres.ts';
import { SilentDatabase, watchSilence, type SilenceWatch } from './postgres-silence.ts';

/** Closes the socket directly: a silent connection wouldn't answer an orderly end. */
const destroy = (client: pg.PoolClient, error?: Error): void => {
  streamOf(client).destroy(error);
};

const streamOf = (client: pg.PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

type Log = Pick<FastifyBaseLogger, 'error' | 'info'>;
type Query = (...input: unknown[]) => Promise<unknown> | undefined;

const RETRY_MS = 50;
const LIFTS_LIMIT = /^set local statement_timeout = 0/;

const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : String((query as { text?: unknown })?.text);

/** Watches over every query, unless its transaction has lifted the limit: that one may be silent. */
function watchQueries(client: pg.PoolClient, watch: SilenceWatch) {
  let isLimited = true;
  let heardAt = 0;
  streamOf(client).on('data', () => {
    heardAt = performance.now();
    watch.hear();
  });
  const { processID: pid } = client as unknown as { processID: number };
  const who = {
    pid,
    heardAt: () => heardAt,
    fail: (error: Error) => destroy(client, error),
  };
  const send = client.query.bind(client) as unknown as Query;
  const query: Query = (...input) => {
    if (LIFTS_LIMIT.test(textOf(input[0]))) isLimited = false;
    if (!isLimited) return send(...input);
    if (watch.isSilent()) destroy(client, new SilentDatabase());
    const end = watch.wait(who);
    const callback = input.at(-1);
    if (typeof callback === 'function')
      return send(...input.slice(0, -1), (...answer: unknown[]) => {
        end();
        callback(...answer);
      });
    return send(...input)?.finally(end);
  };
  client.query = query as unknown as pg.PoolClient['query'];
  return { onRelease: () => void (isLimited = true) };
}

/** Connects again for a moment while PostgreSQL restarts. If it stays away, requests fail at once. */
function waitForRestarts(pool: pg.Pool, limits: PostgresLimits, watch: SilenceWatch) {
  const connectToPool = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  let lostAt: number | null = null;
  /** Fails at once while the database is silent. A connection that comes later is for others. */
  async function connectOnce(): Promise<pg.PoolClient> {
    if (watch.isSilent()) throw new SilentDatabase();
    const { promise: silent, reject } = Promise.withResolvers<never>();
    const end = watch.wait({ pid: null, heardAt: () => 0, fail: reject });
    const connecting = connectToPool();
    try {
      return await Promise.race([connecting, silent]);
    } catch (error) {
      if (error instanceof SilentDatabase)
        connecting.then(
          (late) => late.release(),
          () => {},
        );
      throw error;
    } finally {
      end();
    }
  }
  const connect = async (): Promise<pg.PoolClient> => {
    for (;;) {
      try {
        const client = await connectOnce();
        lostAt = null;
        return client;
      } catch (error) {
        if (findOutage(error)?.kind !== 'lost') throw error;
        lostAt ??= performance.now();
        if (pool.ending || performance.now() - lostAt >= limits.restartMs) throw error;
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
export function superviseClients(
  pool: pg.Pool,
  limits: PostgresLimits,
  { Client, log }: { Client: typeof pg.Client; log: Log },
) {
  const clients = new Map<pg.PoolClient, { isIdle: boolean; onRelease: () => void }>();
  const reportLoss = (error: Error) => {
    // Of a silent database there is one line for all of them.
    if (!pool.ending && !(error instanceof SilentDatabase))
      log.error({ err: error }, 'A database connection was lost.');
  };
  const watch = watchSilence(limits, log, {
    open: () => new Client({ ...pool.options, keepAlive: false }),
    isEnding: () => pool.ending,
    onDead: (error) => {
      for (const [client, { isIdle }] of clients) if (isIdle) destroy(client, error);
    },
  });
  // Without these handlers a restart of PostgreSQL would end our process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', reportLoss);
    const { onRelease } = watchQueries(client, watch);
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
  waitForRestarts(pool, limits, watch);
  limitEnd(pool, clients, limits.closeMs);
}
