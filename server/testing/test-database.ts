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
};

export type TestDatabase = Database & {
  settings: DatabaseSettings;
  /** One more connection to the same database, as another process would have; closed with this one. */
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
 * A database of its own on the dialect under test: migrated, or with `isEmpty` not even that. With
 * `isUntouched` nothing was or may be written into it: PostgreSQL plans by what it remembers of a table.
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
  // No test outlives a power cut; waiting for the disk is most of what a test of SQLite takes.
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
