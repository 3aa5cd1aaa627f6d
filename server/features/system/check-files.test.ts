/** @module-tag both-databases */
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findOutage } from '../../outage.ts';
import { seedTrack } from '../../testing/seed-track.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { checkFiles } from './check-files.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

let test: TestApp;
let files: string;
beforeEach(async () => {
  test = await createTestApp();
  files = join(test.deps.config.dataDir, 'files');
});
afterEach(() => test.close());

const seed = () => {
  const { database, storage, clock } = test.deps;
  return seedTrack({ db: database.db, storage, now: clock.now() });
};
const readHealth = async () => {
  const { components } = (await test.app.inject('/api/health')).json();
  return components.find(({ name }: { name: string }) => name === 'storage').status as string;
};

it('accepts a new site, a site with its files, and both again', async () => {
  await checkFiles(test.deps);
  await seed();
  await checkFiles(test.deps);
  // A copy without hidden files.
  await rm(join(files, '.folder-id'));
  await expect(checkFiles(test.deps)).resolves.toBeUndefined();
});

itOnSqlite('refuses a database whose files are missing', async () => {
  await seed();
  await rm(files, { recursive: true });
  await expect(checkFiles(test.deps)).rejects.toThrow(/files are missing from .*Mount the disk/);
});

it('notices a lost mount, keeps nothing in the empty folder, and goes on when it is back', async () => {
  const { id } = await seed();
  await checkFiles(test.deps);
  expect(await readHealth()).toBe('ok');
  await rename(files, `${files}-elsewhere`);
  await mkdir(files);
  const { storage } = test.deps;
  const refused = await storage
    .put('avatars/a.webp', Buffer.from('a'))
    .catch((error: unknown) => error);
  expect(findOutage(refused)).toEqual({ kind: 'gone' });
  const preview = await test.app.inject(`/media/tracks/${id}/preview`);
  expect([preview.statusCode, preview.headers['retry-after']]).toEqual([503, '5']);
  test.clock.advance(5000);
  expect(await readHealth()).toBe('error');
  await rm(files, { recursive: true });
  await rename(`${files}-elsewhere`, files);
  test.clock.advance(5000);
  expect(await readHealth()).toBe('ok');
  expect((await test.app.inject(`/media/tracks/${id}/preview`)).statusCode).toBe(200);
});
