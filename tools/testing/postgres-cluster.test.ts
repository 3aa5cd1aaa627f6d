import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NODE_FLAGS } from '../run-node.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-test-'));
  chmodSync(folder, 0o755);
  for (const name of ['bin', 'tmp', 'trace']) mkdirSync(join(folder, name));
  // When the tests run as root, the programs run as another user.
  for (const name of ['tmp', 'trace']) chmodSync(join(folder, name), 0o777);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Fake programs that leave a trace, so that this test needs no PostgreSQL. */
const writeProgram = (name: string, lines: string[]): void =>
  writeFileSync(join(folder, 'bin', name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });

/** Runs a script that starts a cluster; resolves when all its processes have exited. */
const runStarter = async (
  afterStart: string,
  tmp = join(folder, 'tmp'),
): Promise<{ trace: string[]; errors: string }> => {
  const module = pathToFileURL(join(import.meta.dirname, 'find-postgres.ts')).href;
  const script = `
    const { startCluster } = await import(${JSON.stringify(module)});
    const cluster = await startCluster(${JSON.stringify(join(folder, 'bin'))});
    ${afterStart}`;
  const starter = spawn(process.execPath, [...NODE_FLAGS, '--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: tmp },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  starter.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  // The process that runs PostgreSQL inherits this pipe, so it ends when both have exited.
  await once(starter.stderr, 'end');
  return { trace: readdirSync(join(folder, 'trace')).toSorted(), errors };
};

const writeWorkingPrograms = (): void => {
  writeProgram('initdb', ['exit 0']);
  writeProgram('postgres', [
    `trap 'touch "${join(folder, 'trace', 'stopped')}"; exit 0' QUIT`,
    `echo "$@" > "${join(folder, 'trace', 'started')}"`,
    `echo 'LOG:  database system is ready to accept connections' >&2`,
    'while :; do sleep 0.05; done',
  ]);
};

it.each([
  ['is stopped', 'await cluster.stop();'],
  ['was started by a process that is killed', `process.kill(process.pid, 'SIGKILL');`],
])('leaves neither a server nor files behind when it %s', async (_when, afterStart) => {
  writeWorkingPrograms();
  const { trace, errors } = await runStarter(afterStart);
  expect(errors).toBe('');
  expect(trace).toEqual(['started', 'stopped']);
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});

it.each([
  ['a socket among its own files', 'tmp', /listen_addresses= .*unix_socket_directories=\//],
  ['the network, where that path would be too long', 'long'.repeat(20), /listen_addresses=127/],
])('can be reached through %s', async (_way, name, settings) => {
  writeWorkingPrograms();
  const tmp = join(folder, name);
  mkdirSync(tmp, { recursive: true });
  chmodSync(tmp, 0o777);
  const urlFile = join(folder, 'url');
  await runStarter(
    `(await import('node:fs')).writeFileSync(${JSON.stringify(urlFile)}, cluster.url);
    await cluster.stop();`,
    tmp,
  );
  const socket = /unix_socket_directories=(\S*)/;
  const started = readFileSync(join(folder, 'trace', 'started'), 'utf8');
  expect(started).toMatch(settings);
  const host = new URL(readFileSync(urlFile, 'utf8')).searchParams.get('host');
  expect(host ?? '').toBe(socket.exec(started)?.[1]);
});

it('reports why it did not start and leaves no files', async () => {
  writeProgram('initdb', ['echo "no space left" >&2', 'exit 1']);
  const { errors } = await runStarter('');
  expect(errors).toContain('no space left');
  expect(errors).toContain('did not start; its output is above.');
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});
