import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ClientSite } from './client-site.ts';

/** The home is a folder of its own, for the files of the program. */
export type Context = { site: ClientSite; home: string };
export type Program = {
  /** Null if it isn't on this machine. */
  findVersion: () => Promise<string | null>;
  /** What else must be here, with a command that works then. */
  needs?: Record<string, string[]>;
  /** Starts what the checks share. What it returns ends it. */
  open?: (context: Context) => Promise<() => Promise<void>>;
  checks: Record<string, (context: Context) => Promise<void>>;
  cannot: string;
};

export const execute = promisify(execFile);
export const TIMEOUT = 60_000;

/** VLC refuses to run as root. */
export const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** What a program prints. Its files are in a folder of its own. */
export async function run(file: string, args: string[], home: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, GPODDER_HOME: home, TERM: 'xterm' };
  const { stdout, stderr } = await execute(file, args, { env, cwd: home, timeout: TIMEOUT });
  return stdout + stderr;
}

export const findVersion = (file: string, args: string[], pattern: RegExp) => async () => {
  const options = { timeout: TIMEOUT, ...(file === 'cvlc' && asNobody) };
  const output = await execute(file, args, options).catch(() => null);
  return output && (pattern.exec(output.stdout + output.stderr)?.[1] ?? 'unknown');
};

/** The Python of the system first: it has the modules that packages install. */
const PYTHON = ['/usr/bin/python3', 'python3'];

async function findPython(module: string): Promise<string | null> {
  for (const file of PYTHON) {
    const isThere = await execute(file, ['-c', `import ${module}`]).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

export async function runPython(module: string, script: string, args: string[], home: string) {
  const file = await findPython(module);
  if (!file) throw new Error(`No Python with ${module}.`);
  return run(file, ['-c', script, ...args], home);
}

export const findModuleVersion = (module: string, expression: string) => async () => {
  const file = await findPython(module);
  if (!file) return null;
  const { stdout } = await execute(file, ['-c', `import ${module}; print(${expression})`]);
  return stdout.trim();
};

export async function findMissing(needs: Record<string, string[]>): Promise<string[]> {
  const missing: string[] = [];
  for (const [name, [file = '', ...args]] of Object.entries(needs))
    await execute(file, args).catch(() => missing.push(name));
  return missing;
}

/** Programs have no event for “done”. */
export async function waitFor<T>(what: string, read: () => Promise<T | null | false>): Promise<T> {
  let problem = '';
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const value = await read().catch((error: unknown) => {
      problem = ` ${String(error)}`;
      return null;
    });
    if (value !== null && value !== false) return value;
    await setTimeout(500);
  }
  throw new Error(`No ${what} after 30 seconds.${problem}`);
}

/** Ends a program that was started here. */
export async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  const isOver = await Promise.race([ended, setTimeout(5000, null, { ref: false })]);
  if (isOver) return;
  child.kill('SIGKILL');
  await ended;
}
