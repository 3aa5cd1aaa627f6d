import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it, vi } from 'vitest';
import { findProgram } from '#tools/testing/find-program.ts';
import { notifySystemd } from './systemd.ts';

const children: ChildProcess[] = [];
const start = (program: string, args: string[]) => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
};
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

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
