import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { getPriority, networkInterfaces, tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { findFreePort } from '#tools/testing/free-port.ts';
import { NODE_FLAGS } from '#tools/run-node.ts';
import { PROVIDER } from './testing/test-app.ts';

type Env = Record<string, string>;

let folder: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-main-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

function run(file: string, env: Env): ChildProcess {
  const child = spawn(process.execPath, [...NODE_FLAGS, join(import.meta.dirname, file)], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: join(folder, 'data'),
      PORT: '0',
      DEMO_MIXES: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

/** Runs a start that is meant to fail. */
async function runToEnd(env: Env, file = 'main.ts') {
  const child = run(file, env);
  const [[code], errors, output] = await Promise.all([
    once(child, 'exit'),
    text(child.stderr!),
    text(child.stdout!),
  ]);
  return { code: code as number, errors, output };
}

async function readLines(child: ChildProcess, count: number): Promise<string[]> {
  let read = '';
  for await (const chunk of child.stdout!) {
    read += String(chunk);
    const lines = read.split('\n');
    if (lines.length > count) return lines.slice(0, count);
  }
  throw new Error(`The server ended early. It said: ${read}${await text(child.stderr!)}`);
}

async function startServer(env: Env = {}) {
  const child = run('main.ts', env);
  const lines = await readLines(child, 3);
  const port = Number(/:(\d+)$/.exec(lines[0] ?? '')?.[1]);
  return { child, lines, port };
}

async function isListening(port: number, address = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, address);
  const outcome = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return outcome;
}

/** Addresses of this machine, on which only a server that listens everywhere answers. */
function listOtherAddresses(): string[] {
  const outer = Object.values(networkInterfaces())
    .flat()
    .flatMap((found) => (found?.family === 'IPv4' && !found.internal ? [found.address] : []));
  return process.platform === 'linux' ? ['127.0.0.2', ...outer] : outer;
}

/** Sends the head of a login and half its body, and answers how to send the rest. */
async function beginLogin(port: number, host = '127.0.0.1') {
  const body = JSON.stringify({ username: 'free', password: 'weekender-demo' });
  const socket = connect(port, host);
  await once(socket, 'connect');
  const name = host.includes(':') ? `[${host}]` : host;
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: ${name}:${port}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
  );
  // Another request on its own connection is answered after the first one has arrived.
  await fetch(`http://${name}:${port}/api/version`);
  return async () => {
    socket.write(body.slice(9));
    return text(socket);
  };
}

const siteDatabase = () => join(folder, 'data', 'database.sqlite');
const demoDatabase = () => join(folder, 'data', 'demo', 'database.sqlite');

/** Whoever opens it fails. */
async function writeNoDatabase(file: string) {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, 'not a database');
}

const PRODUCTION = { APP_ORIGIN: 'https://music.example', LOG_LEVEL: 'warn', ...PROVIDER };

describe('the server', () => {
  it('prints the three lines a newcomer needs, serves this machine only, and answers pending requests before it stops, but no others', async () => {
    const { lines, port, child } = await startServer();
    expect(lines[0]).toBe(`Weekender is at http://127.0.0.1:${port}`);
    expect(lines[1]).toMatch(
      /^Demo accounts: free, premium, admin; password weekender-demo \(this machine only; through a proxy also the code (?:[0-9a-f]{4}-){3}[0-9a-f]{4}\)$/,
    );
    expect(lines[2]).toMatch(/APP_ORIGIN.*docs\/operations\.md/);
    const health = await fetch(`http://127.0.0.1:${port}/healthz`);
    expect([health.status, await health.text()]).toEqual([200, 'ok']);
    for (const address of listOtherAddresses())
      expect([address, await isListening(port, address)]).toEqual([address, false]);
    const finish = await beginLogin(port);
    child.kill('SIGTERM');
    while (await isListening(port)) await pause(20);
    const answer = await finish();
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(answer).toContain('"username":"free"');
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
    expect(code).toBe(0);
  });

  it('says in production what is off or missing, leaves the demo’s database alone, and prints a link that creates the first administrator once, and also works after a restart', async () => {
    await writeNoDatabase(demoDatabase());
    const port = await findFreePort();
    const own = { APP_ORIGIN: `http://localhost:${port}`, PORT: String(port) };
    // Without jobs, which would ask Paystack.
    const env = { ...PRODUCTION, ...own, WORKER: 'off' };
    const paths: string[] = [];
    for (let start = 0; start < 2; start += 1) {
      const child = run('main.ts', env);
      const lines = await readLines(child, 7);
      expect(lines[0]).toBe(`Weekender is at http://localhost:${port}`);
      expect(lines[1]).toBe('Demo accounts are off');
      expect(lines[3]).toMatch(/^No administrator yet\./);
      expect(lines.slice(5).map((line) => JSON.parse(line) as unknown)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            level: 40,
            msg: expect.stringContaining('SMTP_URL is not set'),
          }),
          expect.objectContaining({
            level: 40,
            msg: expect.stringMatching(/takes payments, but the seller’s legal name.* is missing/),
          }),
        ]),
      );
      paths.push(new URL(lines[4] ?? '').pathname);
      if (start > 0) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    expect((await stat(siteDatabase())).size).toBeGreaterThan(0);
    expect(await readdir(dirname(demoDatabase()))).toEqual(['database.sqlite']);
    expect(await readFile(demoDatabase(), 'utf8')).toBe('not a database');
    const demoLogin = await fetch(`http://localhost:${port}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'premium', password: 'weekender-demo' }),
    });
    expect(demoLogin.status).toBe(401);
    const body = new URLSearchParams({
      username: 'naledi',
      email: 'naledi@example.com',
      password: 'quiet-harbour-23',
    });
    const send = async (path = '') => {
      const url = `http://localhost:${port}${path}`;
      const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
      return [answer.status, answer.headers.get('location')];
    };
    expect(await send(paths[0])).toEqual([303, '/admin']);
    expect(await send(paths[0])).toEqual([404, null]);
    expect(await send(paths[1])).toEqual([404, null]);
  });

  it('prints the address it is bound to, keeps its data to its owner, also in a folder that others could read, and stops immediately on a second signal', async () => {
    const data = join(folder, 'data', 'demo');
    await mkdir(data, { recursive: true, mode: 0o755 });
    await chmod(data, 0o755);
    const addresses = Object.values(networkInterfaces()).flat();
    const hasIpv6 = addresses.some((found) => found?.address === '::1');
    const [host, name] = hasIpv6 ? ['::1', '[::1]'] : ['127.0.0.1', '127.0.0.1'];
    const { lines, port, child } = await startServer({ HOST: host });
    expect(lines[0]).toBe(`Weekender is at http://${name}:${port}`);
    expect((await fetch(`http://${name}:${port}/api/version`)).status).toBe(200);
    for (const file of await readdir(data))
      expect([file, ((await stat(join(data, file))).mode & 0o077).toString(8)]).toEqual([
        file,
        '0',
      ]);
    expect(((await stat(data)).mode & 0o777).toString(8)).toBe('700');
    expect(await readdir(data)).toEqual(expect.arrayContaining(['database.sqlite']));
    await beginLogin(port, host);
    child.kill('SIGTERM');
    while (await isListening(port, host)) await pause(20);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
  });
});

describe('a demo and a site in one data folder', () => {
  it('a site without its settings doesn’t start as a demo, and stays as it is', async () => {
    await writeNoDatabase(siteDatabase());
    const { code, errors, output } = await runToEnd({});
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^The database in .*data belongs to a site/);
    await expect(stat(demoDatabase())).rejects.toThrow('ENOENT');
    expect(await readFile(siteDatabase(), 'utf8')).toBe('not a database');
  });

  it('with an address of a database there is no demo', async () => {
    const { code, errors, output } = await runToEnd({
      DATABASE_URL: `postgres://nobody@127.0.0.1:${await findFreePort()}/nothing`,
      ...PRODUCTION,
    });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^Can't reach the database/);
    expect(await readdir(join(folder, 'data'))).not.toContain('demo');
    const alone = await runToEnd({ DATABASE_URL: 'postgres://nobody@127.0.0.1/nothing' });
    expect(alone.errors).toContain('APP_ORIGIN is required when DATABASE_URL is set');
  });
});

/** Changes the database that the server will find, as an earlier start of it has left it. */
async function prepareDatabase(change: string) {
  const databases = inject('testDatabases');
  if (databases.dialect !== 'sqlite') throw new Error('Whole processes are tested on SQLite.');
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  const file = join(folder, 'data', 'database.sqlite');
  await copyFile(databases.templateFile, file);
  await chmod(file, 0o600);
  const database = new DatabaseSync(file);
  database.exec(change);
  database.close();
}

/** As whole processes: that it ends, with which code, and without a stack. `run-process.test.ts` has the other reasons. */
describe('a failed start ends with a clear message', () => {
  it('when it fails after it started to listen, and leaves nothing running', async () => {
    await prepareDatabase(`create trigger refuse before insert on jobs
      begin select raise(abort, 'no job is taken'); end`);
    // Only in demo mode are jobs made before, too.
    const { code, errors, output } = await runToEnd(PRODUCTION);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain('no job is taken');
  });

  it('when settings are invalid, listing all of them', async () => {
    const { code, errors, output } = await runToEnd({
      PORT: 'x',
      SITE_TIME_ZONE: 'y',
      SMTP_URL: 'smtp://u:100%@mail.example',
    });
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain('  - PORT must be');
    expect(errors).toContain('  - SITE_TIME_ZONE must be');
    expect(errors).toContain('  - SMTP_URL must have a percent-encoded user name and password');
    expect(errors).not.toMatch(/^\s+at /m);
  });

  it('when the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, errors } = await runToEnd({ PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(errors).toBe(
      `Port ${port} is already in use. Stop the other program, or set PORT to another number.\n`,
    );
  });

  it('when it is a worker whose data folder can’t be created', async () => {
    await writeFile(join(folder, 'data'), 'in the way');
    const DATA_DIR = join(folder, 'data', 'deeper');
    const { code, errors } = await runToEnd({ DATA_DIR }, 'worker.ts');
    expect(code).toBe(1);
    expect(errors).toMatch(/^Can't write to the data folder .* \(\w+\)\. Set DATA_DIR/);
    expect(errors.trim().split('\n')).toHaveLength(1);
  });
});

it('the worker runs on its own until it gets a signal', async () => {
  const child = run('worker.ts', {});
  expect(await readLines(child, 1)).toEqual(['Running jobs']);
  // Servers on this machine go first.
  expect(getPriority(child.pid)).toBe(Math.max(10, getPriority()));
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
