import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tightenDataDir } from './private-files.ts';

let dataDir: string;
let lines: string[];
const log = { warn: (_details: object, line: string) => void lines.push(line) };
const NAMES = ['database.sqlite', 'database.sqlite-wal', 'uploads', 'files'];

beforeEach(async () => {
  lines = [];
  dataDir = await mkdtemp(join(tmpdir(), 'test-private-'));
  await writeFile(join(dataDir, 'database.sqlite'), '');
  await writeFile(join(dataDir, 'database.sqlite-wal'), '');
  await mkdir(join(dataDir, 'uploads'));
  await mkdir(join(dataDir, 'files'));
  for (const name of NAMES) await chmod(join(dataDir, name), name.startsWith('d') ? 0o644 : 0o755);
  await chmod(dataDir, 0o755);
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const modes = async () =>
  Promise.all([dataDir, ...NAMES.map((name) => join(dataDir, name))].map(modeOf));

it('makes a data folder and what is in it readable by its owner only, and says so once', async () => {
  await tightenDataDir({ dataDir, accelPrefix: '' }, log);
  expect(await modes()).toEqual(['700', '600', '600', '700', '700']);
  await tightenDataDir({ dataDir, accelPrefix: '' }, log);
  expect(lines).toEqual([
    'Other users of this machine could read the site’s data. Now only its owner can.',
  ]);
});

it('lets nginx reach the audio, and nothing else, where it sends it', async () => {
  await tightenDataDir({ dataDir, accelPrefix: '/protected' }, log);
  expect(await modes()).toEqual(['710', '600', '600', '700', '750']);
});

it('leaves alone what a link points to', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'test-outside-'));
  await chmod(outside, 0o755);
  await symlink(outside, join(dataDir, 'link'));
  await tightenDataDir({ dataDir, accelPrefix: '' }, log);
  expect(await modeOf(outside)).toBe('755');
  await rm(outside, { recursive: true });
});
