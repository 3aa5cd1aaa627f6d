import type { FastifyBaseLogger } from 'fastify';
import { Kysely, PostgresDialect, sql, type LogEvent, type Transaction } from 'kysely';
import { findOutage } from '../outage.ts';
import {
  createPostgresReader,
  openPostgres,
  type PostgresLimits,
  type PostgresPool,
} from './open-postgres.ts';
import { createSqliteReader, openSqlite } from './open-sqlite.ts';
import { readDirectly } from './prepare-query.ts';
import { LendingSqliteDialect, wrapDatabase, type SqliteConfig } from './sqlite-dialect.ts';
import type { Tables } from './types/tables.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;
export type DialectName = 'sqlite' | 'postgres';

export type DatabaseSettings =
  | { kind: 'sqlite'; file: string }
  | { kind: 'postgres'; url: string; poolSize?: number; limits?: Partial<PostgresLimits> };

export type Database = {
  db: Db;
  dialect: DialectName;
  /** Rejects when the database does not answer. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
  /** From now on people wait: what a silent database or another program's lock delays soon fails. */
  hurry: () => void;
  /** It refused a write a moment ago because its disk is full. Reading may go on. */
  isFull: () => boolean;
  /** The connections of PostgreSQL, and how many queries wait for one. */
  pool?: () => { open: number; idle: number; waiting: number };
};

const pingWith = (db: Db) => async (): Promise<void> => {
  await sql`select 1`.execute(db);
};

const FULL_MS = 60_000;

/** Nothing tells that a database has no room left but what it says to those who write. */
function watchRoom() {
  let fullAt = -Infinity;
  return {
    log: (event: LogEvent) => {
      if (event.level === 'error' && findOutage(event.error)?.kind === 'full')
        fullAt = performance.now();
    },
    isFull: () => performance.now() - fullAt < FULL_MS,
  };
}

const HURRIED_WAIT_MS = 1_500;

const connectSqlite = (file: string): Database => {
  const sqlite = openSqlite(file);
  const config: SqliteConfig = { database: wrapDatabase(sqlite) };
  const { log, isFull } = watchRoom();
  const db = new Kysely<Tables>({ dialect: new LendingSqliteDialect(config), log });
  const hurry = () => void (config.maxWaitMs = HURRIED_WAIT_MS);
  const direct = createSqliteReader(file);
  readDirectly(db, direct.reader);
  const close = async (): Promise<void> => {
    direct.close();
    await db.destroy();
    // Kysely closes only a connection that has run a query.
    if (sqlite.isOpen) sqlite.close();
  };
  return { db, dialect: 'sqlite', ping: pingWith(db), close, hurry, isFull };
};

/** A borrowed one doesn't count. */
type RealPool = {
  totalCount?: number;
  idleCount?: number;
  waitingCount?: number;
  hurry?: () => void;
};

export const connectPostgres = (pool: PostgresPool & RealPool): Database => {
  const { log, isFull } = watchRoom();
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log });
  readDirectly(db, createPostgresReader(pool));
  const close = async (): Promise<void> => {
    await db.destroy();
    if (!pool.ended) await pool.end();
  };
  const countConnections = () => ({
    open: pool.totalCount ?? 0,
    idle: pool.idleCount ?? 0,
    waiting: pool.waitingCount ?? 0,
  });
  return {
    db,
    dialect: 'postgres',
    ping: pingWith(db),
    close,
    hurry: () => pool.hurry?.(),
    isFull,
    pool: countConnections,
  };
};

export const connect = (
  settings: DatabaseSettings,
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
): Database =>
  settings.kind === 'sqlite'
    ? connectSqlite(settings.file)
    : connectPostgres(openPostgres(settings, log));
