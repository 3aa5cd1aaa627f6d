import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { START_FLAGS, startChild, startProduction, stopProcess } from '../../bench/bench-server.ts';
import { findFreePort } from '../testing/free-port.ts';
import { postgresSources, startFirst, type TestPostgres } from '../testing/find-postgres.ts';
import { makeCertificate, startNginx, type NginxPlaces } from '../testing/run-nginx.ts';
import { siteFile, writeLoadSite } from './load-site.ts';

/** How a site runs, as docs/operations.md has it. */
export const MODES = {
  sqlite: 'one server, SQLite',
  postgres: 'one server, PostgreSQL',
  servers: 'two servers behind nginx, PostgreSQL',
} as const;
export type Mode = keyof typeof MODES;

export type LoadServer = { pid: number; port: number; debugPort: number };

export type RunningSite = {
  /** What people connect to. */
  entrance: Entrance;
  servers: LoadServer[];
  stop: () => Promise<void>;
};
export type Entrance = {
  port: number;
  /** Of the certificate; without one, people speak plain HTTP. */
  caFile?: string;
};

export type SiteOptions = {
  mode: Mode;
  /** For the site's files, what the clients read, and whatever else is needed. */
  folder: string;
  members: number;
  /** Runs jobs too: in the server itself, or with several in a process of its own. */
  hasWorker: boolean;
  /** A mix with a cover comes out this much later. */
  releaseInMs?: number;
  env?: Record<string, string>;
};

const WORKER = join(import.meta.dirname, '../../server/worker.ts');
export const METRICS_TOKEN = 'read-by-the-load-test';

/** Like a server of its own, it answers only after the disk has what it acknowledges. */
async function startPostgres(): Promise<TestPostgres> {
  const { platform, arch } = process;
  const postgres = await startFirst(postgresSources({ platform, arch, env: {} }), {
    isDurable: true,
  });
  if (!postgres) throw new Error('There is no PostgreSQL to start.');
  return postgres;
}

async function startServer(
  { folder, hasWorker }: SiteOptions,
  env: Record<string, string>,
): Promise<{ server: LoadServer; stop: () => Promise<void> }> {
  const debugPort = await findFreePort();
  const started = await startProduction(folder, {
    TRUST_PROXY: '1',
    LOG_LEVEL: 'error',
    METRICS_TOKEN,
    WORKER: hasWorker ? 'on' : 'off',
    NODE_OPTIONS: `--inspect-port=127.0.0.1:${debugPort}`,
    ...env,
  });
  const server = { pid: started.process.pid ?? 0, port: started.port, debugPort };
  return { server, stop: () => stopProcess(started.process) };
}

/** nginx in front of two servers and a worker, as in deploy/compose.scale.yaml, with a shared folder. */
async function startServers(options: SiteOptions, shared: Record<string, string>) {
  const { folder, hasWorker } = options;
  const nginxFolder = join(folder, 'nginx');
  await mkdir(nginxFolder);
  const certificate = makeCertificate(nginxFolder);
  const httpsPort = await findFreePort();
  const env = { ...shared, APP_ORIGIN: `https://127.0.0.1:${httpsPort}` };
  // One after the other, because both would create the tables.
  const started = [
    await startServer({ ...options, hasWorker: false }, env),
    await startServer({ ...options, hasWorker: false }, env),
  ] as const;
  const worker = hasWorker
    ? startChild(process.execPath, [...START_FLAGS, WORKER], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: folder, ...env },
      })
    : undefined;
  const places: NginxPlaces = {
    folder: nginxFolder,
    httpPort: await findFreePort(),
    httpsPort,
    appPorts: [started[0].server.port, started[1].server.port],
    // Nobody asks for it: the files are in the shared folder.
    storePort: await findFreePort(),
    certificate,
    // People have addresses of their own, as behind a CDN.
    outerProxy: '127.0.0.1',
  };
  const nginx = await startNginx(places);
  return {
    entrance: { port: httpsPort, caFile: certificate.file },
    servers: started.map(({ server }) => server),
    stop: async () => {
      await nginx.kill();
      await Promise.all([...started.map(({ stop }) => stop()), stopProcess(worker)]);
    },
  };
}

/** A site with mixes and members, and what the clients need to know of it in a file. */
export async function startSite(options: SiteOptions): Promise<RunningSite> {
  const { mode, folder, members, env = {} } = options;
  const postgres = mode === 'sqlite' ? undefined : await startPostgres();
  const stopPostgres = async () => postgres?.stop();
  try {
    const shared = { ...env, ...(postgres && { DATABASE_URL: postgres.url }) };
    const site = await writeLoadSite(
      { DATA_DIR: folder, ...(postgres && { DATABASE_URL: postgres.url }) },
      { members, isSecure: mode === 'servers', releaseInMs: options.releaseInMs },
    );
    await writeFile(siteFile(folder), JSON.stringify(site));
    if (mode === 'servers') {
      const { stop, ...running } = await startServers(options, shared);
      return { ...running, stop: () => stop().finally(stopPostgres) };
    }
    const { server, stop } = await startServer(options, shared);
    return {
      entrance: { port: server.port },
      servers: [server],
      stop: () => stop().finally(stopPostgres),
    };
  } catch (error) {
    await stopPostgres();
    throw error;
  }
}

/** Runs with an empty folder that goes afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'load-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
