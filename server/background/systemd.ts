import { execFile } from 'node:child_process';
import type { Config } from '../config.ts';

const TELL_LIMIT_MS = 5000;

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
