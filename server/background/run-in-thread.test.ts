import { describe, expect, it } from 'vitest';
import { runInThread, ThreadEnded } from './run-in-thread.ts';

const script = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const HEAD = `import { parentPort, workerData } from 'node:worker_threads';`;
const PATIENT = { timeLimitMs: 60_000 };

describe('work in a thread of its own', () => {
  it('lets everybody else go on while it computes', async () => {
    // Blocks its thread as long as nobody sets the first number.
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const blocked = script(
      `${HEAD} Atomics.wait(workerData, 0, 0); parentPort.postMessage('done')`,
    );
    const answer = runInThread<string>(blocked, gate, PATIENT);
    const order: string[] = [];
    const done = answer.then((text) => order.push(text));
    await new Promise((resolve) => setImmediate(resolve));
    order.push('another request');
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    await done;
    expect(order).toEqual(['another request', 'done']);
  });

  it('is ended when it never answers', async () => {
    const endless = script('while (true);');
    await expect(runInThread(endless, null, { timeLimitMs: 1 })).rejects.toThrow(ThreadEnded);
  });

  it('is ended when it takes all memory, and the server lives', async () => {
    const greedy = script('const all = []; while (true) all.push(new Array(100_000).fill(0.5));');
    await expect(runInThread(greedy, null, PATIENT)).rejects.toThrow(ThreadEnded);
  });

  it('fails with the error of the thread', async () => {
    const broken = script(`throw new Error('no such format')`);
    await expect(runInThread(broken, null, PATIENT)).rejects.toThrow('no such format');
  });

  it('gets nothing of the environment', async () => {
    const curious = script(`${HEAD} parentPort.postMessage(Object.keys(process.env))`);
    expect(await runInThread(curious, null, PATIENT)).toEqual([]);
  });
});
