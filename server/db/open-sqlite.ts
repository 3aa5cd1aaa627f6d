import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { DirectReader } from './prepare-query.ts';
import { isBusy } from './sqlite-dialect.ts';

/** Writers never block readers, so a reader rarely waits, and never for long. */
const READER_TIMEOUT_MS = 250;
const OPEN_TIMEOUT_MS = 10_000;

const pauseThread = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/** SQLite's busy time-out doesn't cover the switch to WAL, so we wait here. */
const enableWal = (database: DatabaseSync): void => {
  const deadline = performance.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      pauseThread(5);
    }
  }
};

/** A read-only connection. It sees committed data, even while another one is in a transaction. */
export const openSqliteReader = (file: string): DatabaseSync =>
  new DatabaseSync(file, { timeout: READER_TIMEOUT_MS, readOnly: true });

function nameValues(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index += 1) row[names[index] ?? ''] = values[index];
  return row;
}

/**
 * Runs prepared queries on their own connection, because on the shared one they would wait for every
 * running transaction.
 */
export function createSqliteReader(file: string): { reader: DirectReader; close: () => void } {
  let connection: DatabaseSync | undefined;
  const reader: DirectReader = <O>({ sql }: { sql: string }) => {
    connection ??= openSqliteReader(file);
    const statement = connection.prepare(sql);
    const names = statement.columns().map(({ name }) => name);
    // Naming the columns here is twice as fast as letting SQLite name them for each row.
    statement.setReturnArrays(true);
    return (parameters) =>
      (statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][]).map((values) =>
        nameValues(names, values),
      ) as O[];
  };
  return { reader, close: () => connection?.close() };
}

export const openSqlite = (file: string): DatabaseSync => {
  mkdirSync(dirname(file), { recursive: true });
  // Without a time-out, because SQLite would wait on our only thread: the dialect waits instead.
  const database = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    enableWal(database);
    // Full: acknowledged writes survive a power cut, not just a crash of the process.
    database.exec('pragma synchronous = full');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};
