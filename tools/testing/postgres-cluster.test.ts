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
  for (const name of ['bin', 'tmp', 'said']) mkdirSync(join(folder, name));
  // When the tests run as root, the programs run as somebody else.
  for (const name of ['tmp', 'said']) chmodSync(join(folder, name), 0o777);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Stand-ins that leave a trace, so that this needs no PostgreSQL. */
const writeProgram = (name: string, lines: string[]): void =>
  writeFileSync(join(folder, 'bin', name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });

/** Runs a script that starts a cluster; resolves when it and all it started are gone. */
const runStarter = async (
  afterStart: string,
  tmp = join(folder, 'tmp'),
): Promise<{ said: string[]; errors: string }> => {
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
  // The keeper holds this pipe as well, so that its end is the end of both.
  await once(starter.stderr, 'end');
  return { said: readdirSync(join(folder, 'said')).toSorted(), errors };
};

const writeWorkingPrograms = (): void => {
  writeProgram('initdb', ['exit 0']);
  writeProgram('postgres', [
    `trap 'touch "${join(folder, 'said', 'stopped')}"; exit 0' QUIT`,
    `echo "$@" > "${join(folder, 'said', 'started')}"`,
    `echo 'LOG:  database system is ready to accept connections' >&2`,
    'while :; do sleep 0.05; done',
  ]);
};

it.each([
  ['is stopped', 'await cluster.stop();'],
  ['was started by a process that is killed', `process.kill(process.pid, 'SIGKILL');`],
])('leaves neither a server nor files behind when it %s', async (_when, afterStart) => {
  writeWorkingPrograms();
  const { said, errors } = await runStarter(afterStart);
  expect(errors).toBe('');
  expect(said).toEqual(['started', 'stopped']);
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
  const told = join(folder, 'url');
  await runStarter(
    `(await import('node:fs')).writeFileSync(${JSON.stringify(told)}, cluster.url);
    await cluster.stop();`,
    tmp,
  );
  const socket = /unix_socket_directories=(\S*)/;
  const started = readFileSync(join(folder, 'said', 'started'), 'utf8');
  expect(started).toMatch(settings);
  const host = new URL(readFileSync(told, 'utf8')).searchParams.get('host');
  expect(host ?? '').toBe(socket.exec(started)?.[1]);
});

it('passes on why it did not start, and leaves no files', async () => {
  writeProgram('initdb', ['echo "no space left" >&2', 'exit 1']);
  const { errors } = await runStarter('');
  expect(errors).toContain('no space left');
  expect(errors).toContain('did not start; its own words are above.');
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
});
