/** @module-tag both-databases */
import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { connect } from '../../db/connect.ts';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { createLocalStorage } from '../../ports/storage/local-storage.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';
import { readSite } from '../../testing/read-site.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { startChild } from '../../testing/start-child.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { formatManifest, openBackup, objectPath } from './manifest.ts';
import { openRepository } from './repository.ts';
import { listFiles } from './site-files.ts';
import { saveBackup, type SiteLocation } from './save-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const NOW = Date.UTC(2026, 10, 15);
const quiet = () => undefined;

let folder: string;
let saved: string;
let source: TestDatabase;
let target: TestDatabase;
let site: SiteLocation;

/** A track with its files, and some users whose names start alike. */
async function fill({ database, files }: SiteLocation, prefix: string) {
  const opened = connect(database, console);
  const storage = createLocalStorage(files ?? '');
  await seedTrack({ db: opened.db, storage, now: NOW }, { title: `${prefix} mix` });
  await storage.put(`tests/${prefix}.bin`, Buffer.from(prefix));
  await storage.put('tests/shared.bin', Buffer.from(`shared ${prefix}`));
  for (const [name, value] of [
    [prefix, 1],
    ['shared', prefix.length],
  ] as const)
    await opened.db.insertInto('counters').values({ name, value }).execute();
  await opened.close();
}

/** All that there is of a site: rows, and the bytes of files. */
async function readEverything(place: SiteLocation) {
  const keys = await listFiles(place.files ?? '');
  const files = await Promise.all(
    keys.map(async (key) => [key, (await hashFile(join(place.files ?? '', key))).sha256]),
  );
  return { rows: await readSite(place), files: Object.fromEntries(files) as object };
}

/** All of these leave the site as it was, but for the last: they share one. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-restore-'));
  saved = join(folder, 'saved');
  source = await createTestDatabase();
  target = await createTestDatabase();
  const from = { database: source.settings, files: join(folder, 'files') };
  site = { database: target.settings, files: join(folder, 'site') };
  if (target.settings.kind === 'sqlite') {
    // Only a database file that no process has open can be replaced.
    const file = join(folder, 'site.sqlite');
    await copyFile(target.settings.file, file);
    site.database = { kind: 'sqlite', file };
  }
  await fill(from, 'backup');
  await openRepository(saved, quiet);
  await saveBackup(from, saved, { now: NOW, report: quiet });
  await fill(site, 'old');
});
afterAll(async () => {
  await source.close();
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

const replace = (backup = saved, report: (line: string) => void = quiet) =>
  restoreBackup(site, backup, { now: NOW, isReplacing: true, report });

const listLeftovers = async () =>
  [...(await readdir(folder)), ...(await readdir(site.files ?? ''))].filter((name) =>
    name.includes('restoring'),
  );

/** The site is the backup, and nothing of what was there or came in between is left. */
async function expectRestored() {
  const { rows, files } = await readEverything(site);
  expect(rows['counters']?.join('\n')).toContain('backup');
  expect(rows['counters']?.join('\n')).not.toContain('old');
  const { manifest } = await openBackup(saved);
  const entries = Object.entries(manifest.files ?? {}).map(([key, { sha256 }]) => [key, sha256]);
  expect(files).toEqual(Object.fromEntries(entries));
  expect(await readFile(join(site.files ?? '', 'tests', 'shared.bin'), 'utf8')).toBe(
    'shared backup',
  );
  expect(await listLeftovers()).toEqual([]);
}

/** As a disk does that breaks after the backup was looked at: one line of it ends too early. */
async function copyBroken(table: string): Promise<string> {
  const broken = join(folder, 'broken');
  await cp(saved, broken, { recursive: true });
  const { path, manifest, tablePath } = await openBackup(broken);
  const bytes = gzipSync(gunzipSync(await readFile(tablePath(table))).subarray(0, -5));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await mkdir(dirname(objectPath(broken, sha256)), { recursive: true });
  await writeFile(objectPath(broken, sha256), bytes);
  manifest.tables[table] = { size: bytes.length, sha256, rows: 1 };
  await writeFile(path, formatManifest(manifest));
  return broken;
}

/** Another process restores, and is killed when it reports this. */
async function restoreAndDie(dieAt: string) {
  const child = await startChild({
    settings: site.database,
    now: NOW,
    do: { kind: 'restore', place: site, folder: saved, dieAt },
  });
  child.go();
  await expect(child.readMessage()).rejects.toThrow('SIGKILL');
}

describe('restoring over an existing site', () => {
  // On PostgreSQL everything is one transaction, whose end the next test makes fail.
  itOnSqlite('leaves the site unchanged if it fails halfway', async () => {
    const before = await readEverything(site);
    await expect(replace(await copyBroken('tracks'))).rejects.toThrow(/JSON/);
    expect(await readEverything(site)).toEqual(before);
    expect(await listLeftovers()).toEqual([]);
  });

  it('leaves the site unchanged if the disk fills up', async () => {
    const before = await readEverything(site);
    const fail = (line: string) => {
      if (line.startsWith('all files copied')) throw new Error('ENOSPC: no space left on device');
    };
    await expect(replace(saved, fail)).rejects.toThrow('ENOSPC');
    expect(await readEverything(site)).toEqual(before);
  });

  it('leaves the site unchanged if its process is killed, or another run completes it', async () => {
    const before = await readEverything(site);
    await restoreAndDie('tracks:');
    expect(await readEverything(site)).toEqual(before);
    await restoreAndDie('rows restored');
    expect((await readEverything(site)).rows['counters']?.join('\n')).toContain('backup');
    await replace();
    await expectRestored();
  });

  itOnSqlite('is rejected while a server has the database open', async () => {
    const file = join(folder, 'open.sqlite');
    const database = { kind: 'sqlite', file } as const;
    const server = connect(database, console);
    await sql`create table kept (id text)`.execute(server.db);
    const options = { now: NOW, isReplacing: true, report: quiet };
    const place = { database, files: join(folder, 'open') };
    await expect(restoreBackup(place, saved, options)).rejects.toThrow('Stop the server first.');
    expect((await sql`select * from kept`.execute(server.db)).rows).toEqual([]);
    await server.close();
  });
});
