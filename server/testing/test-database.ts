import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { connect, type Database, type DatabaseSettings } from '../db/connect.ts';
import { placePostgres, type Place } from './test-postgres.ts';
import type {} from './vitest-context.ts';

/** A lost connection is never expected in a test, so it is an error there. */
const log = {
  error: (...details: unknown[]) => console.error('Database connection', ...details),
  info: () => undefined,
};

export type TestDatabase = Database & {
  settings: DatabaseSettings;
  /** Another connection to the same database, like that of another process; closed with this one. */
  connectAgain: () => Database;
};

const placeSqlite = async (templateFile: string | null): Promise<Place> => {
  const folder = await mkdtemp(join(tmpdir(), 'test-db-'));
  const settings = { kind: 'sqlite' as const, file: join(folder, 'test.sqlite') };
  if (templateFile) await copyFile(templateFile, settings.file);
  return {
    settings,
    open: () => connect(settings, log),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

/**
 * A separate database on the dialect under test, migrated unless `isEmpty`. With `isUntouched`
 * nothing has been or may be written to it, because PostgreSQL plans by its table statistics.
 */
export const createTestDatabase = async ({
  isEmpty = false,
  isUntouched = false,
} = {}): Promise<TestDatabase> => {
  const databases = inject('testDatabases');
  const place =
    databases.dialect === 'sqlite'
      ? await placeSqlite(isEmpty ? null : databases.templateFile)
      : await placePostgres(databases, { isEmpty, isUntouched, log });
  const first = place.open();
  // Tests need no durability, and waiting for the disk is most of the time of a SQLite test.
  if (first.dialect === 'sqlite') await sql`pragma synchronous = off`.execute(first.db);
  const opened = [first];
  return {
    ...first,
    settings: place.settings,
    connectAgain: () => {
      const database = connect(place.settings, log);
      opened.push(database);
      return database;
    },
    close: async () => {
      await Promise.all(opened.map((database) => database.close()));
      await place.remove();
    },
  };
};
