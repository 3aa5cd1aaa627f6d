/** @module-tag both-databases */
import { buildUser } from '../../db/build-rows.ts';
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedDemoTracks } from '#demo/seed-tracks.ts';
import { seedDemoListening } from '#demo/seed-listening.ts';
import { parseConfig } from '../../config.ts';
import { migrations as allMigrations } from '../../db/schema/migrations/list.ts';
import { connect } from '../../db/connect.ts';
import type { AuditLogTable } from '../../db/types/operations-tables.ts';
import { createDeps } from '../../deps.ts';
import { hashFile } from '../../ports/storage/hash-file.ts';
import { createLocalStorage } from '../../ports/storage/local-storage.ts';
import { newId } from '../../db/ids.ts';
import { itOnPostgres, itOnSqlite } from '../../testing/on-sqlite.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { readSite } from '../../testing/read-site.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { formatManifest, openBackup, type Backup, type Manifest } from './manifest.ts';
import { openRepository } from './repository.ts';
import { saveBackup, type SiteLocation } from './save-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { orderTables } from './restore-backup.ts';

const NOW = Date.UTC(2026, 10, 15);
const quiet = () => undefined;

let folder: string;
let source: TestDatabase;
let target: TestDatabase;
let from: SiteLocation;
let to: SiteLocation;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-backup-'));
  source = await createTestDatabase();
  target = await createTestDatabase({ isEmpty: true });
  from = { database: source.settings, files: join(folder, 'files') };
  to = {
    // Only a database file that no process has open can be replaced.
    database:
      target.dialect === 'sqlite'
        ? { kind: 'sqlite', file: join(folder, 'restored.sqlite') }
        : target.settings,
    files: join(folder, 'restored'),
  };
});
afterEach(async () => {
  await source.close();
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

const addUser = (id: string) =>
  source.db
    .insertInto('users')
    .values(buildUser({ id, password_hash: 'x', paid_through: NOW, created_at: NOW }))
    .execute();

const buildAuditLine = (change: Partial<AuditLogTable>): AuditLogTable => ({
  id: newId(NOW),
  at: NOW,
  actor_id: null,
  via: 'console',
  action: 'user.disabled',
  subject_kind: 'user',
  subject_id: 'naledi',
  before: null,
  after: null,
  reason: null,
  request_id: null,
  ...change,
});

/** Rows that reference others, with figures that triggers have written, and a line of the audit log. */
async function addReferences(userId: string) {
  const { db } = source;
  await db
    .insertInto('disabled_accounts')
    .values({ user_id: userId, at: NOW, reason: 'x' })
    .execute();
  await db
    .insertInto('audit_log')
    .values(buildAuditLine({ subject_id: userId }))
    .execute();
  const storage = createLocalStorage(from.files ?? '');
  const track = await seedTrack({ db, storage, now: NOW });
  const favorite = { user_id: userId, track_id: track.id, created_at: NOW };
  await db.insertInto('favorites').values(favorite).execute();
}

/** Two rows that are only ever there together, and a file that is there before they are. */
async function writePair(index: number) {
  const key = `tests/file-${index}.bin`;
  await createLocalStorage(from.files ?? '').put(key, Buffer.from(`content ${index} “ü”\n`));
  await source.db.transaction().execute(async (tx) => {
    const value = JSON.stringify({ index, text: 'a "quoted" line\nand another' });
    await tx.insertInto('settings').values({ name: key, value, updated_at: NOW }).execute();
    await tx.insertInto('counters').values({ name: key, value: index }).execute();
  });
}

/** Users, tracks, plays and payments, with numbers and letters that not every database accepts. */
async function fillSource() {
  const deps = await createDeps(
    parseConfig({ DATA_DIR: folder, DEMO_MIXES: '2', LOG_LEVEL: 'silent' }),
    {
      database: source,
      clock: { now: () => NOW },
      passwordCost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
    },
  );
  await seedDemoTracks(deps);
  await seedDemoListening(deps);
  await addUser('naledi');
  const name = "Nalédi “ü” 😀 \\ 'quote'";
  await source.db.updateTable('users').set({ username: name }).where('id', '=', 'naledi').execute();
  await writePair(2 ** 31 - 1);
  await source.db
    .insertInto('audit_log')
    .values(buildAuditLine({ at: Number.MAX_SAFE_INTEGER, after: '{"a":"\\n"}', reason: '' }))
    .execute();
}

async function save(site = from, place = join(folder, 'saved')) {
  await openRepository(place, quiet);
  return saveBackup(site, place, { now: NOW, report: quiet });
}
const restore = (isReplacing = false, place = to) =>
  restoreBackup(place, join(folder, 'saved'), { now: NOW, isReplacing, report: quiet });

/** The folder that "npm run backup" of 1.0.0 made of the same site. */
async function saveAsVersion1({ manifest, tablePath, filePath }: Backup, old: string) {
  const tables: Manifest['tables'] = {};
  await mkdir(join(old, 'tables'), { recursive: true });
  for (const [table, { rows }] of Object.entries(manifest.tables)) {
    const path = join(old, 'tables', `${table}.jsonl`);
    await writeFile(path, gunzipSync(await readFile(tablePath(table))));
    tables[table] = { ...(await hashFile(path)), rows };
  }
  for (const key of Object.keys(manifest.files ?? {})) {
    await mkdir(dirname(join(old, 'files', key)), { recursive: true });
    await copyFile(filePath(key), join(old, 'files', key));
  }
  const version1 = { ...manifest, format: 1, tables };
  await writeFile(join(old, 'manifest.json'), JSON.stringify(version1, null, 1));
}

async function readRestored() {
  const database = connect(to.database, console);
  try {
    const { db } = database;
    return {
      users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
      settings: await db.selectFrom('settings').selectAll().orderBy('name').execute(),
      counters: await db.selectFrom('counters').selectAll().orderBy('name').execute(),
      audit: await db.selectFrom('audit_log').selectAll().execute(),
      migrations: (
        await db
          .selectFrom('schema_migrations' as never)
          .selectAll()
          .execute()
      ).length,
    };
  } finally {
    await database.close();
  }
}

describe('a backup', () => {
  it('is a consistent snapshot of rows and files while both change, and restores it exactly, but never over a site', async () => {
    await addUser('naledi');
    await addReferences('naledi');
    const figures = await source.db.selectFrom('track_figures').selectAll().execute();
    for (let index = 0; index < 50; index += 1) await writePair(index);
    let isSaving = true;
    const writing = (async () => {
      for (let index = 50; isSaving; index += 1) await writePair(index);
    })();
    await save();
    isSaving = false;
    await writing;
    const manifest = await restore();
    const { users, settings, counters, audit, migrations } = await readRestored();
    expect(users).toEqual(await source.db.selectFrom('users').selectAll().execute());
    expect(counters.map(({ name }) => name)).toEqual(settings.map(({ name }) => name));
    expect(counters.length).toBeGreaterThanOrEqual(50);
    expect(manifest.tables.counters?.rows).toBe(counters.length);
    for (const { name, value } of counters) {
      const file = await readFile(join(to.files ?? '', ...name.split('/')), 'utf8');
      expect(file).toBe(`content ${value} “ü”\n`);
    }
    const row = settings.find(({ name }) => name === 'tests/file-7.bin');
    expect(JSON.parse(row?.value ?? '')).toEqual({
      index: 7,
      text: 'a "quoted" line\nand another',
    });
    expect(audit).toMatchObject([{ action: 'user.disabled', subject_id: 'naledi' }]);
    expect(migrations).toBe(allMigrations.length);
    const restored = connect(to.database, console);
    expect(await restored.db.selectFrom('track_figures').selectAll().execute()).toEqual(figures);
    await expect(restored.db.deleteFrom('audit_log').execute()).rejects.toThrow(
      /cannot be changed/,
    );
    await restored.close();
    await expect(restore()).rejects.toThrow('A site already exists here.');
  });

  itOnPostgres('moves between SQLite and PostgreSQL and back without losing a value', async () => {
    await fillSource();
    await save();
    const file = join(folder, 'elsewhere.sqlite');
    const elsewhere: SiteLocation = {
      database: { kind: 'sqlite', file },
      files: join(folder, 'elsewhere'),
    };
    await restore(false, elsewhere);
    const again = join(folder, 'saved-again');
    await save(elsewhere, again);
    await restoreBackup(to, again, { now: NOW, isReplacing: false, report: quiet });
    const [before, after] = [await readSite(from), await readSite(to)];
    expect(after).toEqual(before);
    expect(await readSite(elsewhere)).toEqual(before);
    expect(Object.entries(before).filter(([, rows]) => rows.length > 0).length).toBeGreaterThan(15);
  });

  itOnSqlite('is rejected before anything is restored if a byte of it has changed', async () => {
    await addUser('naledi');
    await writePair(1);
    await save();
    const { tablePath } = await openBackup(join(folder, 'saved'));
    await appendFile(tablePath('users'), '\n');
    await expect(restore()).rejects.toThrow(/damaged: .*saved.files/);
    const tables = connect(to.database, console);
    await expect(tables.db.selectFrom('users').selectAll().execute()).rejects.toThrow(/users/);
    await tables.close();
  });

  itOnSqlite('is rejected if it’s not a backup, incomplete, or from a newer version', async () => {
    await expect(restore()).rejects.toThrow('is not a complete backup');
    await save();
    const { path, manifest } = await openBackup(join(folder, 'saved'));
    const newer = { ...manifest, migrations: [...manifest.migrations, '9999-from-the-future'] };
    await writeFile(path, formatManifest(newer));
    await expect(restore()).rejects.toThrow('comes from a newer version');
    const outside = { '../../etc/passwd': { size: 0, sha256: '0'.repeat(64) } };
    await writeFile(path, formatManifest({ ...manifest, files: outside }));
    await expect(restore()).rejects.toThrow('is not a complete backup');
    const text = formatManifest(manifest);
    await writeFile(path, text);
    await restore();
    await writeFile(path, text.replace('"rows":0', '"rows":1'));
    await expect(restore(true)).rejects.toThrow('is not a complete backup');
  });

  itOnSqlite('is readable by its owner only, also in a folder that others could read', async () => {
    await mkdir(join(folder, 'saved'), { mode: 0o755 });
    await save();
    expect(((await stat(join(folder, 'saved'))).mode & 0o777).toString(8)).toBe('700');
  });

  itOnSqlite('goes into a folder that has nothing else', async () => {
    await mkdir(join(folder, 'saved', 'photos'), { recursive: true });
    await expect(save()).rejects.toThrow('has other files');
  });

  it('can also be a folder that version 1.0.0 made', async () => {
    await addUser('naledi');
    await writePair(7);
    await save();
    await saveAsVersion1(await openBackup(join(folder, 'saved')), join(folder, 'old'));
    await rm(join(folder, 'saved'), { recursive: true });
    const options = { now: NOW, isReplacing: false, report: quiet };
    await restoreBackup(to, join(folder, 'old'), options);
    expect(await readSite(to)).toEqual(await readSite(from));
    const file = join(to.files ?? '', 'tests', 'file-7.bin');
    expect(await readFile(file, 'utf8')).toBe('content 7 “ü”\n');
    await appendFile(join(folder, 'old', 'tables', 'users.jsonl'), '\n');
    const again = restoreBackup(to, join(folder, 'old'), { ...options, isReplacing: true });
    await expect(again).rejects.toThrow(/damaged: .*users\.jsonl/);
  });
});

it('sorts referenced tables first', () => {
  const references = [
    { from: 'plays', to: 'tracks' },
    { from: 'plays', to: 'users' },
    { from: 'sessions', to: 'users' },
    { from: 'users', to: 'users' },
  ];
  expect(orderTables(['plays', 'sessions', 'tracks', 'users'], references)).toEqual([
    'tracks',
    'users',
    'plays',
    'sessions',
  ]);
});
