import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NODE_FLAGS } from '#tools/run-node.ts';
import { findFreePort } from '#tools/testing/free-port.ts';

export type BenchServer = { port: number; origin: string; process: ChildProcess };

const root = join(import.meta.dirname, '..');

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
  const port = await findFreePort();
  const server = spawn(process.execPath, [...NODE_FLAGS, join(root, 'server/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO_MIXES: '0',
      ...env,
    },
  });
  await waitForPort(port);
  return { port, origin: `http://127.0.0.1:${port}`, process: server };
}

export async function stopProcess(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
