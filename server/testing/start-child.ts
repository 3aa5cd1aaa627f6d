import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NODE_FLAGS } from '#tools/run-node.ts';
import type { ChildMessage, ChildTask } from './child-process.ts';

const FILE = join(import.meta.dirname, 'child-process.ts');

export type TestChild = {
  go: () => void;
  /** The next line it reports; rejects if it ended instead. */
  readMessage: () => Promise<ChildMessage>;
  /** SIGKILL: it can't clean up. */
  kill: () => Promise<void>;
};

/** Resolves when the child is ready, so that several can start at the same time. */
export const startChild = async (task: ChildTask): Promise<TestChild> => {
  const child = fork(FILE, [JSON.stringify(task)], { execArgv: NODE_FLAGS });
  const exited = once(child, 'exit');
  const messages: ChildMessage[] = [];
  let onMessage = (): void => undefined;
  child.on('message', (message) => {
    messages.push(message as ChildMessage);
    onMessage();
  });
  const readMessage = async (): Promise<ChildMessage> => {
    const next = messages.shift();
    if (next) return next;
    const message = new Promise<void>((resolve) => {
      onMessage = resolve;
    });
    const ended = exited.then(([code, signal]: unknown[]) => {
      throw new Error(`The child ended with ${String(code ?? signal)} and said nothing more.`);
    });
    await Promise.race([message, ended]);
    return readMessage();
  };
  await readMessage();
  return {
    go: () => child.send('go'),
    readMessage,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
