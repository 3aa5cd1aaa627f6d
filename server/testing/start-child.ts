import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NODE_FLAGS } from '#tools/run-node.ts';
import type { ChildMessage, ChildTask } from './child-process.ts';

const FILE = join(import.meta.dirname, 'child-process.ts');

export type TestChild = {
  go: () => void;
  /** The next thing it says; rejects when it ended instead. */
  hear: () => Promise<ChildMessage>;
  /** SIGKILL: it gets no chance to tidy up. */
  kill: () => Promise<void>;
};

/** Resolves when the child is ready, so that several can be told to go at the same time. */
export const startChild = async (task: ChildTask): Promise<TestChild> => {
  const child = fork(FILE, [JSON.stringify(task)], { execArgv: NODE_FLAGS });
  const exited = once(child, 'exit');
  const heard: ChildMessage[] = [];
  let onMessage = (): void => undefined;
  child.on('message', (message) => {
    heard.push(message as ChildMessage);
    onMessage();
  });
  const hear = async (): Promise<ChildMessage> => {
    const next = heard.shift();
    if (next) return next;
    const message = new Promise<void>((resolve) => {
      onMessage = resolve;
    });
    const ended = exited.then(([code, signal]: unknown[]) => {
      throw new Error(`The child ended with ${String(code ?? signal)} and said nothing more.`);
    });
    await Promise.race([message, ended]);
    return hear();
  };
  await hear();
  return {
    go: () => child.send('go'),
    hear,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
