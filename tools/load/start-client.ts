import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { START_FLAGS, startChild } from '../../bench/bench-server.ts';
import type { ClientUsage, LoadTask } from './load-client.ts';

const SCRIPT = join(import.meta.dirname, 'load-client.ts');

/** Plays people in a process of its own, which may be told whose mails have arrived. */
export function startClient<Result>(task: LoadTask) {
  const child = startChild(process.execPath, [...START_FLAGS, SCRIPT, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const readResult = async (): Promise<Result & ClientUsage> => {
    const output = await text(child.stdout as Readable);
    if (output === '') throw new Error('The clients failed; what they said is above.');
    return JSON.parse(output) as Result & ClientUsage;
  };
  return {
    result: readResult(),
    /** Mails may still arrive when the clients have ended, or while they end. */
    tellArrived: (members: number[]) =>
      void (child.connected && child.send(members, () => undefined)),
  };
}
