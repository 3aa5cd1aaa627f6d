import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { NODE_FLAGS } from '#tools/run-node.ts';
import { findFreePort } from '#tools/testing/free-port.ts';
import type { BareAnswer } from './bare-server.ts';

export type BenchServer = { port: number; origin: string; process: ChildProcess };

const root = join(import.meta.dirname, '..');

/** As `npm start` does: without them, the compiler for types is loaded, which takes 40 MB. */
export const START_FLAGS = [...NODE_FLAGS, '--import', join(root, 'tools/require-node.mjs')];

const running = new Set<ChildProcess>();

/** Starts a program that ends with this process, however that ends. */
export function startChild(...args: Parameters<typeof spawn>): ChildProcess {
  if (running.size === 0)
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const child = spawn(...args);
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}
process.once('exit', () => running.forEach((child) => child.kill()));

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export async function waitForPort(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (response) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing answered on port ${port}.`);
}

/** Starts the real server in a process of its own, without demo mixes. */
export async function startServer(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<BenchServer> {
  const port = env.PORT ? Number(env.PORT) : await findFreePort();
  const server = startChild(process.execPath, [...START_FLAGS, join(root, 'server/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO_MIXES: '0',
      // As in the image and the units.
      MALLOC_ARENA_MAX: '2',
      ...env,
    },
  });
  await waitForPort(port);
  return { port, origin: `http://127.0.0.1:${port}`, process: server };
}

/** Starts it as in production, with the database that is directly in the folder. */
export async function startProduction(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<BenchServer> {
  const port = await findFreePort();
  const address = { PORT: String(port), APP_ORIGIN: `http://127.0.0.1:${port}` };
  return startServer(dataDir, { ...address, WORKER: 'off', ...env });
}

/** Starts a bare Node server with these answers. */
export async function startBareServer(
  folder: string,
  answers: Record<string, BareAnswer>,
): Promise<BenchServer> {
  const port = await findFreePort();
  const file = join(folder, `answers-${port}.json`);
  await writeFile(file, JSON.stringify(answers));
  const script = join(root, 'bench/bare-server.ts');
  const server = startChild(process.execPath, [...NODE_FLAGS, script, String(port), file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitForPort(port);
  return { port, origin: `http://127.0.0.1:${port}`, process: server };
}

const CADDYFILE = `{
	admin off
	auto_https disable_redirects
	skip_install_trust
}
https://localhost:{$HTTPS_PORT} {
	tls internal
	reverse_proxy {$TO} {
		flush_interval -1
	}
}
`;

/** Starts Caddy in front of a server, as in production, with a certificate that no one else knows. */
export async function startHttps(folder: string, port: number, to: number): Promise<BenchServer> {
  const config = join(folder, 'Caddyfile');
  await writeFile(config, CADDYFILE);
  const proxy = startChild('caddy', ['run', '--config', config], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_DATA_HOME: folder,
      HTTPS_PORT: String(port),
      TO: `127.0.0.1:${to}`,
    },
  });
  await waitForPort(port);
  return { port, origin: `https://localhost:${port}`, process: proxy };
}

/** The load decides how far figures can be trusted. */
export const describeMachine = (): string =>
  `load ${loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')} on ${availableParallelism()} cores`;

export async function stopProcess(child?: ChildProcess): Promise<void> {
  if (!child || child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
