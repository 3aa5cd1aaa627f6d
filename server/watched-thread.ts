import { writeSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createFilesPrivately } from './private-files.ts';

/**
 * A server or a worker runs in a thread, for two reasons. V8 collects garbage the later the more memory
 * the machine has, and without flags only the heap of a thread can be given a size. And when the thread
 * stands still, the main thread sees it: it only watches, and passes signals on, which threads don't get.
 */
const HEAP = {
  maxYoungGenerationSizeMb: 6,
  /** Five times what a busy site keeps. */
  maxOldGenerationSizeMb: 256,
};
/** Longer than anything that keeps the event loop busy: SQLite, which answers at once, for a large job. */
const SILENCE_LIMIT_SECONDS = 120;
const SECOND_MS = 1000;
const LAST_LINES_MS = 1000;
const STANDARD_ERROR = 2;

type FromThread = { kind: 'beat' } | { kind: 'stoppable'; endsWithParent: boolean };
const send = (message: FromThread) => parentPort?.postMessage(message);

function say(text: string) {
  try {
    writeSync(STANDARD_ERROR, `${text}\n`);
  } catch {
    // Nobody reads, and the process must end.
  }
}

/**
 * Ends this process when its thread stands still, so that Docker or Podman starts another one: neither
 * restarts a container because its health check fails. Seconds are counted here, so a machine that
 * slept or a process that was stopped isn't taken for one that hangs.
 */
function watchBeats(thread: Worker, limitSeconds: number) {
  let silentSeconds: number | undefined;
  thread.on('message', (message: FromThread) => {
    if (message.kind === 'beat') silentSeconds = 0;
  });
  setInterval(() => {
    // A start may be busy for long, with a migration, and the first beat comes after it.
    if (silentSeconds === undefined) return;
    silentSeconds += 1;
    if (silentSeconds < limitSeconds) return;
    say(`The process stood still for ${limitSeconds} seconds and was ended.`);
    // Nothing that the thread itself would do at its end can run any more.
    process.kill(process.pid, 'SIGKILL');
  }, SECOND_MS).unref();
}

/**
 * Until the thread can stop, a signal ends the process as usual. npm sends its signal to the shell that
 * runs the script, and many shells don't pass it on: there we watch for the parent to end.
 */
function passSignalsOn(thread: Worker) {
  const parent = process.ppid;
  thread.on('message', (message: FromThread) => {
    // Node's `--watch` sends messages of its own.
    if (message.kind !== 'stoppable') return;
    let watch: NodeJS.Timeout | undefined;
    const stop = () => {
      // A parent that ends after a signal is no second signal.
      clearInterval(watch);
      thread.postMessage('stop');
    };
    const stopWithParent = () => {
      if (process.ppid !== parent) stop();
    };
    if (message.endsWithParent) watch = setInterval(stopWithParent, SECOND_MS).unref();
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

function startThread(script: URL, limitSeconds: number) {
  // oxlint-disable-next-line node/no-process-env -- Only the main thread can set the umask, before the thread reads the settings.
  createFilesPrivately({ accelPrefix: process.env.ACCEL_PREFIX ?? '' });
  // Whoever read our output may have gone, which is no reason to stop.
  process.stdout.on('error', () => {});
  const thread = new Worker(script, { resourceLimits: HEAP });
  passSignalsOn(thread);
  thread.once('error', (error: NodeJS.ErrnoException | null) =>
    say(
      error?.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `The process needed more than ${HEAP.maxOldGenerationSizeMb} MB of memory and was ended.`
        : inspect(error),
    ),
  );
  thread.once('exit', (code) => {
    process.exitCode = code;
    // Whoever reads our output may have stopped to do so.
    setTimeout(() => process.exit(), LAST_LINES_MS).unref();
  });
  // Who stops at a breakpoint wants to go on afterwards.
  if (!inspectorUrl()) watchBeats(thread, limitSeconds);
}

/** Runs the rest of this script, which is all that it does, in a thread of its own. */
export async function runInWatchedThread(
  script: string,
  run: () => Promise<unknown>,
  limitSeconds = SILENCE_LIMIT_SECONDS,
): Promise<void> {
  if (isMainThread) return startThread(new URL(script), limitSeconds);
  // The next start finds the code compiled and without its types, and needs neither compiler.
  enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compiled'));
  await run();
  flushCompileCache();
}

/** In the thread, once it can stop. The first signal lets running work end; the second one doesn't wait. */
export function stopWhenTold(endsWithParent: boolean, stop: () => void) {
  let isStopping = false;
  const onStop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    // Requests that have arrived are read first, as before a signal.
    setImmediate(stop);
  };
  parentPort?.on('message', onStop).unref();
  send({ kind: 'stoppable', endsWithParent });
}

/** In the thread, once it runs: its event loop says every second that it still does. */
export function sendBeats() {
  send({ kind: 'beat' });
  setInterval(() => send({ kind: 'beat' }), SECOND_MS).unref();
}
