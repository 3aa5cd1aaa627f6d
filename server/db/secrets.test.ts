/** @module-tag both-databases */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decryptText, deriveSigningKey, encryptText } from './secrets.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

const REFUSED = /unable to authenticate/;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('gives back what was encrypted, also on another server of the site', async () => {
  const { db } = database;
  const other = database.connectAgain();
  for (const text of ['', 'correct horse', 'Mix für Țară 🎧\0'.repeat(500)]) {
    const encrypted = await encryptText(db, 'tests', text);
    expect(await decryptText(other.db, 'tests', encrypted)).toBe(text);
  }
});

it('derives one key for each purpose, the same on all servers of a site, and of no other', async () => {
  const { db } = database;
  const key = await deriveSigningKey(db, 'tests');
  expect(key).toHaveLength(32);
  expect(await deriveSigningKey(database.connectAgain().db, 'tests')).toEqual(key);
  expect(await deriveSigningKey(db, 'other')).not.toEqual(key);
  const site = await createTestDatabase();
  expect(await deriveSigningKey(site.db, 'tests')).not.toEqual(key);
  await site.close();
});

it('never writes the same text, nor anything of it, twice', async () => {
  const { db } = database;
  const first = await encryptText(db, 'tests', 'correct horse');
  expect(await encryptText(db, 'tests', 'correct horse')).not.toBe(first);
  expect(Buffer.from(first.slice(3), 'base64url').toString('latin1')).not.toContain('horse');
});

it('rejects a text that was changed, cut, encrypted for something else, or never was encrypted', async () => {
  const { db } = database;
  const encrypted = await encryptText(db, 'tests', 'correct horse');
  const changed =
    encrypted.slice(0, -3) + (encrypted.at(-3) === 'A' ? 'B' : 'A') + encrypted.slice(-2);
  for (const text of [changed, encrypted.slice(0, 20), encrypted.slice(0, -4), 'correct horse', ''])
    await expect(decryptText(db, 'tests', text)).rejects.toThrow(Error);
  await expect(decryptText(db, 'other', encrypted)).rejects.toThrow(REFUSED);
});

it('rejects what another site encrypted', async () => {
  const elsewhere = await createTestDatabase();
  try {
    const encrypted = await encryptText(elsewhere.db, 'tests', 'correct horse');
    await expect(decryptText(database.db, 'tests', encrypted)).rejects.toThrow(REFUSED);
  } finally {
    await elsewhere.close();
  }
});
