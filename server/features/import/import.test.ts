import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { followImport, importFolder } from './service.ts';

let test: TestApp;
let folder: string;
beforeEach(async () => {
  test = await createTestApp();
  folder = await mkdtemp(join(tmpdir(), 'test-import-'));
});
afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const run = async () => {
  const lines: string[] = [];
  const report = (line: string) => lines.push(line);
  const result = await importFolder(test.deps, folder, report);
  const failed = await followImport(test.deps, result.imported, {
    report,
    pause: () => test.worker.runDue(),
  });
  return { ...result, failed, lines };
};

it('a folder becomes mixes of the weeks in its names, once however often it is imported', async () => {
  await createAdmin(test);
  await mkdir(join(folder, 'old'));
  const tone = (seconds: number) => writeToneWav({ seconds, loudFrom: 1 });
  await writeFile(join(folder, 'old', '2026-W12 Golden Hour.wav'), tone(2));
  await writeFile(join(folder, '2026-W13 Rain.wav'), tone(3));
  await writeFile(join(folder, '2026-W14 Broken.mp3'), 'this is no sound');
  await writeFile(join(folder, 'notes.txt'), 'not audio');
  const first = await run();
  expect(first.imported).toHaveLength(3);
  expect([first.failed, first.known]).toEqual([1, 0]);
  const { db } = test.deps.database;
  const read = () =>
    db.selectFrom('tracks').select(['year', 'week', 'status']).orderBy('week').execute();
  const mixes = [
    { year: 2026, week: 12, status: 'ready' },
    { year: 2026, week: 13, status: 'ready' },
  ];
  expect(await read()).toEqual(mixes);
  expect(first.lines).toContain('2026-W13 Rain.wav: ready as 2026 week 13');
  const second = await run();
  expect([second.known, second.imported.length]).toEqual([2, 1]);
  expect(await read()).toEqual(mixes);
});

it('says what it lacks', async () => {
  await expect(run()).rejects.toThrow('holds no audio files');
  await writeFile(join(folder, 'a.wav'), 'x');
  await expect(run()).rejects.toThrow('There is no administrator yet');
  await rm(folder, { recursive: true });
  await expect(run()).rejects.toThrow('is not a folder');
});
