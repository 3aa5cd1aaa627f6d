import { execFile } from 'node:child_process';
import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/** Longer than anything that keeps the event loop busy: SQLite, which answers at once, for a large job. */
const LIMIT_SECONDS = 120;
const BEAT_MS = 1000;
const TELL_LIMIT_MS = 5000;

/**
 * Ends this process when its event loop stands still for two minutes, so that Docker, Podman or systemd
 * starts another one: none of the first two restarts a container because its health check fails. A
 * thread looks, because the event loop itself can't. It counts its own seconds, so a machine that slept
 * or a process that was stopped isn't taken for one that hangs.
 */
export function watchEventLoop(limitSeconds = LIMIT_SECONDS): () => void {
  // Who stops at a breakpoint wants to go on afterwards.
  if (inspectorUrl()) return () => undefined;
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const thread = new Worker(new URL('./watchdog-thread.mjs', import.meta.url), {
    workerData: { beats, limitSeconds },
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  thread.unref();
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  return () => {
    clearInterval(timer);
    void thread.terminate();
  };
}

type Env = { NOTIFY_SOCKET?: string; WATCHDOG_USEC?: string };

/**
 * Tells systemd that this process runs, and then from the event loop that it still does, as often as
 * `WatchdogSec` of the unit needs. Node can't write to systemd's socket itself.
 */
export function notifySystemd(
  onError: (error: Error) => void,
  // oxlint-disable-next-line node/no-process-env -- Set by systemd for this process, not by people.
  env: Env = process.env,
): () => void {
  const { NOTIFY_SOCKET } = env;
  if (!NOTIFY_SOCKET) return () => undefined;
  const options = { env: { NOTIFY_SOCKET, PATH: '/usr/bin:/bin' }, timeout: TELL_LIMIT_MS };
  const tell = (state: string) =>
    execFile('systemd-notify', [state], options, (error) => {
      if (error) onError(error);
    });
  tell('READY=1');
  const limitMs = Number(env.WATCHDOG_USEC ?? 0) / 1000;
  const timer =
    limitMs > 0 ? setInterval(() => tell('WATCHDOG=1'), limitMs / 4).unref() : undefined;
  return () => clearInterval(timer);
}
