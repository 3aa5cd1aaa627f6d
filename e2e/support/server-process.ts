import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { NODE_FLAGS } from '../../tools/run-node.ts';

const START_LIMIT_MS = 60_000;

/** Leaves out the developer's own settings, such as a database or a mail server: the tests run in demo mode. */
export function serverEnv(port: number, dataDir: string): NodeJS.ProcessEnv {
  const { PATH, HOME, SystemRoot, NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    HOME,
    SystemRoot,
    // Servers share compiled code.
    NODE_COMPILE_CACHE,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    // The tests add their own tracks.
    DEMO_MIXES: '0',
  };
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
  throw new Error(`The server did not start. Its output:\n${output.join('')}`);
}

export type ServerProcess = { server: ChildProcess; output: string[] };

/** Resolves when the server responds. */
export async function startServerProcess(
  env: NodeJS.ProcessEnv,
  origin: string,
): Promise<ServerProcess> {
  const output: string[] = [];
  const server = spawn(process.execPath, [...NODE_FLAGS, 'server/main.ts'], {
    cwd: join(import.meta.dirname, '../..'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  server.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  await waitUntilReady(server, origin, output);
  return { server, output };
}

const ERROR_LEVEL = /"level":(?:50|60),/;

/** A machine that is busy with several browsers is slow, not broken. */
const SLOW_PROBE = /"No response within \d+ ms\."/;

/** Errors in the server log, which a browser may not show. */
export const findErrorLines = (output: readonly string[]): string[] =>
  output
    .join('')
    .split('\n')
    .filter((line) => ERROR_LEVEL.test(line) && !SLOW_PROBE.test(line));
