import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteDialect,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import { LRUCache } from 'lru-cache';

import { settlesWithin } from '../background/settles-within.ts';

const MAX_CACHED_STATEMENTS = 500;
const SQLITE_BUSY = 5;
/** How long a write waits for another process that has the write lock, unless people wait for it. */
const MAX_WAIT_MS = 10_000;
/** How long a query waits for other queries of this process. */
const MAX_QUEUE_MS = 60_000;
/** Like SQLite's own busy time-out, but without blocking the thread. */
const PAUSES_MS = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100];

export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;

const wrapStatement = (statement: StatementSync): SqliteStatement => ({
  reader: statement.columns().length > 0,
  all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
  run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
  iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
});

type WrappedDatabase = SqliteDatabase & { isInTransaction: () => boolean };

/** The database interface of Kysely, with a cache of compiled statements. */
export const wrapDatabase = (
  database: DatabaseSync,
  maxCached = MAX_CACHED_STATEMENTS,
): WrappedDatabase => {
  const cache = new LRUCache<string, SqliteStatement>({ max: maxCached });
  return {
    close: () => database.close(),
    isInTransaction: () => database.isTransaction,
    prepare: (sql) => {
      const known = cache.get(sql);
      if (known) return known;
      const statement = wrapStatement(database.prepare(sql));
      cache.set(sql, statement);
      return statement;
    },
  };
};

/**
 * One user of the only connection at a time, in the order they asked. A query that forgets to use its
 * own transaction would wait for itself, and everybody else behind it: it fails instead.
 */
class Mutex {
  #last: Promise<void> = Promise.resolve();
  #users = 0;
  readonly #maxQueueMs: number;

  constructor(maxQueueMs: number) {
    this.#maxQueueMs = maxQueueMs;
  }

  /** Resolves to how to unlock it. */
  async lock(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    const unlock = () => {
      this.#users -= 1;
      resolve();
    };
    this.#users += 1;
    if (this.#users === 1) await before;
    else if (!(await settlesWithin([before], this.#maxQueueMs))) {
      void before.then(unlock);
      throw new Error('The only database connection was in use for too long.');
    }
    return unlock;
  }
}

export type SqliteConfig = {
  database: WrappedDatabase;
  /** May change while it runs. */
  maxWaitMs?: number;
  maxQueueMs?: number;
};

/**
 * Lends the only connection for one query, or for a transaction from its start to its end. While
 * another process has the write lock, a write gives the connection back between its attempts, so that
 * it alone waits.
 */
class LentConnection implements DatabaseConnection {
  readonly #config: SqliteConfig;
  readonly #mutex: Mutex;
  #unlock: (() => void) | null = null;

  constructor(config: SqliteConfig, mutex: Mutex) {
    this.#config = config;
    this.#mutex = mutex;
  }

  /** Gives the connection back afterwards, unless `isKept`. */
  async #withLock<T>(work: () => T, isKept = false): Promise<T> {
    const deadline = performance.now() + (this.#config.maxWaitMs ?? MAX_WAIT_MS);
    for (let attempt = 0; ; attempt += 1) {
      const unlock = await this.#mutex.lock();
      try {
        const result = work();
        if (isKept) this.#unlock = unlock;
        return result;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw error;
      } finally {
        if (this.#unlock !== unlock) unlock();
      }
      await pause(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)]);
    }
  }

  #run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#config.database.prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#unlock ? this.#run<R>(query) : this.#withLock(() => this.#run<R>(query));
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    const unlock = this.#unlock ? null : await this.#mutex.lock();
    try {
      for (const row of this.#config.database.prepare(sql).iterate(parameters))
        yield { rows: [row as R] };
    } finally {
      unlock?.();
    }
  }

  async begin(sql: string): Promise<void> {
    await this.#withLock(() => this.#run(CompiledQuery.raw(sql)), true);
  }

  /** After some errors, such as a full disk, SQLite has rolled back itself. */
  rollback(): void {
    if (this.#config.database.isInTransaction()) this.#run(CompiledQuery.raw('rollback'));
  }

  release(): void {
    this.#unlock?.();
    this.#unlock = null;
  }
}

class LendingDriver implements Driver {
  readonly #config: SqliteConfig;
  readonly #mutex: Mutex;

  constructor(config: SqliteConfig) {
    this.#config = config;
    this.#mutex = new Mutex(config.maxQueueMs ?? MAX_QUEUE_MS);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<LentConnection> {
    return new LentConnection(this.#config, this.#mutex);
  }

  /**
   * A deferred transaction that reads and then writes fails immediately if another process wrote in
   * between. Taking the write lock at the start makes it wait instead.
   */
  async beginTransaction(
    connection: LentConnection,
    { accessMode }: TransactionSettings,
  ): Promise<void> {
    await connection.begin(accessMode === 'read only' ? 'begin' : 'begin immediate');
  }

  async commitTransaction(connection: LentConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: LentConnection): Promise<void> {
    connection.rollback();
  }

  async releaseConnection(connection: LentConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    const unlock = await this.#mutex.lock();
    this.#config.database.close();
    unlock();
  }
}

/** Kysely would lend the connection for as long as a write waits. */
class LendingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export class LendingSqliteDialect extends SqliteDialect {
  readonly #config: SqliteConfig;

  constructor(config: SqliteConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new LendingDriver(this.#config);
  }

  override createAdapter(): SqliteAdapter {
    return new LendingAdapter();
  }
}
