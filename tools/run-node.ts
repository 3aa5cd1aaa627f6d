import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

/** The oldest Node that is pinned still calls it an experiment to run TypeScript, on every start. */
export const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];

/** Runs a script with this Node and this console; answers its exit code. */
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

const KEPT_LINES = 30;
/** What a script leaves running may hold its console open. */
const LAST_WORDS_MS = 1000;

/** As `runNode`, and keeps the end of what the script prints. */
export async function runNodeKeeping(
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; lastLines: string[] }> {
  // To the script the console is a pipe, into which it would print no colours.
  const colours = process.stdout.isTTY && !env.NO_COLOR ? { FORCE_COLOR: '1' } : {};
  const child = spawn(process.execPath, [...NODE_FLAGS, ...args], {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...colours, ...env },
  });
  let kept = '';
  const keep = (chunk: string): void => {
    kept = (kept + chunk)
      .split('\n')
      .slice(-KEPT_LINES - 1)
      .join('\n');
  };
  child.stdout.setEncoding('utf8').on('data', keep).pipe(process.stdout, { end: false });
  child.stderr.setEncoding('utf8').on('data', keep).pipe(process.stderr, { end: false });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const code = await waitForExit(child);
  await Promise.race([closed, setTimeout(LAST_WORDS_MS, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  return { code, lastLines: stripVTControlCharacters(kept).trimEnd().split('\n') };
}
