/** @module-tag both-databases */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mountSmallDisk } from '#tools/chaos/small-disk.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { createLocalStorage } from '../../ports/storage/local-storage.ts';
import { createS3Storage } from '../../ports/storage/s3-storage.ts';
import type { Storage } from '../../ports/storage/storage.ts';
import { describeOnSqlite, itOnSqlite } from '../../testing/on-sqlite.ts';
import { readSite } from '../../testing/read-site.ts';
import { startS3Server } from '../../testing/s3-server.ts';
import { startChild } from '../../testing/start-child.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { readBackupState, recordBackup } from './service.ts';
import { withLock } from './lock.ts';
import { checkBackup, formatManifest, listDays, openBackup, openDay } from './manifest.ts';
import { restoreAside } from './prove-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { runBackup, type BackupOrder } from './run-backup.ts';
import { listFiles } from './site-files.ts';

const START = Date.UTC(2026, 10, 20, 1, 30);
const quiet = () => undefined;

let folder: string;
let database: TestDatabase;
let now: number;
let storage: Storage;
/** The keys that were read. */
let read: string[];
let order: BackupOrder;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-run-backup-'));
  database = await createTestDatabase();
  now = START;
  // No proof is due, but where a test is about it.
  await recordBackup(database.db, { lastVerifiedAt: now }, now);
  storage = createLocalStorage(join(folder, 'files'));
  for (const name of ['a', 'b', 'c']) await put(name, name.repeat(1000));
  read = [];
  order = {
    site: { database: database.settings, files: null, store: countReads(storage) },
    folder: join(folder, 'backups'),
    scratch: join(folder, 'scratch'),
    isUsual: true,
  };
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const countReads = (store: Storage): Storage => ({
  ...store,
  open: (key, range) => {
    read.push(key);
    return store.open(key, range);
  },
});

const put = (name: string, content: string) =>
  storage.put(`masters/${name}.flac`, Buffer.from(content));

const count = (name: string, value: number) =>
  database.db.insertInto('counters').values({ name, value }).execute();

const run = (change: Partial<BackupOrder> = {}) =>
  runBackup({ ...order, ...change }, { db: database.db, clock: () => now, report: quiet });

const readState = () => readBackupState(database.db);

let restored = 0;
/** All that a backup has: its counters, and the files with their content. */
async function restore(place = order.folder) {
  restored += 1;
  const file = join(folder, `restored-${restored}.sqlite`);
  const files = join(folder, `restored-${restored}`);
  const site = { database: { kind: 'sqlite' as const, file }, files };
  await restoreBackup(site, place, { now, isReplacing: false, report: quiet });
  const rows = await readSite(site);
  const contents: Record<string, string> = {};
  for (const key of await listFiles(files))
    contents[key] = (await readFile(join(files, key), 'utf8')).slice(0, 1);
  const counters = (rows['counters'] ?? []).map((row) => JSON.parse(row) as [string, unknown][]);
  return { counters: counters.map((row) => Object.fromEntries(row)['name']), contents };
}

/** The beginning of each file of the newest backup. */
async function readContents(): Promise<Record<string, string>> {
  const { manifest, filePath } = await openBackup(order.folder);
  const contents: Record<string, string> = {};
  for (const key of Object.keys(manifest.files ?? {}))
    contents[key] = (await readFile(filePath(key), 'utf8')).slice(0, 1);
  return contents;
}

const listAll = async () => (await listFiles(order.folder)).toSorted();

/** Every backup has all that its manifest names, byte by byte. */
async function checkAll(): Promise<number> {
  const days = await listDays(order.folder);
  for (const day of days) await checkBackup(await openDay(order.folder, day));
  return days.length;
}

/** As a disk does: one bit of the largest file is another one. */
async function flipBit(): Promise<string> {
  const backup = await openBackup(order.folder);
  const path = backup.filePath('masters/a.flac');
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(500) ^ 1, 500);
  await writeFile(path, bytes);
  return path;
}

describe('a backup of the same site', () => {
  it('copies what is new, reads nothing again that it knows, and each day can be restored', async () => {
    await count('first', 1);
    expect((await run()).copied).toBe(3);
    const first = new Set(await listAll());
    now += DAY;
    await count('second', 2);
    await put('d', 'd');
    await storage.delete('masters/a.flac');
    read = [];
    expect(await run()).toMatchObject({ copied: 1, bytes: 1, kept: [START, now] });
    expect(read).toEqual(['masters/d.flac']);
    // Tables that didn’t change are the same bytes, too: counters, settings and the manifest are new.
    const added = (await listAll()).filter((name) => !first.has(name));
    expect(added).toHaveLength(4);
    expect(await readState()).toMatchObject({ lastAt: now, problem: null });
    const [before = '', after = ''] = await listDays(order.folder);
    expect(await restore(join(order.folder, 'days', before))).toEqual({
      counters: ['first'],
      contents: { 'masters/a.flac': 'a', 'masters/b.flac': 'b', 'masters/c.flac': 'c' },
    });
    expect(await restore()).toEqual({
      counters: ['first', 'second'],
      contents: { 'masters/b.flac': 'b', 'masters/c.flac': 'c', 'masters/d.flac': 'd' },
    });
    expect((await openBackup(order.folder)).path).toBe(join(order.folder, 'days', after));
  });

  itOnSqlite('reads a file again whose size or time is another one', async () => {
    await run();
    now += DAY;
    await put('a', 'x'.repeat(1000));
    await put('b', 'b'.repeat(1000));
    // The same bytes are kept once, under whatever name.
    await put('e', 'c'.repeat(1000));
    read = [];
    await run();
    expect(read.toSorted()).toEqual(['masters/a.flac', 'masters/b.flac', 'masters/e.flac']);
    expect(await readContents()).toMatchObject({
      'masters/a.flac': 'x',
      'masters/e.flac': 'c',
    });
    const manifest = (await openBackup(order.folder)).manifest;
    expect(manifest.files?.['masters/e.flac']).toEqual(manifest.files?.['masters/c.flac']);
  });

  itOnSqlite(
    'leaves out the files if it is told to, and its restore leaves files alone',
    async () => {
      const files = join(folder, 'files');
      await run({ site: { database: database.settings, files: null } });
      expect((await openBackup(order.folder)).manifest.files).toBe(null);
      const site = {
        database: { kind: 'sqlite' as const, file: join(folder, 'new.sqlite') },
        files,
      };
      await restoreBackup(site, order.folder, { now, isReplacing: true, report: quiet });
      expect(await listFiles(files)).toHaveLength(3);
    },
  );

  itOnSqlite('belongs to its owner alone, and what isn’t the site’s is left out', async () => {
    await writeFile(join(folder, 'files', 'Notes of mine.txt'), 'mine');
    await run();
    expect((await stat(order.folder)).mode & 0o777).toBe(0o700);
    expect(Object.keys(await readContents())).toHaveLength(3);
  });
});

describeOnSqlite('a backup that can’t be made', () => {
  it('is refused while another one runs, which is no problem of the site', async () => {
    await run();
    await withLock(
      order.folder,
      () => now,
      () => expect(run()).rejects.toThrow(`running (process ${process.pid} on`),
    );
    expect(await readState()).toMatchObject({ problem: null });
    await run();
  });

  it('takes over from a machine that hasn’t been heard of for ten minutes', async () => {
    await run();
    const lock = { id: 'x', host: 'another machine', pid: process.pid, at: now };
    await writeFile(join(order.folder, 'lock'), JSON.stringify(lock));
    await expect(run()).rejects.toThrow('on another machine');
    now += 10 * 60_000;
    await run();
    expect(await listAll()).not.toContain('lock');
  });

  it('isn’t begun on the machine’s own disk when the one of the backups is away', async () => {
    await run();
    await rename(order.folder, join(folder, 'unplugged'));
    await mkdir(order.folder);
    await expect(run()).rejects.toThrow('Is its disk mounted? To begin anew there, add --new.');
    expect((await readState()).problem).toContain('has no backups');
    expect(await readdir(order.folder)).toEqual([]);
    await run({ isNew: true });
    expect(await readState()).toMatchObject({ lastAt: now, problem: null });
  });

  it('doesn’t count when the site’s files are gone', async () => {
    await run();
    now += DAY;
    await rename(join(folder, 'files'), join(folder, 'unplugged'));
    await expect(run()).rejects.toThrow('The site’s files are gone. Is their disk mounted?');
    expect(await readState()).toMatchObject({ lastAt: START });
    expect(await checkAll()).toBe(1);
  });

  it('says that the disk is full, and leaves the backups before it whole', async ({ skip }) => {
    const disk = mountSmallDisk(order.folder, 2);
    skip(!disk, 'mounting a disk is not allowed here');
    if (!disk) return;
    try {
      await run();
      now += DAY;
      await put('large', 'l'.repeat(4_000_000));
      await expect(run()).rejects.toThrow(
        `${order.folder} is full. Free some space, or use a larger disk. The backups that are there stay as they are.`,
      );
      expect(await readState()).toMatchObject({ lastAt: START });
      expect((await readState()).problem).toContain('is full');
      expect(await checkAll()).toBe(1);
      expect((await listAll()).filter((name) => name.startsWith('incoming'))).toEqual([]);
      await storage.delete('masters/large.flac');
      await run();
      expect(await checkAll()).toBe(2);
    } finally {
      disk.unmount();
    }
  });
});

itOnSqlite(
  'of a run that is killed leaves the backups before it whole, and the next one goes on',
  async () => {
    await run();
    const site = { database: database.settings, files: join(folder, 'files') };
    const { folder: place, scratch } = order;
    const dieAt = async (line: string) => {
      const child = await startChild({
        settings: database.settings,
        now,
        do: { kind: 'backup', place: site, folder: place, scratch, dieAt: line },
      });
      child.go();
      await expect(child.readMessage()).rejects.toThrow('SIGKILL');
    };
    now += DAY;
    await put('d', 'd');
    await dieAt('masters/d.flac');
    expect(await checkAll()).toBe(1);
    now += 8 * DAY;
    await dieAt('every byte');
    expect(await checkAll()).toBe(2);
    expect(await readState()).toMatchObject({ lastAt: now, lastVerifiedAt: null });
    read = [];
    await run();
    expect(read).toEqual([]);
    expect(await checkAll()).toBe(3);
    expect(await readdir(folder)).not.toContain('scratch');
    expect(await readState()).toMatchObject({ lastAt: now, lastVerifiedAt: now, problem: null });
  },
);

itOnSqlite('goes on beside one whose manifest is damaged, and says so until it isn’t', async () => {
  await count('first', 1);
  await run();
  const [first = ''] = await listDays(order.folder);
  const manifest = join(order.folder, 'days', first);
  const bytes = await readFile(manifest, 'utf8');
  await writeFile(manifest, bytes.replace('"format":2', '"format":3'));
  await storage.delete('masters/a.flac');
  for (let night = 1; night <= 3; night += 1) {
    now += DAY;
    await expect(run()).rejects.toThrow(
      `The backup was made. An earlier one can’t be read: ${first}`,
    );
    const { lastAt, problem } = await readState();
    expect(lastAt).toBe(now);
    expect(problem).toContain('Nothing is removed until');
    expect(await checkAll()).toBe(night);
  }
  // Three nights a day apart, with numbers of their own.
  expect((await listDays(order.folder)).map((name) => Number.parseInt(name, 10))).toEqual([
    2, 3, 4,
  ]);
  now += 5 * DAY;
  await expect(run()).rejects.toThrow(first);
  expect(await readState()).toMatchObject({ lastAt: now, lastVerifiedAt: now });
  // What only the damaged one needs is still there: a good copy of it can be restored.
  await writeFile(`${manifest}.damaged`, bytes);
  now += DAY;
  await run();
  expect(await readState()).toMatchObject({ problem: null });
  expect((await restore(manifest)).contents).toHaveProperty('masters/a.flac');
});

describe('the proof', () => {
  it('is made once a week, by restoring on the side', async () => {
    await count('first', 1);
    now += 6 * DAY;
    await run();
    expect(await readState()).toMatchObject({ lastVerifiedAt: START });
    now += DAY - HOUR / 2;
    await run();
    expect(await readState()).toMatchObject({ lastAt: now, lastVerifiedAt: now, problem: null });
    expect(await readdir(folder)).not.toContain('scratch');
  });

  itOnSqlite('fails on a flipped bit until the site’s file is copied again', async () => {
    await run();
    const path = await flipBit();
    now += DAY;
    await expect(run({ isProving: true })).rejects.toThrow(
      /One file of the backups can’t be read back: .*000002/,
    );
    const state = await readState();
    expect(state).toMatchObject({ lastAt: now, lastVerifiedAt: null });
    expect(state.problem).toContain(path);
    now += DAY;
    read = [];
    await run();
    expect(read).toEqual(['masters/a.flac']);
    expect(await readState()).toMatchObject({ lastVerifiedAt: now, problem: null });
    expect((await listAll()).filter((name) => name.endsWith('.damaged'))).toEqual([]);
    expect(await checkAll()).toBe(3);
  });

  itOnSqlite('goes on failing while a backup needs what nobody has any more', async () => {
    await run();
    const path = await flipBit();
    await storage.delete('masters/a.flac');
    now += DAY;
    await expect(run({ isProving: true })).rejects.toThrow(path);
    now += DAY;
    await expect(run()).rejects.toThrow(path);
    expect((await readState()).problem).toContain(path);
    // What is left of it may be better than nothing, and a disk may yet find the bit again.
    expect(await listAll()).toContain(`${path.slice(order.folder.length + 1)}.damaged`);
    await writeFile(`${path}.damaged`, 'a'.repeat(1000));
    now += DAY;
    await run();
    expect(await readState()).toMatchObject({ lastVerifiedAt: now, problem: null });
    expect(await checkAll()).toBe(4);
  });

  itOnSqlite('fails on a row that the restored database would not have', async () => {
    await count('first', 1);
    await run();
    const { path, manifest } = await openBackup(order.folder);
    const counters = manifest.tables['counters'];
    if (counters) counters.rows += 1;
    await writeFile(path, formatManifest(manifest));
    const restoring = restoreAside(order.folder, order.scratch, now);
    await expect(restoring).rejects.toThrow('has 1 rows of counters, but says it has 2');
    expect(await readdir(folder)).not.toContain('scratch');
  });
});

itOnSqlite('with S3 has the files, fetches none twice, and is restored into a store', async () => {
  const [s3, other] = [await startS3Server(), await startS3Server()];
  try {
    storage = createS3Storage(s3.settings);
    for (const name of ['a', 'b']) await put(name, name);
    const store = countReads(storage);
    order.site = { database: database.settings, files: null, store };
    read = [];
    expect((await run()).copied).toBe(2);
    now += DAY;
    await put('d', 'd');
    read = [];
    await run();
    expect(read).toEqual(['masters/d.flac']);
    const target = createS3Storage(other.settings);
    await target.put('masters/old.flac', Buffer.from('old'));
    await target.put('masters/a.flac', Buffer.from('damaged'));
    const file = join(folder, 'from-s3.sqlite');
    const site = { database: { kind: 'sqlite' as const, file }, files: null, store: target };
    const options = { now, isReplacing: false, report: quiet };
    await expect(restoreBackup(site, order.folder, options)).rejects.toThrow('already exists');
    await restoreBackup(site, order.folder, { ...options, isReplacing: true });
    const contents: Record<string, string> = {};
    for await (const { key } of target.list()) {
      const found = await target.open(key);
      contents[key] = String(await found?.stream.toArray());
    }
    expect(contents).toEqual({
      'masters/a.flac': 'a',
      'masters/b.flac': 'b',
      'masters/d.flac': 'd',
    });
  } finally {
    await s3.close();
    await other.close();
  }
});
