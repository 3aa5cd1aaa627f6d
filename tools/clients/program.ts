import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ClientSite } from './client-site.ts';

/** The home is a folder of its own, for the files of the program. */
export type Context = { site: ClientSite; home: string };
export type Program = {
  /** Null if it isn't on this machine. */
  findVersion: () => Promise<string | null>;
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
