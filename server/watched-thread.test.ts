import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NODE_FLAGS } from '#tools/run-node.ts';

const module = pathToFileURL(join(import.meta.dirname, 'watched-thread.ts')).href;

let folder: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-thread-'));
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

/** Starts a script that does this in its thread. */
async function start(inThread: string, env: Record<string, string> = {}) {
  const script = join(folder, 'script.ts');
  await writeFile(
    script,
    `import { runInWatchedThread, sendBeats, stopWhenTold } from '${module}';
     const limitSeconds = 1;
     await runInWatchedThread(import.meta.url, async () => { ${inThread} }, limitSeconds);`,
  );
  const running = spawn(process.execPath, [...NODE_FLAGS, script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = running;
  return running;
}

async function runToEnd(inThread: string, env?: Record<string, string>) {
  const running = await start(inThread, env);
  const [[code, signal], output, errors] = await Promise.all([
    once(running, 'exit'),
    text(running.stdout),
    text(running.stderr),
  ]);
  return { code: code as number | null, signal: signal as string | null, output, errors };
}

const RUN = 'setInterval(() => undefined, 1000);';

it('ends a process whose thread stands still, and says so', async () => {
  expect(await runToEnd('sendBeats(); setImmediate(() => { for (;;); });')).toEqual({
    code: null,
    signal: 'SIGKILL',
    output: '',
    errors: 'The process stood still for 1 seconds and was ended.\n',
  });
});

it('lets a start take as long as it needs, and a process end that has nothing left to do', async () => {
  const slowStart = `
    const end = Date.now() + 3000;
    while (Date.now() < end);
    stopWhenTold(true, () => undefined);
    sendBeats();
    process.stdout.write('done');`;
  const result = { code: 0, signal: null, output: 'done', errors: '' };
  expect(await runToEnd(slowStart)).toEqual(result);
});

it('gives the thread a heap whose size doesn’t depend on the machine', async () => {
  const measure = `
    const { getHeapStatistics } = await import('node:v8');
    process.stdout.write(String(getHeapStatistics().heap_size_limit / 2 ** 20));`;
  const { output } = await runToEnd(measure);
  expect(Number(output)).toBeGreaterThan(256);
  expect(Number(output)).toBeLessThan(300);
});

it('ends, and says why, when that is not enough', async () => {
  const fill = `const kept = []; for (;;) kept.push(Array.from({ length: 10_000 }, String));`;
  const { code, errors } = await runToEnd(fill);
  expect(code).toBe(1);
  expect(errors).toContain('The process needed more than 256 MB of memory and was ended.\n');
});

it('ends like its thread', async () => {
  expect(await runToEnd('process.stderr.write("Wrong.\\n"); process.exitCode = 3;')).toMatchObject({
    code: 3,
    errors: 'Wrong.\n',
  });
  expect(await runToEnd(`${RUN} process.exit(4);`)).toMatchObject({ code: 4 });
  const { code, errors } = await runToEnd('throw new Error("Nobody expected this.");');
  expect([code, errors]).toEqual([1, expect.stringContaining('Nobody expected this.')]);
});

it.each([
  ['nobody else can read', '', '77'],
  ['the group can read too, for nginx', '/protected', '27'],
])('creates files that %s', async (_who, prefix, umask) => {
  const { output } = await runToEnd('process.stdout.write(process.umask().toString(8));', {
    ACCEL_PREFIX: prefix,
  });
  expect(output).toBe(umask);
});

async function startAndTell(signals: NodeJS.Signals[], stop: string) {
  const running = await start(
    `${RUN} stopWhenTold(false, () => { ${stop} }); process.stdout.write('runs\\n');`,
  );
  const ended = once(running, 'exit') as Promise<[number | null, string | null]>;
  const lines = createInterface(running.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('runs');
  for (const signal of signals) {
    running.kill(signal);
    if (signals.length > 1 && signal === signals[0])
      expect((await lines.next()).value).toBe('stops');
  }
  return ended;
}

it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on to the thread', async (signal) => {
  expect(await startAndTell([signal], 'process.exit(5);')).toEqual([5, null]);
});

it('ends at once at a signal during a start', async () => {
  const running = await start("process.stdout.write('starts\\n'); for (;;);");
  const lines = createInterface(running.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('starts');
  running.kill('SIGTERM');
  expect(await once(running, 'exit')).toEqual([null, 'SIGTERM']);
});

it('doesn’t wait for the thread after a second signal', async () => {
  const stop = "process.stdout.write('stops\\n');";
  expect(await startAndTell(['SIGTERM', 'SIGINT'], stop)).toEqual([1, null]);
});
