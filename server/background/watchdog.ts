import { execFile } from 'node:child_process';
import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config.ts';

/** Longer than anything that keeps the event loop busy: SQLite, which answers at once, for a large job. */
const LIMIT_SECONDS = 120;
const BEAT_MS = 1000;
const TELL_LIMIT_MS = 5000;

/**
 * Ends this process when its event loop stands still for two minutes, so that Docker or Podman starts
 * another one: neither restarts a container because its health check fails. A thread looks, because the
 * event loop itself can't. It counts its own seconds, so a machine that slept or a process that was
 * stopped isn't taken for one that hangs. Where systemd looks, the 18 MB of a thread are saved.
 */
export function watchEventLoop(
  systemd: Config['systemd'],
  limitSeconds = LIMIT_SECONDS,
): () => void {
  // Who stops at a breakpoint wants to go on afterwards.
  if (inspectorUrl() || (systemd && systemd.watchdogMs > 0)) return () => undefined;
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

/**
 * Tells systemd that this process runs, and then from the event loop that it still does, as often as
 * `WatchdogSec` of the unit needs. Node can't write to systemd's socket itself.
 */
export function notifySystemd(
  systemd: Config['systemd'],
  onError: (error: Error) => void,
): () => void {
  if (!systemd) return () => undefined;
  const env = { NOTIFY_SOCKET: systemd.socket, PATH: '/usr/bin:/bin' };
  const tell = (state: string) =>
    execFile('systemd-notify', [state], { env, timeout: TELL_LIMIT_MS }, (error) => {
      if (error) onError(error);
    });
  tell('READY=1');
  const { watchdogMs } = systemd;
  const timer =
    watchdogMs > 0 ? setInterval(() => tell('WATCHDOG=1'), watchdogMs / 4).unref() : undefined;
  return () => clearInterval(timer);
}
