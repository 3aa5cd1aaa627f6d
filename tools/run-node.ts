import { spawn, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

/** The oldest supported Node still warns at every start that TypeScript support is experimental. */
export const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];

/** Runs a script with this Node and this console; returns its exit code. */
export function runNode(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const child = spawn(process.execPath, [...NODE_FLAGS, ...args], { stdio: 'inherit', env });
  return waitForExit(child);
}

function waitForExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}

const LAST_LINES = 30;
/** A process that the script leaves running may keep its output open. */
const OUTPUT_GRACE_MS = 1000;

/**
 * Like `runNode`, and also returns the end of the output. With `onlyWhenIdle` it gets the processor's
 * time that no other process wants.
 */
export async function runNodeAndCapture(
  args: string[],
  env: NodeJS.ProcessEnv,
  { onlyWhenIdle = false } = {},
): Promise<{ code: number; lastLines: string[] }> {
  // The script writes to a pipe and would print no colours otherwise.
  const colours = process.stdout.isTTY && !env.NO_COLOR ? { FORCE_COLOR: '1' } : {};
  const child = spawn(process.execPath, [...NODE_FLAGS, ...args], {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...colours, ...env },
  });
  // Before it starts processes of its own, which get its priority.
  if (onlyWhenIdle && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let tail = '';
  const append = (chunk: string): void => {
    tail = (tail + chunk)
      .split('\n')
      .slice(-LAST_LINES - 1)
      .join('\n');
  };
  child.stdout.setEncoding('utf8').on('data', append).pipe(process.stdout, { end: false });
  child.stderr.setEncoding('utf8').on('data', append).pipe(process.stderr, { end: false });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const code = await waitForExit(child);
  await Promise.race([closed, setTimeout(OUTPUT_GRACE_MS, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  return { code, lastLines: stripVTControlCharacters(tail).trimEnd().split('\n') };
}
