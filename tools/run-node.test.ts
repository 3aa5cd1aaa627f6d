import { constants } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { runNodeAndCapture } from './run-node.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('shows what a script prints, and returns the end of it with the exit code', async () => {
  const shown: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => shown.push(String(chunk)) > 0);
  const script = 'for (let n = 1; n <= 40; n++) console.log(`line ${n}`); process.exitCode = 3;';
  const { code, lastLines } = await runNodeAndCapture(['-e', script], process.env);
  expect(code).toBe(3);
  expect(lastLines).toEqual(Array.from({ length: 30 }, (_, index) => `line ${index + 11}`));
  expect(shown.join('')).toMatch(/^line 1\nline 2\n[^]*line 40\n$/);
});

test('does not wait for a process that a script leaves behind', async () => {
  const stay = 'setTimeout(() => {}, 600_000)';
  const script = `
    const stay = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stay)}], { stdio: 'inherit' });
    stay.unref();
    process.stderr.write(String(stay.pid));
  `;
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { code, lastLines } = await runNodeAndCapture(['-e', script], process.env);
  expect(code).toBe(0);
  process.kill(Number(lastLines[0]));
});

test('gives a script, and what it starts, only the time that nobody else wants', async () => {
  const low = constants.priority.PRIORITY_LOW;
  const script = `
    while (require('node:os').getPriority() < ${low});
    require('node:child_process').execFileSync(process.execPath, ['-p', 'os.getPriority()'], { stdio: 'inherit' });
  `;
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const { lastLines } = await runNodeAndCapture(['-e', script], process.env, {
    onlyWhenIdle: true,
  });
  expect(lastLines).toEqual([String(low)]);
});
