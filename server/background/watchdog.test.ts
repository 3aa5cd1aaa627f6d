import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { findProgram } from '#tools/testing/find-program.ts';
import { NODE_FLAGS } from '#tools/run-node.ts';
import { notifySystemd } from './watchdog.ts';

const children: ChildProcess[] = [];
const start = (program: string, args: string[]) => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
};
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

async function runWatched(script: string) {
  const module = pathToFileURL(join(import.meta.dirname, 'watchdog.ts')).href;
  const source = `import { watchEventLoop } from '${module}';\n${script}`;
  const child = start(process.execPath, [...NODE_FLAGS, '--input-type=module', '--eval', source]);
  const [[code, signal], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  return { code: code as number | null, signal: signal as string | null, errors };
}

it('ends a process whose event loop stands still, and says so', async () => {
  const ended = await runWatched('watchEventLoop(null, 1); setImmediate(() => { for (;;); });');
  expect(ended).toEqual({
    code: null,
    signal: 'SIGKILL',
    errors: 'The process stood still for 1 seconds and was ended.\n',
  });
});

it('lets a process end that has nothing left to do', async () => {
  const ended = await runWatched('watchEventLoop(null);');
  expect(ended).toEqual({ code: 0, signal: null, errors: '' });
});

it.each([
  ['starts a thread that looks', 'null', 3],
  ['starts none where systemd looks', "{ socket: '/run/notify', watchdogMs: 120_000 }", 0],
])('%s', async (_what, systemd, code) => {
  const script = `process.once('worker', () => process.exit(3)); watchEventLoop(${systemd});`;
  expect(await runWatched(script)).toMatchObject({ code });
});

const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print('ready', flush=True)
while True:
    print(receiver.recv(4096).decode().strip(), flush=True)
`;

it('tells systemd that it runs, and then again and again', async ({ skip }) => {
  const python = findProgram('python3') ?? '';
  skip(!python || !findProgram('systemd-notify'), 'needs python3 and systemd-notify');
  const folder = await mkdtemp(join(tmpdir(), 'notify-'));
  const socket = join(folder, 'socket');
  const lines = createInterface(start(python, ['-c', RECEIVER, socket]).stdout);
  const received = lines[Symbol.asyncIterator]();
  const next = async () => (await received.next()).value as string;
  expect(await next()).toBe('ready');
  const onError = vi.fn<(error: Error) => void>();
  const stop = notifySystemd({ socket, watchdogMs: 400 }, onError);
  const told = new Map<string, number>();
  while ((told.get('WATCHDOG=1') ?? 0) < 2) {
    const state = await next();
    told.set(state, (told.get(state) ?? 0) + 1);
  }
  stop();
  expect(told.get('READY=1')).toBe(1);
  expect(onError).not.toHaveBeenCalled();
  await rm(folder, { recursive: true });
});

it('says so if systemd can’t be told, and tells nobody without it', async () => {
  const onError = vi.fn<(error: Error) => void>();
  notifySystemd(null, onError)();
  const problem = new Promise((resolve) => {
    const stop = notifySystemd({ socket: '/nowhere/notify', watchdogMs: 0 }, resolve);
    stop();
  });
  expect(await problem).toBeInstanceOf(Error);
  expect(onError).not.toHaveBeenCalled();
});
