/** @module-tag both-databases */
import { rmSync, truncateSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAX_TRACKLIST_BYTES } from '#contract/tracklists/tracklist-files.ts';
import { createAdmin } from '../../testing/test-admin.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';
import { writeToneWav } from '../../testing/tone-wav.ts';
import { reportImport, importFolder } from './service.ts';
import { itOnSqlite } from '../../testing/on-sqlite.ts';

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
  const failed = await reportImport(test.deps, result.imported, {
    report,
    pause: () => test.worker.runDue(),
  });
  return { ...result, failed, lines };
};

itOnSqlite('imports each file of a folder once, into the week of its name', async () => {
  await createAdmin(test);
  await mkdir(join(folder, 'old'));
  await writeFile(join(folder, 'old', '2026-W12 Golden Hour.wav'), tone(2));
  await writeFile(join(folder, '2026-W13 Rain.wav'), tone(3));
  await writeFile(join(folder, '2026-W14 Broken.mp3'), 'this is no sound');
  await writeFile(join(folder, 'notes.txt'), 'not audio');
  const first = await run();
  expect(first.imported).toHaveLength(3);
  expect([first.failed, first.duplicates]).toEqual([1, 0]);
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
  expect([second.duplicates, second.imported.length]).toEqual([2, 1]);
  expect(await read()).toEqual(mixes);
});

const readUploads = () =>
  test.deps.database.db.selectFrom('uploads').select(['file_name', 'state']).execute();
const tone = (seconds: number) => writeToneWav({ seconds, loudFrom: 1 });

itOnSqlite('continues after an interruption, and skips duplicate files', async () => {
  await createAdmin(test);
  await writeFile(join(folder, '2026-W12 Golden Hour.wav'), tone(2));
  await writeFile(join(folder, '2026-W13 Rain.wav'), tone(3));
  await writeFile(join(folder, '2026-W13 Rain (copy).wav'), tone(3));
  const stopped = importFolder(test.deps, folder, () => {
    throw new Error('Stopped.');
  });
  await expect(stopped).rejects.toThrow('Stopped.');
  const again = await run();
  expect(again.lines.slice(0, 3)).toEqual([
    '1/3 2026-W12 Golden Hour.wav: uploaded',
    '2/3 2026-W13 Rain (copy).wav: uploaded',
    '3/3 2026-W13 Rain.wav: already imported',
  ]);
  expect([again.imported.length, again.duplicates, again.failed]).toEqual([2, 1, 0]);
  expect((await readUploads()).map(({ state }) => state)).toEqual(['finished', 'finished']);
  const { db } = test.deps.database;
  const tracks = await db.selectFrom('tracks').select('week').orderBy('week').execute();
  expect(tracks).toEqual([{ week: 12 }, { week: 13 }]);
});

it('skips unreadable and empty files and imports the others', async () => {
  await createAdmin(test);
  for (const [index, name] of ['a', 'b', 'c', 'd'].entries())
    await writeFile(join(folder, `2026-W2${index} ${name}.wav`), tone(index + 2));
  const lines: string[] = [];
  const { imported, refused } = await importFolder(test.deps, folder, (line) => {
    lines.push(line);
    if (lines.length > 1) return;
    rmSync(join(folder, '2026-W21 b.wav'));
    truncateSync(join(folder, '2026-W22 c.wav'), 0);
  });
  expect(lines).toEqual([
    '1/4 2026-W20 a.wav: uploaded',
    '2/4 2026-W21 b.wav: Couldn’t read the file (ENOENT).',
    '3/4 2026-W22 c.wav: The file is empty.',
    '4/4 2026-W23 d.wav: uploaded',
  ]);
  expect([imported.length, refused]).toEqual([2, 1 + 1]);
  expect(await readUploads()).toHaveLength(2);
  const kept = await readdir(join(test.deps.config.dataDir, 'files', 'uploads'));
  expect(kept.toSorted()).toEqual(imported.map(({ uploadId }) => uploadId).toSorted());
});

it('reads the tracklist beside a mix, and says what became of every line', async () => {
  await createAdmin(test);
  const write = (name: string, data: string | Buffer) => writeFile(join(folder, name), data);
  await write('2026-W12 Golden Hour.wav', tone(2));
  const cue = [
    'TRACK 01 AUDIO',
    'TITLE "Intro"',
    'INDEX 01 00:00:00',
    'TRACK 02 AUDIO',
    'INDEX 01 x',
  ];
  await write('2026-w12 golden hour.CUE', cue.join('\r\n'));
  await write('2026-W12 Golden Hour.txt', 'never read');
  await write('2026-W13 Rain.wav', tone(3));
  await write('2026-W13 Rain.wav.txt', Buffer.from('Relay Room - Salt\nLog Drum\n', 'utf16le'));
  await write('2026-W13 Rain.nml', '<NML></NML>');
  await write('2026-W13 Rain.xml', Buffer.alloc(MAX_TRACKLIST_BYTES + 1));
  await write('notes.txt', 'buy bread');
  const first = await run();
  expect(first.lines.filter((line) => !/(uploaded|%|waiting|ready as .*)$/.test(line))).toEqual([
    '  2026-w12 golden hour.CUE: 1 track (cue sheet)',
    '  2026-w12 golden hour.CUE: line 4 is missing a TITLE',
    '  2026-w12 golden hour.CUE: line 5 has an invalid time: x',
    '  2026-W12 Golden Hour.txt: not read, the one above is used',
    '  2026-W13 Rain.nml: no tracks that we understand',
    '  2026-W13 Rain.nml: line 1 starts a tracklist (Traktor list) without any tracks',
    '  2026-W13 Rain.xml: not read, larger than 512 KB',
    '  2026-W13 Rain.wav.txt: 2 tracks (list), 2 without a time',
    'notes.txt: not read, no mix has this name',
  ]);
  const { db } = test.deps.database;
  const tracks = await db.selectFrom('tracks').select('chapters').orderBy('week').execute();
  expect(tracks.map(({ chapters }) => JSON.parse(chapters) as unknown)).toEqual([
    [{ at: 0, title: 'Intro', artist: null }],
    [
      { at: null, title: 'Salt', artist: 'Relay Room' },
      { at: null, title: 'Log Drum', artist: null },
    ],
  ]);
  const second = await run();
  expect(second.lines).toContain('  2026-W13 Rain.wav.txt: not read, the mix is there already');
});

it('explains what is missing', async () => {
  await expect(run()).rejects.toThrow('has no audio files');
  await writeFile(join(folder, 'a.wav'), 'x');
  await expect(run()).rejects.toThrow('No administrator yet');
  await rm(folder, { recursive: true });
  await expect(run()).rejects.toThrow('is not a readable folder');
});
