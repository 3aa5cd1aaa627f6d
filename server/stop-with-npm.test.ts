import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
let npm: ChildProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-npm-'));
});
afterEach(async () => {
  try {
    // All that it has started and left behind.
    process.kill(-(npm.pid ?? 0), 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
  await rm(folder, { recursive: true, force: true });
});

it('ends with npm, even if the shell between them passes on no signal', async () => {
  npm = spawn('npm', ['run', 'worker'], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, HOME: folder, DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const { stdout } = npm;
  if (!stdout) throw new Error('npm says nothing.');
  for (let said = ''; !said.includes('Running jobs');)
    said += String((await once(stdout, 'data'))[0]);
  npm.kill('SIGTERM');
  // Both hold this pipe, so that its end is the end of both.
  expect(await text(stdout)).toBe('');
});
