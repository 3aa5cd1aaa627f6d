import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Page requests go first. */
const NICENESS = 10;
const isWindows = process.platform === 'win32';

export type BackgroundProcess = {
  stdout: Readable;
  stderr: Readable;
  /** Once it has ended and everything it wrote was read; rejects if it could not start. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Ends it at once, with all processes that it started. */
  stop: () => void;
};

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function stopChild(child: Child) {
  if (child.pid === undefined) return;
  try {
    if (isWindows) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

export function lowerPriority(pid: number | undefined) {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has already ended, or the system forbids it; neither matters.
  }
}

/**
 * Runs heavy work in a process of its own: its memory goes back to the system, and pages don't wait
 * for it. It ends with this process at the latest, and doesn't see its environment. Its input stays
 * open for as long as this process lives.
 */
export function startInBackground(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): BackgroundProcess {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that its children can be ended with it.
    detached: !isWindows,
    windowsHide: true,
    env,
  });
  const stop = () => stopChild(child);
  process.once('exit', stop);
  lowerPriority(child.pid);
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal }));
    },
  ).finally(() => process.off('exit', stop));
  return { stdout: child.stdout, stderr: child.stderr, ended, stop };
}

/** The command that runs one of our own files. */
export const buildScriptCommand = (
  script: URL,
  ...args: string[]
): { command: string; args: string[]; env: Record<string, string> } => {
  const cache = getCompileCacheDir();
  return {
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', fileURLToPath(script), ...args],
    env: cache ? { NODE_COMPILE_CACHE: cache } : {},
  };
};
