import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findProgram } from '#tools/testing/find-program.ts';
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

type Options = { env?: Record<string, string>; limitSeconds?: number };

/** Writes a script that does this in its thread, and says `runs` once signals are passed on. */
async function writeScript(inThread: string, limitSeconds = 120): Promise<string> {
  const script = join(folder, 'script.ts');
  await writeFile(
    script,
    `import { isMainThread } from 'node:worker_threads';
     import { runInWatchedThread, sendBeats, stopWhenTold } from '${module}';
     const onListener = (event) =>
       event === 'SIGINT' && setImmediate(() => process.stdout.write('runs\\n'));
     if (isMainThread) process.on('newListener', onListener);
     const run = async () => { ${inThread} };
     await runInWatchedThread(import.meta.url, run, ${limitSeconds});`,
  );
  return script;
}

async function start(inThread: string, { env, limitSeconds }: Options = {}) {
  const script = await writeScript(inThread, limitSeconds);
  const running = spawn(process.execPath, [...NODE_FLAGS, script], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = running;
  return running;
}

async function runToEnd(inThread: string, options?: Options) {
  const running = await start(inThread, options);
  const [[code, signal], output, errors] = await Promise.all([
    once(running, 'exit'),
    text(running.stdout),
    text(running.stderr),
  ]);
  return { code: code as number | null, signal: signal as string | null, output, errors };
}

const RUN = 'setInterval(() => undefined, 1000);';

it('ends a process whose thread stands still, and says so', async () => {
  const hang = 'sendBeats(); setImmediate(() => { for (;;); });';
  expect(await runToEnd(hang, { limitSeconds: 1 })).toEqual({
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
    sendBeats();
    process.stdout.write('done');`;
  const result = { code: 0, signal: null, output: 'done', errors: '' };
  expect(await runToEnd(slowStart, { limitSeconds: 2 })).toEqual(result);
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
  const fill = 'const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length));';
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
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(/^Error: Nobody expected this\.\n +at/),
  ]);
  expect(await runToEnd('throw null;')).toMatchObject({ code: 1, errors: 'null\n' });
});

it.each([
  ['nobody else can read', '', '77'],
  ['the group can read too, for nginx', '/protected', '27'],
])('creates files that %s', async (_who, prefix, umask) => {
  const { output } = await runToEnd('process.stdout.write(process.umask().toString(8));', {
    env: { ACCEL_PREFIX: prefix },
  });
  expect(output).toBe(umask);
});

const stoppable = (stop: string, endsWithParent = false) =>
  `${RUN} stopWhenTold(${endsWithParent}, () => { ${stop} });`;

async function readUntil(output: Readable, line: string) {
  let read = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    read += String(chunk);
    if (read.includes(`${line}\n`)) return;
  }
  throw new Error(`It ended early, and said: ${read}`);
}

it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on to the thread', async (signal) => {
  const running = await start(stoppable('process.exit(5);'));
  await readUntil(running.stdout, 'runs');
  running.kill(signal);
  expect(await once(running, 'exit')).toEqual([5, null]);
});

it('doesn’t wait for the thread’s work after a second signal', async () => {
  const running = await start(stoppable("process.stdout.write('stops\\n');"));
  await readUntil(running.stdout, 'runs');
  running.kill('SIGTERM');
  await readUntil(running.stdout, 'stops');
  running.kill('SIGINT');
  expect(await once(running, 'exit')).toEqual([1, null]);
});

it('ends at once at a signal during a start', async () => {
  const running = await start("process.stdout.write('starts\\n'); for (;;);");
  await readUntil(running.stdout, 'starts');
  running.kill('SIGTERM');
  expect(await once(running, 'exit')).toEqual([null, 'SIGTERM']);
});

/** What it writes says how it ended: its exit code is known only to the parent that ends. */
const STOP_SLOWLY = `
  process.stdout.write('stops\\n');
  setTimeout(() => process.stdout.write('done\\n', () => process.exit(0)), 2000);`;

/** Starts it below a shell that passes on no signal, as npm does. */
async function startBelowShell() {
  const script = await writeScript(stoppable(STOP_SLOWLY, true));
  const command = `"${process.execPath}" ${NODE_FLAGS.join(' ')} "${script}" & echo $! >&2; wait`;
  const shell = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
  child = shell;
  const [pid] = (await once(shell.stderr, 'data')) as [Buffer];
  await readUntil(shell.stdout, 'runs');
  return { shell, pid: Number(String(pid)) };
}

it('stops when its parent ends', async () => {
  const { shell } = await startBelowShell();
  shell.kill('SIGKILL');
  expect(await text(shell.stdout)).toBe('stops\ndone\n');
});

it('doesn’t take the end of its parent for a second signal', async () => {
  const { shell, pid } = await startBelowShell();
  process.kill(pid, 'SIGTERM');
  await readUntil(shell.stdout, 'stops');
  shell.kill('SIGKILL');
  expect(await text(shell.stdout)).toBe('done\n');
});

it('ends also while nobody reads what it says', async () => {
  const running = await start(`process.stdout.write('x'.repeat(1_000_000)); process.exit(6);`);
  expect(await once(running, 'exit')).toEqual([6, null]);
});

it('logs coloured text on a terminal', async ({ skip }) => {
  const program = findProgram('script') ?? '';
  skip(!program, 'needs script, which runs a program in a terminal');
  const log = pathToFileURL(join(import.meta.dirname, 'log/log.ts')).href;
  const file = await writeScript(
    `const { createLog } = await import('${log}'); createLog('info').info('A line.');`,
  );
  const command = `"${process.execPath}" ${NODE_FLAGS.join(' ')} "${file}"`;
  const terminal = spawn(program, ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child = terminal;
  expect(await text(terminal.stdout)).toMatch(/INFO.*A line\./);
});
