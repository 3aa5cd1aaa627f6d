/** @module-tag both-databases */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findOutage } from '../outage.ts';
import { openSqlite } from './open-sqlite.ts';
import { LendingSqliteDialect, wrapDatabase } from './sqlite-dialect.ts';

type Tables = { notes: { text: string } };
let folder: string;
let db: Kysely<Tables>;
let other: ReturnType<typeof openSqlite>;

const open = (limits: { maxWaitMs?: number; maxQueueMs?: number } = {}): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: new LendingSqliteDialect({
      database: wrapDatabase(openSqlite(join(folder, 'a.sqlite'))),
      ...limits,
    }),
  });

const write = (text: string) => db.insertInto('notes').values({ text }).execute();
const list = async () =>
  (await db.selectFrom('notes').select('text').execute()).map((row) => row.text);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  db = open();
  other = openSqlite(join(folder, 'a.sqlite'));
  await sql`create table notes (text text)`.execute(db);
});
afterEach(async () => {
  other.close();
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

it('lets only writes wait while another process has the write lock', async () => {
  other.exec('begin immediate');
  const single = write('one');
  const transaction = db.transaction().execute(async (tx) => {
    await tx.insertInto('notes').values({ text: 'two' }).execute();
  });
  // Both have tried by now. A read and the event loop go on.
  for (let turn = 0; turn < 5; turn += 1) expect(await list()).toEqual([]);
  other.exec('commit');
  await Promise.all([single, transaction]);
  expect((await list()).toSorted()).toEqual(['one', 'two']);
});

it('gives up in the end, and works again once the lock is free', async () => {
  await db.destroy();
  db = open({ maxWaitMs: 0 });
  other.exec('begin immediate');
  const refused = await write('one').catch((error: unknown) => error);
  expect(findOutage(refused)).toEqual({ kind: 'gone' });
  await expect(db.transaction().execute(async () => undefined)).rejects.toThrow('locked');
  other.exec('commit');
  await write('two');
  expect(await list()).toEqual(['two']);
});

it('says that the disk is full, keeps nothing of the transaction, and goes on', async () => {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  await sql`pragma max_page_count = ${sql.lit((rows[0]?.page_count ?? 0) + 2)}`.execute(db);
  const refused = await db
    .transaction()
    .execute(async (tx) => {
      await tx.insertInto('notes').values({ text: 'small' }).execute();
      await tx
        .insertInto('notes')
        .values({ text: 'x'.repeat(100_000) })
        .execute();
    })
    .catch((error: unknown) => error);
  expect(findOutage(refused)).toEqual({ kind: 'full' });
  expect(await list()).toEqual([]);
  await write('still works');
  expect(await list()).toEqual(['still works']);
});

it('runs transactions one after the other, and queries outside them in between', async () => {
  const order: string[] = [];
  const run = (name: string) =>
    db.transaction().execute(async (tx) => {
      order.push(`${name} starts`);
      await tx.insertInto('notes').values({ text: name }).execute();
      await Promise.resolve();
      order.push(`${name} ends`);
    });
  const [, seen] = await Promise.all([run('a'), list(), run('b')]);
  expect(seen).toEqual(['a']);
  expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
});

it('undoes a transaction whose work fails', async () => {
  const failed = db.transaction().execute(async (tx) => {
    await tx.insertInto('notes').values({ text: 'gone' }).execute();
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  expect(await list()).toEqual([]);
});

it('refuses a query that waits for the transaction it is in, and goes on', async () => {
  await db.destroy();
  db = open({ maxQueueMs: 20 });
  const stuck = db.transaction().execute(async (tx) => {
    await tx.insertInto('notes').values({ text: 'lost' }).execute();
    await write('outside');
  });
  await expect(stuck).rejects.toThrow('in use for too long');
  await write('one');
  expect(await list()).toEqual(['one']);
});
