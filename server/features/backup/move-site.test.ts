/** @module-tag both-databases */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, type DatabaseSettings } from '../../db/connect.ts';
import { createLocalStorage } from '../../ports/storage/local-storage.ts';
import { createS3Storage } from '../../ports/storage/s3-storage.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';
import { readSite } from '../../testing/read-site.ts';
import { startS3Server, type TestS3 } from '../../testing/s3-server.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { compareRows, moveFiles, moveSite, type Place } from './move-site.ts';

const NOW = Date.UTC(2026, 10, 16);

let folder: string;
let databases: TestDatabase[];
let from: Place;

/** SQLite's is a copy that no process has open: only such a file can be moved or replaced. */
async function createDatabase(name: string, isEmpty = false): Promise<DatabaseSettings> {
  const database = await createTestDatabase({ isEmpty });
  databases.push(database);
  if (database.settings.kind !== 'sqlite') return database.settings;
  const file = join(folder, `${name}.sqlite`);
  if (!isEmpty) await copyFile(database.settings.file, file);
  return { kind: 'sqlite', file };
}

async function write(settings: DatabaseSettings, name: string): Promise<void> {
  const { db, close } = connect(settings, console);
  await db.insertInto('counters').values({ name, value: 1 }).execute();
  await close();
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-move-'));
  databases = [];
  from = {
    database: await createDatabase('old'),
    storage: createLocalStorage(join(folder, 'old')),
  };
  const { db, close } = connect(from.database, console);
  for (const title of ['Golden Hour Pressure', 'Nalédi “ü” 😀'])
    await seedTrack({ db, storage: from.storage, now: NOW }, { title });
  await close();
  await from.storage.put('avatars/naledi.webp', Buffer.alloc(100_000, 'picture'));
});
afterEach(async () => {
  for (const database of databases) await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function readFiles(storage: Storage): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { key } of storage.list()) {
    const file = await storage.open(key);
    if (file) files[key] = (await buffer(file.stream)).toString('base64');
  }
  return files;
}

const options = (report: (line: string) => void = () => undefined, storeName = 'store') => ({
  now: NOW,
  report,
  progressFile: join(folder, 'progress.txt'),
  storeName,
  isReplacing: false,
});

describe('a site that moves', () => {
  let s3: TestS3;
  beforeEach(async () => {
    s3 = await startS3Server();
  });
  afterEach(() => s3.close());

  it('to another database and S3, and back, loses no row and no byte', async () => {
    const rows = await readSite({ ...from, files: null });
    const files = await readFiles(from.storage);
    expect(Object.keys(files).length).toBeGreaterThan(3);
    const away: Place = {
      database: { kind: 'sqlite', file: join(folder, 'away.sqlite') },
      storage: createS3Storage(s3.settings),
    };
    const lines: string[] = [];
    await moveSite(
      from,
      away,
      options((line) => lines.push(line)),
    );
    expect(await readSite({ ...away, files: null })).toEqual(rows);
    expect(await readFiles(away.storage)).toEqual(files);
    expect(lines).toContain('tracks: 2 rows');
    expect(lines.filter((line) => line.endsWith('all compared'))).toHaveLength(2);

    const back: Place = {
      database: await createDatabase('back', true),
      storage: createLocalStorage(join(folder, 'back')),
    };
    await moveSite(away, back, options(undefined, 'another store'));
    expect(await readSite({ ...back, files: null })).toEqual(rows);
    expect(await readFiles(back.storage)).toEqual(files);
  });
});

describeOnSqlite('moving files', () => {
  /** A store that breaks after a few files, and counts what it gets. */
  function createWeakStorage(breaksAfter: number) {
    const storage = createLocalStorage(join(folder, 'new'));
    const keys: string[] = [];
    const put: Storage['put'] = async (key, content) => {
      if (keys.length === breaksAfter) throw new Error('The line is gone.');
      keys.push(key);
      await storage.put(key, content);
    };
    return { storage: { ...storage, put }, keys };
  }

  it('continues where it was interrupted', async () => {
    const total = Object.keys(await readFiles(from.storage)).length;
    const first = createWeakStorage(2);
    await expect(moveFiles(from.storage, first.storage, options())).rejects.toThrow('gone');
    const second = createWeakStorage(total);
    await moveFiles(from.storage, second.storage, options());
    expect(second.keys).toHaveLength(total - 2);
    expect(await readFiles(second.storage)).toEqual(await readFiles(from.storage));
    const third = createWeakStorage(total);
    await from.storage.put('avatars/new.webp', Buffer.from('new'));
    await moveFiles(from.storage, third.storage, options());
    expect(third.keys).toEqual(['avatars/new.webp']);
  });

  it('notices a file that arrives damaged', async () => {
    const storage = createLocalStorage(join(folder, 'new'));
    const put: Storage['put'] = (key) => storage.put(key, Buffer.from('something else'));
    await expect(moveFiles(from.storage, { ...storage, put }, options())).rejects.toThrow(
      'arrived damaged',
    );
  });
});

describe('a move is refused', () => {
  it('if the new database has a site, unless it is to be replaced', async () => {
    const to: Place = {
      database: await createDatabase('full'),
      storage: createLocalStorage(join(folder, 'new')),
    };
    const { db, close } = connect(to.database, console);
    await seedTrack({ db, storage: to.storage, now: NOW }, { title: 'Already here' });
    await close();
    await expect(moveSite(from, to, options())).rejects.toThrow('already has a site');
    await moveSite(from, to, { ...options(), isReplacing: true });
    expect(await readSite({ ...to, files: null })).toEqual(
      await readSite({ ...from, files: null }),
    );
  });

  itOnSqlite('if the old site has written meanwhile', async () => {
    const to: Place = {
      database: await createDatabase('new', true),
      storage: createLocalStorage(join(folder, 'new')),
    };
    await moveSite(from, to, options());
    await write(from.database, 'late');
    await expect(compareRows(from.database, to.database, () => undefined)).rejects.toThrow(
      'The old site has changed since it was copied (counters)',
    );
  });

  itOnSqlite('if a server has the SQLite database open', async () => {
    const file = join(folder, 'open.sqlite');
    const server = connect({ kind: 'sqlite', file }, console);
    await server.db.schema.createTable('kept').addColumn('id', 'text').execute();
    const to: Place = { ...from, database: await createDatabase('new', true) };
    const moving = moveSite({ ...from, database: { kind: 'sqlite', file } }, to, options());
    await expect(moving).rejects.toThrow('Stop the server first.');
    await server.close();
  });
});
