import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  findChromium,
  findFirst,
  chromiumSources,
  NPM_CHROMIUM,
  noChromiumMessage,
  type Machine,
} from './find-chromium.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-chromium-test-'));
  // Hides the programs of this machine, above all npm.
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
  test('takes precedence over anything on the machine', async () => {
    writeProgram('chromium');
    const given = writeProgram('my-browser');
    vi.stubEnv('CHROMIUM_PATH', given);
    await expect(findChromium()).resolves.toBe(given);
  });

  test.each(['missing', 'a folder', 'not executable'])(
    'is reported if it is %s, and nothing else is tried',
    async (kind) => {
      writeProgram('chromium');
      const given = join(folder, 'given');
      if (kind === 'a folder') mkdirSync(given);
      if (kind === 'not executable') writeFileSync(given, '', { mode: 0o644 });
      vi.stubEnv('CHROMIUM_PATH', given);
      await expect(findChromium()).rejects.toThrow(
        `CHROMIUM_PATH is ${given}, which is not a program.`,
      );
    },
  );
});

describe('findChromium without CHROMIUM_PATH', () => {
  const machine = { platform: 'linux', arch: 'arm64', env: {}, isRoot: false };

  test('uses the first source that has one', async () => {
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

  test('finds one on the PATH', async () => {
    const program = writeProgram('google-chrome');
    await expect(findChromium(machine)).resolves.toBe(program);
  });

  test('reports a package that npm cannot install and tries the next source', async () => {
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

  test('passes over a browser that does not start, as without its shared libraries', async () => {
    writeProgram('chromium', 'exit 127');
    const other = writeProgram('google-chrome');
    await expect(findChromium(machine)).resolves.toBe(other);
  });

  test.each(['dnf', 'zypper', 'pacman'])('installs one with %s', async (manager) => {
    const log = silence('log');
    const installed = join(folder, 'chromium');
    writeProgram(manager, `/bin/cp ${writeProgram('browser')} ${installed}`);
    await expect(findFirst([{ kind: 'package', names: ['chromium'] }])).resolves.toBe(installed);
    expect(log.mock.calls.flat()).toEqual([`Installing chromium with ${manager}, as root …`]);
  });

  test('installs the first package that apt-get has', async () => {
    silence('log');
    const installed = join(folder, 'chromium');
    const fails =
      '[ "$1" = update ] && exit 0; for name; do :; done; [ $name = chromium ] || exit 1';
    writeProgram('apt-get', `${fails}; /bin/cp ${writeProgram('browser')} ${installed}`);
    const names = ['chromium-headless-shell', 'chromium'];
    await expect(findFirst([{ kind: 'package', names }])).resolves.toBe(installed);
  });

  test('explains how to get a browser if there is none', async () => {
    const sources = [{ kind: 'command', name: 'chromium' }] as const;
    await expect(findChromium(machine, [...sources])).rejects.toThrow(
      /^The end-to-end tests need Chromium and found none: install .*, or set CHROMIUM_PATH\.$/,
    );
  });
});

const machine = (overrides: Partial<Machine> = {}): Machine => ({
  platform: 'linux',
  arch: 'x64',
  env: {},
  isRoot: false,
  ...overrides,
});
const kinds = (overrides: Partial<Machine>) => [
  ...new Set(chromiumSources(machine(overrides)).map(({ kind }) => kind)),
];

describe('chromiumSources', () => {
  test('has only CHROMIUM_PATH when it is set', () => {
    const env = { CHROMIUM_PATH: '/opt/chrome', CI: 'true' };
    expect(chromiumSources(machine({ env, isRoot: true }))).toEqual([
      { kind: 'given', path: '/opt/chrome' },
    ]);
  });

  test('has the PATH, Playwright’s own browser, npm and Playwright’s download on Linux x64', () => {
    expect(chromiumSources(machine()).slice(-3)).toEqual([
      { kind: 'playwright', isDownload: false },
      { kind: 'npm', package: NPM_CHROMIUM },
      { kind: 'playwright', isDownload: true },
    ]);
  });

  test('has no npm package for Linux arm64', () => {
    expect(kinds({ arch: 'arm64' })).toEqual(['command', 'playwright']);
  });

  test('has the package manager last, and only for root on Linux', () => {
    expect(kinds({ isRoot: true })).toEqual(['command', 'playwright', 'npm', 'package']);
    expect(kinds({ arch: 'arm64', isRoot: true })).toEqual(['command', 'playwright', 'package']);
    expect(kinds({ platform: 'darwin', isRoot: true })).toEqual(['command', 'file', 'playwright']);
  });

  test('has the PATH and then the applications on macOS', () => {
    const sources = chromiumSources(machine({ platform: 'darwin', arch: 'arm64' }));
    expect(sources).toContainEqual({
      kind: 'file',
      path: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    });
    expect(kinds({ platform: 'darwin' })).toEqual(['command', 'file', 'playwright']);
  });

  test('has the program folders of the environment on Windows', () => {
    const env = { ProgramFiles: 'C:\\Program Files' };
    const sources = chromiumSources(machine({ platform: 'win32', env }));
    expect(sources[0]).toEqual({
      kind: 'file',
      path: 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    });
    expect(kinds({ platform: 'win32', env })).toEqual(['file', 'playwright']);
  });
});

describe('noChromiumMessage', () => {
  test.each(['linux', 'darwin', 'win32', 'freebsd'])(
    'explains how to get one on %s',
    (platform) => {
      expect(noChromiumMessage(machine({ platform }))).toMatch(/install .*CHROMIUM_PATH/);
    },
  );

  test('names a wrong CHROMIUM_PATH', () => {
    expect(noChromiumMessage(machine({ env: { CHROMIUM_PATH: '/nowhere' } }))).toContain(
      '/nowhere',
    );
  });
});
