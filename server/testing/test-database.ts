import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { connect, type Database, type DatabaseSettings } from '../db/connect.ts';
import { newId } from '../ids.ts';
import type { TestDatabases } from './vitest-context.ts';

/** A lost connection is never expected in a test, so it is an error there. */
const log = {
  error: (...details: unknown[]) => console.error('Database connection', ...details),
};

export type TestDatabase = Database & {
  settings: DatabaseSettings;
  /** One more connection to the same database, as another process would have; closed with this one. */
  connectAgain: () => Database;
};

type Place = { settings: DatabaseSettings; remove: () => Promise<void> };

const placeSqlite = async (templateFile: string | null): Promise<Place> => {
  const folder = await mkdtemp(join(tmpdir(), 'test-db-'));
  const file = join(folder, 'test.sqlite');
  if (templateFile) await copyFile(templateFile, file);
  return {
    settings: { kind: 'sqlite', file },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

let admin: pg.Pool | null = null;

const runAsAdmin = async (serverUrl: string, statement: string): Promise<void> => {
  admin ??= new pg.Pool({ connectionString: serverUrl, max: 1, allowExitOnIdle: true });
  await admin.query(statement);
};

type PostgresServer = Extract<TestDatabases, { dialect: 'postgres' }>;

const createPostgres = async ({ serverUrl, templateName }: PostgresServer, isEmpty: boolean) => {
  const name = `${templateName}_${newId()}`;
  const template = isEmpty ? 'template0' : templateName;
  await runAsAdmin(serverUrl, `create database "${name}" template "${template}"`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
};

const dropPostgres = ({ serverUrl }: PostgresServer, url: string): Promise<void> =>
  runAsAdmin(serverUrl, `drop database "${new URL(url).pathname.slice(1)}" with (force)`);

/** Databases that an earlier test of this process has left: emptying one is quicker than copying. */
const leftOver: string[] = [];

/** Every table but the migrations' own, read once: all of them have the same ones. */
let emptyAll: string | null = null;

/** Deleting from what is mostly empty is far quicker than truncating, which makes every table's file anew. */
const emptyPostgres = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if (!emptyAll) {
      const { rows } = await client.query<{ tablename: string }>(
        `select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`,
      );
      const deletions = rows.map(({ tablename }) => `delete from "${tablename}"`);
      // In no order: nothing is left that a reference could miss.
      emptyAll = ['set session_replication_role = replica', ...deletions].join('; ');
    }
    await client.query(emptyAll);
  } finally {
    await client.end();
  }
};

type Wish = { isEmpty: boolean; isFresh: boolean };

const placePostgres = async (
  server: PostgresServer,
  { isEmpty, isFresh }: Wish,
): Promise<Place> => {
  if (isEmpty || isFresh) {
    const url = await createPostgres(server, isEmpty);
    return {
      settings: { kind: 'postgres', url, poolSize: 4 },
      remove: () => dropPostgres(server, url),
    };
  }
  const url = leftOver.pop() ?? (await createPostgres(server, false));
  return {
    settings: { kind: 'postgres', url, poolSize: 4 },
    remove: async () => {
      try {
        await emptyPostgres(url);
        leftOver.push(url);
      } catch {
        // A test that changed the tables themselves leaves nothing another one could use.
        await dropPostgres(server, url);
      }
    },
  };
};

/**
 * A database of its own on the dialect under test: migrated, or with `isEmpty` not even that. With
 * `isFresh` nothing was ever written into it: PostgreSQL plans by what it remembers of a table.
 */
export const createTestDatabase = async ({
  isEmpty = false,
  isFresh = false,
} = {}): Promise<TestDatabase> => {
  const databases = inject('testDatabases');
  const place =
    databases.dialect === 'sqlite'
      ? await placeSqlite(isEmpty ? null : databases.templateFile)
      : await placePostgres(databases, { isEmpty, isFresh });
  const opened: Database[] = [];
  const open = (): Database => {
    const database = connect(place.settings, log);
    opened.push(database);
    return database;
  };
  const first = open();
  return {
    ...first,
    settings: place.settings,
    connectAgain: open,
    close: async () => {
      await Promise.all(opened.map((database) => database.close()));
      await place.remove();
    },
  };
};
