import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { NODE_FLAGS } from '../run-node.ts';

const root = join(import.meta.dirname, '../..');
const STOP_MS = 30_000;

/** A script of the project, and its settings. */
export type Program = { file: string; env: Record<string, string> };

export type SiteProcesses<Name extends string> = {
  start: (name: Name) => void;
  /** SIGKILL: it can't finish anything. */
  kill: (name: Name) => Promise<void>;
  /** SIGTERM. Returns what went wrong, as a sentence, or null. */
  stop: (name: Name) => Promise<string | null>;
  killAll: () => void;
};

/** The programs of a site as they run in production, each in its own process. */
export function createSiteProcesses<Name extends string>(
  programs: Record<Name, Program>,
  onUnexpectedExit: (name: Name, how: string, output: string) => void,
  /** Gets the lines of the log about answers with 500. */
  onFailedRequest: (line: string) => void = () => undefined,
): SiteProcesses<Name> {
  const running = new Map<Name, ChildProcess>();

  const start = (name: Name) => {
    const { file, env } = programs[name];
    const child = spawn(process.execPath, [...NODE_FLAGS, join(root, file)], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-2000);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"Request failed."')) onFailedRequest(line);
    });
    running.set(name, child);
    child.once('exit', (code, signal) => {
      if (running.get(name) !== child) return;
      running.delete(name);
      onUnexpectedExit(name, String(code ?? signal), output);
    });
  };

  const end = async (name: Name, signal: 'SIGKILL' | 'SIGTERM') => {
    const child = running.get(name);
    if (!child) return true;
    running.delete(name);
    const exited = once(child, 'exit');
    child.kill(signal);
    const isDone = await Promise.race([
      exited.then(() => true),
      setTimeout(STOP_MS, false, { ref: false }),
    ]);
    if (!isDone) child.kill('SIGKILL');
    return isDone;
  };

  return {
    start,
    kill: async (name) => void (await end(name, 'SIGKILL')),
    stop: async (name) =>
      (await end(name, 'SIGTERM')) ? null : `The ${name} did not stop within ${STOP_MS / 1000} s.`,
    killAll: () => {
      for (const child of running.values()) child.kill('SIGKILL');
      running.clear();
    },
  };
}
