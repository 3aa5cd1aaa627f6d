import type { FastifyBaseLogger } from 'fastify';

/** More than this many only pile up while the database is slow; then some are dropped. */
const MAX_RUNNING = 100;

const running = new Set<Promise<void>>();

/**
 * For small writes that a request makes on the side, such as counting a search without results. The
 * request neither waits for them nor fails with them.
 */
export function writeInBackground(
  log: Pick<FastifyBaseLogger, 'warn'>,
  what: string,
  write: () => Promise<unknown>,
): void {
  if (running.size >= MAX_RUNNING) return;
  const work = (async () => {
    try {
      await write();
    } catch (error) {
      log.warn({ err: error }, `Could not ${what}.`);
    }
  })();
  running.add(work);
  void work.finally(() => running.delete(work));
}

/** Resolves when all of them are done, before the database closes. */
export async function settleBackgroundWrites(): Promise<void> {
  await Promise.all(running);
}
