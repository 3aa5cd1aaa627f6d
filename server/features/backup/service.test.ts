/** @module-tag both-databases */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { readBackupState, recordBackup } from './service.ts';

const NOW = Date.UTC(2026, 10, 20);

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

it('is no backup at all until one is recorded, and after that what was recorded last', async () => {
  const none = { lastAt: null, lastVerifiedAt: null, problem: null, repository: null };
  expect(await readBackupState(database.db)).toEqual(none);
  await recordBackup(database.db, { lastAt: NOW, lastVerifiedAt: NOW - 1 }, NOW);
  await recordBackup(database.db, { problem: 'The disk is full.' }, NOW + 1);
  const state = { ...none, lastAt: NOW, lastVerifiedAt: NOW - 1, problem: 'The disk is full.' };
  expect(await readBackupState(database.db)).toEqual(state);
});

it('is no backup at all if what is stored can’t be read', async () => {
  await recordBackup(database.db, { lastAt: NOW }, NOW);
  for (const value of ['{', 'null', '{"lastAt":"today"}']) {
    await database.db.updateTable('settings').set({ value }).execute();
    expect((await readBackupState(database.db)).lastAt).toBe(null);
  }
});
