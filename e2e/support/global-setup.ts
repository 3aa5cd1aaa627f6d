import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../tools/testing/free-port.ts';
import { findErrorLines, serverEnv, startServerProcess } from './server-process.ts';

async function seedTracks(env: NodeJS.ProcessEnv, dataDir: string): Promise<void> {
  const seeding = spawn(process.execPath, ['e2e/support/seed-tracks.ts', dataDir], {
    cwd: join(import.meta.dirname, '../..'),
    env,
    stdio: 'inherit',
  });
  const [code] = (await once(seeding, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`Seeding the tracks failed (code ${code}).`);
}

/** Starts one server in demo mode with its own data folder for the whole run. */
export default async function startServer(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'e2e-data-'));
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = serverEnv(port, dataDir);
  await seedTracks(env, dataDir);
  const { server, output } = await startServerProcess(env, origin);
  process.env.E2E_ORIGIN = origin;
  process.env.E2E_DATABASE = join(dataDir, 'demo', 'database.sqlite');

  return async () => {
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    const [code] = (await exited) as [number | null];
    await rm(dataDir, { recursive: true, force: true });
    if (code !== 0 && process.platform !== 'win32') {
      throw new Error(`The server did not shut down cleanly (code ${code}):\n${output.join('')}`);
    }
    const errors = findErrorLines(output);
    if (errors.length > 0) throw new Error(`The server logged errors:\n${errors.join('\n')}`);
  };
}
