import { writeSync } from 'node:fs';
import { url as inspectorUrl } from 'node:inspector';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { createFilesPrivately } from './private-files.ts';

/**
 * A server or a worker runs in a thread, for two reasons. V8 collects garbage the later the more memory
 * the machine has, and only the heap of a thread can be given a size. And when the thread stands still,
 * the main thread sees it: it does nothing but watch, and pass signals on, which a thread doesn't get.
 */
const HEAP = {
  maxYoungGenerationSizeMb: 6,
  /** Five times what a busy site keeps. */
  maxOldGenerationSizeMb: 256,
};
/** Longer than anything that keeps the event loop busy: SQLite, which answers at once, for a large job. */
const SILENCE_LIMIT_SECONDS = 120;
const SECOND_MS = 1000;
const STANDARD_ERROR = 2;

type FromThread = 'beat' | { endsWithParent: boolean };
const send = (message: FromThread) => parentPort?.postMessage(message);

const say = (sentence: string) => void writeSync(STANDARD_ERROR, `${sentence}\n`);

/**
 * Ends this process when its thread stands still, so that Docker or Podman starts another one: neither
 * restarts a container because its health check fails. Seconds are counted here, so a machine that
 * slept or a process that was stopped isn't taken for one that hangs.
 */
function watchBeats(thread: Worker, limitSeconds: number) {
  let silentSeconds: number | undefined;
  thread.on('message', (message: FromThread) => {
    if (message === 'beat') silentSeconds = 0;
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
 * Without a thread that can stop already, a signal ends the process as usual. npm sends its signal to the
 * shell that runs the script, and many shells don't pass it on: there we watch for the parent to end.
 */
function passSignalsOn(thread: Worker) {
  let isStoppable = false;
  const stop = () => thread.postMessage('stop');
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStoppable) return stop();
    process.off(signal, onSignal);
    process.kill(process.pid, signal);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  thread.on('message', (message: FromThread) => {
    if (message === 'beat') return;
    isStoppable = true;
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (!message.endsWithParent || process.ppid === parent) return;
      clearInterval(timer);
      stop();
    }, SECOND_MS).unref();
  });
}

function startThread(script: URL, limitSeconds: number) {
  // oxlint-disable-next-line node/no-process-env -- Only the main thread can set the umask, before the thread reads the settings.
  createFilesPrivately({ accelPrefix: process.env.ACCEL_PREFIX ?? '' });
  // Whoever read our output may have gone, which is no reason to stop.
  process.stdout.on('error', () => {});
  const thread = new Worker(script, { resourceLimits: HEAP });
  passSignalsOn(thread);
  thread.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    say(`The process needed more than ${HEAP.maxOldGenerationSizeMb} MB of memory and was ended.`);
  });
  thread.once('exit', (code) => (process.exitCode = code));
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
  const onSignal = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    // Requests that have arrived are read first, as before a signal.
    setImmediate(stop);
  };
  parentPort?.on('message', onSignal).unref();
  send({ endsWithParent });
}

/** In the thread, once it runs: its event loop says every second that it still does. */
export function sendBeats() {
  send('beat');
  setInterval(() => send('beat'), SECOND_MS).unref();
}
