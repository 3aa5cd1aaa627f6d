import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NODE_FLAGS } from './run-node.ts';

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
