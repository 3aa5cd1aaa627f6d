import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../tools/free-port.ts';
import { NODE_FLAGS } from '../tools/run-node.ts';

const START_LIMIT_MS = 60_000;

/** A set-up of the developer's own (a database, a mail server) must not reach the tests: demo mode is what they test. */
function serverEnv(port: number, dataDir: string): NodeJS.ProcessEnv {
  const { PATH, HOME, SystemRoot } = process.env;
  return {
    PATH,
    HOME,
    SystemRoot,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    // The tests bring tracks of their own, whose every second they know.
    DEMO_MIXES: '0',
    // A month passes within a test; nobody but those that pay notices.
    SANDBOX_MONTH_SECONDS: '30',
  };
}

async function seedTracks(env: NodeJS.ProcessEnv, dataDir: string): Promise<void> {
  const seeding = spawn(process.execPath, ['e2e/seed-tracks.ts', dataDir], {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: 'inherit',
  });
  const [code] = (await once(seeding, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The tracks of the tests could not be written (code ${code}).`);
}

async function waitUntilReady(
  server: ChildProcess,
  origin: string,
  output: string[],
): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) break;
    const response = await fetch(`${origin}/healthz`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  server.kill('SIGKILL');
  throw new Error(`The server did not start. It said:\n${output.join('')}`);
}

/** One server in demo mode for the whole run, with a data folder of its own; stopped as an operator would. */
export default async function startServer(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'e2e-data-'));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const output: string[] = [];
  const env = serverEnv(port, dataDir);
  await seedTracks(env, dataDir);
  const server = spawn(process.execPath, [...NODE_FLAGS, 'server/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  server.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  await waitUntilReady(server, origin, output);
  process.env.E2E_ORIGIN = origin;
  process.env.E2E_DATABASE = join(dataDir, 'database.sqlite');

  return async () => {
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    const [code] = (await exited) as [number | null];
    await rm(dataDir, { recursive: true, force: true });
    if (code !== 0 && process.platform !== 'win32') {
      throw new Error(`The server did not shut down cleanly (code ${code}):\n${output.join('')}`);
    }
  };
}
