import { once } from 'node:events';
import pg from 'pg';
import { connect, connectPostgres, type Database, type DatabaseSettings } from '../db/connect.ts';
import { openPostgres, type PostgresPool } from '../db/open-postgres.ts';
import { newId } from '../db/ids.ts';
import type { TestDatabases } from './vitest-context.ts';

type Server = Extract<TestDatabases, { dialect: 'postgres' }>;
type Log = Parameters<typeof connect>[1];

const POOL_SIZE = 4;
const CONNECTION_TIMEOUT_MS = 60_000;

/** The address of a database; `open` may reuse connections of earlier tests, but never of concurrent ones. */
export type Place = {
  settings: DatabaseSettings;
  open: () => Database;
  remove: () => Promise<void>;
};

let admin: pg.Pool | null = null;

const runAsAdmin = async (serverUrl: string, statement: string): Promise<void> => {
  admin ??= new pg.Pool({ connectionString: serverUrl, max: 1, allowExitOnIdle: true });
  await admin.query(statement);
};

const create = async ({ serverUrl, templateName }: Server, isEmpty: boolean): Promise<string> => {
  const name = `${templateName}_${newId()}`;
  const template = isEmpty ? 'template0' : templateName;
  await runAsAdmin(serverUrl, `create database "${name}" template "${template}"`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
};

const drop = ({ serverUrl }: Server, url: string): Promise<void> =>
  runAsAdmin(serverUrl, `drop database "${new URL(url).pathname.slice(1)}" with (force)`);

/** A database with open connections that have already cached its tables, which takes longest. */
type Kept = { url: string; pool: pg.Pool };

/** Databases that earlier tests of this process have left: emptying one is quicker than copying. */
const leftOver: Kept[] = [];

const createKept = async (server: Server, log: Log): Promise<Kept> => {
  const url = await create(server, false);
  const pool = openPostgres({ url, poolSize: POOL_SIZE }, log);
  pool.options.allowExitOnIdle = true;
  // Many simultaneous queries share few connections, and a busy machine must not fail a test.
  pool.options.connectionTimeoutMillis = CONNECTION_TIMEOUT_MS;
  return { url, pool };
};

/** Closing a borrowed database waits for its running queries, as ending the connections would. */
const lend = (pool: pg.Pool): Database => {
  const loan: { -readonly [K in keyof PostgresPool]: PostgresPool[K] } = {
    ended: false,
    options: pool.options,
    connect: pool.connect.bind(pool),
    query: pool.query.bind(pool),
    end: async (): Promise<void> => {
      loan.ended = true;
      while (pool.idleCount < pool.totalCount || pool.waitingCount > 0) await once(pool, 'release');
    },
  };
  return connectPostgres(loan);
};

/** Every table but those that are never empty, read once, because all databases have the same. */
let emptyAll: string | null = null;

/** Deleting from mostly empty tables is far quicker than truncating, which recreates every file. */
const empty = async (pool: pg.Pool): Promise<void> => {
  if (!emptyAll) {
    const { rows } = await pool.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'public'
        and tablename not in ('schema_migrations', 'catalogue_version')`,
    );
    const deletions = rows.map(({ tablename }) => `delete from "${tablename}"`);
    // In any order: afterwards no row is left to reference.
    emptyAll = ['begin; set local session_replication_role = replica', ...deletions, 'commit'].join(
      '; ',
    );
  }
  await pool.query(emptyAll);
};

let untouched: Promise<Kept> | null = null;

/** Shared by all tests, because none writes to it. */
const placeUntouched = async (server: Server, log: Log): Promise<Place> => {
  untouched ??= createKept(server, log);
  const { url, pool } = await untouched;
  return {
    settings: { kind: 'postgres', url, poolSize: POOL_SIZE },
    open: () => lend(pool),
    remove: async () => undefined,
  };
};

const placeEmpty = async (server: Server, log: Log): Promise<Place> => {
  const url = await create(server, true);
  const settings = { kind: 'postgres' as const, url, poolSize: POOL_SIZE };
  return { settings, open: () => connect(settings, log), remove: () => drop(server, url) };
};

export const placePostgres = async (
  server: Server,
  { isEmpty, isUntouched, log }: { isEmpty: boolean; isUntouched: boolean; log: Log },
): Promise<Place> => {
  if (isEmpty) return placeEmpty(server, log);
  if (isUntouched) return placeUntouched(server, log);
  const kept = leftOver.pop() ?? (await createKept(server, log));
  return {
    settings: { kind: 'postgres', url: kept.url, poolSize: POOL_SIZE },
    open: () => lend(kept.pool),
    remove: async () => {
      try {
        await empty(kept.pool);
        leftOver.push(kept);
      } catch {
        // A database whose tables a test has changed cannot be reused.
        await kept.pool.end();
        await drop(server, kept.url);
      }
    },
  };
};
