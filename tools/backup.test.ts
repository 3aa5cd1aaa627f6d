import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { createLocalStorage } from '#server/ports/storage/local-storage.ts';
import { NODE_FLAGS } from './run-node.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-backup-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (tool: 'backup' | 'restore', args: string[] = [], data = 'data') =>
  spawn(process.execPath, [...NODE_FLAGS, join(import.meta.dirname, `${tool}.ts`), ...args], {
    env: { DATA_DIR: join(folder, data), BACKUP_DIR: join(folder, 'backups') },
  });

async function run(...args: Parameters<typeof start>) {
  const child = start(...args);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}

/** Of a demo, which needs no settings. */
async function createSite() {
  const file = join(folder, 'data', 'demo', 'database.sqlite');
  const database = connect({ kind: 'sqlite', file }, console);
  await migrate(database, Date.now());
  await database.close();
  const storage = createLocalStorage(join(folder, 'data', 'demo', 'files'));
  await storage.put('masters/first.flac', Buffer.from('first'));
  return storage;
}

it('without a site, or with a word that it doesn’t know, says so and makes nothing', async () => {
  const [none, unknown] = await Promise.all([run('backup'), run('backup', ['--nigthly'])]);
  expect(none.text).toMatch(/^There is no site: .*Is DATA_DIR right\?\n$/);
  expect(unknown.text).toContain('Usage: npm run backup');
  expect([none.code, unknown.code]).toEqual([1, 1]);
});

it('each night makes one, says how old it is, and it can be restored', async () => {
  const storage = await createSite();
  const nightly = start('backup', ['--nightly']);
  const [line] = (await once(nightly.stdout, 'data')) as [Buffer];
  nightly.kill('SIGKILL');
  expect(line.toString()).toMatch(
    /^Saved to .*backups\. New files: 1 \(\d KB\)\. Backups kept: 1\.\nLast backup: 1 minute ago\. Read back and compared: 1 minute ago\.\n/,
  );
  await storage.put('masters/second.flac', Buffer.from('second'));
  expect((await run('backup')).text).toContain('New files: 1 (0 KB). Backups kept: 2.');
  expect((await run('backup', ['--status'])).text).toMatch(/^Last backup: 1 minute ago\./);
  const restored = await run('restore', [], 'elsewhere');
  expect(restored.text).toContain('Restored the backup of ');
  const there = createLocalStorage(join(folder, 'elsewhere', 'demo', 'files'));
  expect(await there.stat('masters/second.flac')).toEqual({ size: 6 });
});
