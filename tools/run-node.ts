import { spawn } from 'node:child_process';

/** The oldest Node that is pinned still calls it an experiment to run TypeScript, on every start. */
export const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];

/** Runs a script with this Node and this console; answers its exit code. */
export function runNode(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const child = spawn(process.execPath, [...NODE_FLAGS, ...args], { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}
