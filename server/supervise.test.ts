import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NODE_FLAGS } from '#tools/run-node.ts';
import { parseMetrics } from './testing/parse-metrics.ts';

const TOKEN = 'quiet-harbour-at-dawn';

let folder: string;
let server: ChildProcess;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-processes-'));
});
afterEach(async () => {
  if (server.exitCode === null && server.signalCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Record<string, string>) {
  server = spawn(process.execPath, [...NODE_FLAGS, join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      DEMO_MIXES: '0',
      METRICS_TOKEN: TOKEN,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for await (const chunk of server.stdout!) {
    said += String(chunk);
    const [, port] = /is at http:\/\/127\.0\.0\.1:(\d+)\n/.exec(said) ?? [];
    if (port) return `http://127.0.0.1:${port}`;
  }
  throw new Error(`The server ended: ${said}${await text(server.stderr!)}`);
}

async function readProcesses(origin: string) {
  const answer = await fetch(`${origin}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const metrics = parseMetrics(await answer.text());
  const samples = (name: string) => metrics.find((one) => one.name === name)?.samples ?? [];
  return {
    started: samples('process_start_time_seconds'),
    requests: samples('http_requests_total'),
  };
}

/** Asks until all processes have joined. */
async function readAll(origin: string, count: number) {
  for (;;) {
    const read = await readProcesses(origin);
    if (read.started.length === count) return read;
    await pause(50);
  }
}

describe.runIf(process.platform === 'linux')('a server with several processes', () => {
  it('shares one port, reports all of them, keeps limits, and stops with one signal', async () => {
    const origin = await start({ PROCESSES: '2' });
    await readAll(origin, 2);
    // Without keep-alive each request may come to another process.
    const ask = (path: string, body?: string) =>
      fetch(origin + path, {
        headers: { connection: 'close', 'content-type': 'application/json' },
        ...(body && { method: 'POST', body }),
      });
    for (let index = 0; index < 30; index += 1)
      expect((await ask('/api/version')).status).toBe(200);
    const { requests } = await readAll(origin, 2);
    const answered = requests.filter(({ labels }) => labels.route === '/api/version');
    expect(answered.map(({ labels }) => labels.process)).toEqual(['1', '2']);
    expect(answered.reduce((sum, { value }) => sum + value, 0)).toBe(30);

    const attempts = [];
    for (let index = 0; index < 12; index += 1) {
      const body = JSON.stringify({ username: 'nobody', password: 'wrong' });
      attempts.push((await ask('/api/auth/login', body)).status);
    }
    expect(attempts.filter((status) => status === 401)).toHaveLength(10);
    expect(attempts.slice(10)).toEqual([429, 429]);

    // One that is killed comes back.
    const [before] = (await readAll(origin, 2)).started.slice(1);
    const children = `/proc/${server.pid}/task/${server.pid}/children`;
    const [, second] = (await readFile(children, 'utf8')).trim().split(' ');
    process.kill(Number(second), 'SIGKILL');
    while ((await readFile(children, 'utf8')).includes(`${second} `)) await pause(20);
    const [, after] = (await readAll(origin, 2)).started;
    expect([after?.labels.process, after?.value]).not.toEqual(['2', before?.value]);

    server.kill('SIGTERM');
    const [code] = (await once(server, 'exit')) as [number];
    expect(code).toBe(0);
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('ends with the reason when it can’t start', async () => {
    await expect(start({ PROCESSES: '2', DATA_DIR: '/proc/nothing' })).rejects.toThrow(
      /Can't write to the data folder/,
    );
  });
});
