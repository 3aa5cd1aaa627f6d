import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findChromium, findFirst } from './find-chromium.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-chromium-test-'));
  // Nothing of this machine, its npm least of all.
  vi.stubEnv('PATH', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function writeProgram(name: string, script = 'exit 0'): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}
const silence = (method: 'log' | 'warn') =>
  vi.spyOn(console, method).mockImplementation(() => undefined);

describe('CHROMIUM_PATH', () => {
  test('is taken before anything on the machine', async () => {
    writeProgram('chromium');
    const given = writeProgram('my-browser');
    vi.stubEnv('CHROMIUM_PATH', given);
    await expect(findChromium()).resolves.toBe(given);
  });

  test.each(['missing', 'a folder', 'not executable'])(
    'that is %s is named, and nothing else is tried',
    async (kind) => {
      writeProgram('chromium');
      const given = join(folder, 'given');
      if (kind === 'a folder') mkdirSync(given);
      if (kind === 'not executable') writeFileSync(given, '', { mode: 0o644 });
      vi.stubEnv('CHROMIUM_PATH', given);
      await expect(findChromium()).rejects.toThrow(
        `CHROMIUM_PATH is ${given}, but there is no program there.`,
      );
    },
  );
});

describe('without CHROMIUM_PATH', () => {
  /** npm has none for it, and nobody may install one: what is on the PATH is all there is. */
  const machine = { platform: 'linux', arch: 'arm64', env: {}, isRoot: false };

  test('the first source that has one is taken', async () => {
    const second = writeProgram('second');
    const third = writeProgram('third');
    await expect(
      findFirst([
        { kind: 'command', name: 'first' },
        { kind: 'command', name: 'second' },
        { kind: 'file', path: third },
      ]),
    ).resolves.toBe(second);
    await expect(
      findFirst([
        { kind: 'file', path: join(folder, 'first') },
        { kind: 'file', path: third },
        { kind: 'command', name: 'second' },
      ]),
    ).resolves.toBe(third);
  });

  test('one on the PATH is found', async () => {
    const program = writeProgram('google-chrome');
    await expect(findChromium(machine)).resolves.toBe(program);
  });

  test('a package that npm cannot install is told of, and the next source is tried', async () => {
    silence('log');
    const warn = silence('warn');
    writeProgram('npm', 'exit 1');
    const next = writeProgram('next');
    await expect(
      findFirst([
        { kind: 'npm', package: 'no-such-browser@0.0.0' },
        { kind: 'command', name: 'next' },
      ]),
    ).resolves.toBe(next);
    expect(warn.mock.calls.flat()).toEqual([
      expect.stringMatching(/^no-such-browser@0\.0\.0 could not be used: .*npm install/),
    ]);
  });

  test('a build machine installs it with its package manager, if it has one', async () => {
    const apt = [{ kind: 'apt', package: 'a-browser' }] as const;
    await expect(findFirst([...apt])).resolves.toBeUndefined();
    silence('log');
    const installed = join(folder, 'a-browser');
    writeProgram('apt-get', `[ "$1" = update ] || /bin/cp "$0" ${installed}`);
    await expect(findFirst([...apt])).resolves.toBe(installed);
  });

  test('nothing at all ends with how to get one', async () => {
    await expect(findChromium(machine)).rejects.toThrow(
      /^The end-to-end tests need a Chromium and found none: install .*, or set CHROMIUM_PATH to one\.$/,
    );
  });
});
