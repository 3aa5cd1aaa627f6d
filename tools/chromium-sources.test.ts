import { describe, expect, test } from 'vitest';
import { chromiumSources, noChromiumMessage, type Machine } from './chromium-sources.ts';

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

describe('where a browser is looked for', () => {
  test('only at CHROMIUM_PATH when it is set', () => {
    const env = { CHROMIUM_PATH: '/opt/chrome', CI: 'true' };
    expect(chromiumSources(machine({ env, isRoot: true }))).toEqual([
      { kind: 'given', path: '/opt/chrome' },
    ]);
  });

  test('on Linux x64: the PATH, then npm', () => {
    expect(kinds({})).toEqual(['command', 'npm']);
  });

  test('on Linux arm64 npm has none', () => {
    expect(kinds({ arch: 'arm64' })).toEqual(['command']);
  });

  test('a package is installed on the machine only as root and only in CI, last', () => {
    const env = { CI: 'true' };
    expect(kinds({ arch: 'arm64', env, isRoot: true })).toEqual(['command', 'apt']);
    expect(kinds({ env, isRoot: true })).toEqual(['command', 'npm', 'apt']);
    expect(kinds({ arch: 'arm64', env })).toEqual(['command']);
    expect(kinds({ arch: 'arm64', isRoot: true })).toEqual(['command']);
    expect(kinds({ platform: 'darwin', env, isRoot: true })).toEqual(['command', 'file']);
  });

  test('on macOS: the PATH, then the applications', () => {
    const sources = chromiumSources(machine({ platform: 'darwin', arch: 'arm64' }));
    expect(sources).toContainEqual({
      kind: 'file',
      path: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    });
    expect(kinds({ platform: 'darwin' })).toEqual(['command', 'file']);
  });

  test('on Windows: the program folders the environment names', () => {
    const env = { ProgramFiles: 'C:\\Program Files' };
    const sources = chromiumSources(machine({ platform: 'win32', env }));
    expect(sources[0]).toEqual({
      kind: 'file',
      path: 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    });
    expect(kinds({ platform: 'win32', env })).toEqual(['file']);
  });
});

describe('when there is none', () => {
  test.each(['linux', 'darwin', 'win32', 'freebsd'])('%s is told how to get one', (platform) => {
    expect(noChromiumMessage(machine({ platform }))).toMatch(/install .*CHROMIUM_PATH/);
  });

  test('a wrong CHROMIUM_PATH is named', () => {
    expect(noChromiumMessage(machine({ env: { CHROMIUM_PATH: '/nowhere' } }))).toContain(
      '/nowhere',
    );
  });
});
