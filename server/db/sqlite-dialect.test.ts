/** @module-tag both-databases */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite } from './open-sqlite.ts';
import { LendingSqliteDialect, wrapDatabase } from './sqlite-dialect.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is durable and enforces foreign keys', () => {
  const database = openSqlite(join(folder, 'new', 'folder', 'a.sqlite'));
  const read = (name: string): unknown =>
    Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];
  expect([read('journal_mode'), read('synchronous'), read('foreign_keys')]).toEqual(['wal', 2, 1]);
  database.close();
});

it('caches the most recently used statements, up to a limit', () => {
  const wrapped = wrapDatabase(openSqlite(join(folder, 'a.sqlite')), 2);
  const one = wrapped.prepare('select 1');
  const two = wrapped.prepare('select 2');
  expect(wrapped.prepare('select 1')).toBe(one);
  wrapped.prepare('select 3');
  expect(wrapped.prepare('select 1')).toBe(one);
  expect(wrapped.prepare('select 2')).not.toBe(two);
  wrapped.close();
});

it('takes the write lock at the start of a transaction, unless it only reads', async () => {
  const file = join(folder, 'a.sqlite');
  const db = new Kysely<Record<string, never>>({
    dialect: new LendingSqliteDialect({ database: wrapDatabase(openSqlite(file)) }),
  });
  const other = openSqlite(file);
  other.exec('pragma busy_timeout = 0');
  const tryToWrite = (): void => other.exec('begin immediate; rollback');
  await db.transaction().execute(async () => {
    expect(tryToWrite).toThrow('database is locked');
  });
  const reading = db.transaction().setAccessMode('read only');
  await reading.execute(async (tx) => {
    await sql`select 1`.execute(tx);
    expect(tryToWrite).not.toThrow();
  });
  other.close();
  await db.destroy();
});
