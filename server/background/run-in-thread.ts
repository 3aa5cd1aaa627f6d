import { Worker } from 'node:worker_threads';

/** So that a file that is built to fill the memory ends its thread and nothing else. */
const MAX_MEMORY_MB = 256;

/** The thread was ended: it took too long, or too much memory. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

/**
 * Runs a file of ours in a thread of its own, so that nobody waits for what it computes. It gets the
 * input as `workerData` and answers with one message. It doesn't see the environment.
 */
export function runInThread<T>(
  script: URL,
  input: unknown,
  { timeLimitMs }: { timeLimitMs: number },
): Promise<T> {
  const worker = new Worker(script, {
    workerData: input,
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => void worker.terminate(), timeLimitMs);
    worker.once('message', (message: T) => resolve(message));
    worker.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadEnded(error.message) : error),
    );
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new ThreadEnded('The thread ended before it answered.'));
    });
  });
}
