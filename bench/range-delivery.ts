import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { createSession } from '#server/http/session-store.ts';
import { createLocalStorage } from '#server/ports/storage/local-storage.ts';
import { seedTrack } from '#server/testing/seed-track.ts';
import type { RangeClientTask } from './range-client.ts';

/**
 * Ranges of 1 MB at random places of a file of 100 MB, with the access check, from the real server
 * and from nginx on the same machine, in turns. Usage: node bench/range-delivery.ts [rounds] [seconds]
 */
const [ROUNDS = 5, SECONDS = 3] = process.argv.slice(2).map(Number);
const MB = 1024 * 1024;
const FILE_SIZE = 100 * MB;
const CONNECTIONS = 8;

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const children: ChildProcess[] = [];

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitFor(port: number) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing answered on port ${port}.`);
}

async function writeLargeFile(path: string) {
  const file = await open(path, 'w');
  const block = randomBytes(MB);
  for (let written = 0; written < FILE_SIZE; written += MB) await file.write(block);
  await file.close();
}

/** A subscriber with a session and a track whose stream is the large file. */
async function seed(dataDir: string) {
  const now = Date.now();
  const database = connect({ kind: 'sqlite', file: join(dataDir, 'database.sqlite') }, console);
  await migrate(database, now);
  const { db } = database;
  const storage = createLocalStorage(join(dataDir, 'files'));
  const track = await seedTrack({ db, storage, now });
  const key = `tracks/${track.id}-stream.bin`;
  await writeLargeFile(join(dataDir, 'files', key));
  await db.updateTable('track_files').set({ size: FILE_SIZE }).where('key', '=', key).execute();
  const userId = 'listener';
  await db
    .insertInto('users')
    .values({
      id: userId,
      username: userId,
      username_key: userId,
      email: 'listener@example.com',
      email_key: 'listener@example.com',
      password_hash: '',
      is_admin: 0,
      is_demo: 0,
      paid_through: now + 1e9,
      avatar_key: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  const token = await createSession(db, { userId, userAgent: '', ip: '127.0.0.1', now });
  await database.close();
  return { key, path: `/media/tracks/${track.id}/stream`, cookie: `session=${token}` };
}

async function startApp(dataDir: string, env: Record<string, string>): Promise<number> {
  const port = await findPort();
  const app = spawn(process.execPath, [join(root, 'server/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      APP_ORIGIN: `http://127.0.0.1:${port}`,
      WORKER: 'off',
      ...env,
    },
  });
  children.push(app);
  await waitFor(port);
  return port;
}

/** As packages ship it: a worker for each core, sendfile on, a line in a log for each request. */
const nginxConfig = (folder: string, ports: { nginx: number; app: number }) => `
daemon off; worker_processes auto; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 768; }
http {
  access_log ${folder}/access.log; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  upstream app { server 127.0.0.1:${ports.app}; keepalive 16; }
  server {
    listen 127.0.0.1:${ports.nginx};
    location /plain/ { alias ${folder}/files/; }
    location /protected/ { internal; alias ${folder}/files/; }
    location / {
      proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $host;
    }
  }
}`;

async function startNginx(folder: string, app: number): Promise<number> {
  const nginx = await findPort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, nginxConfig(folder, { nginx, app }));
  // Workers run as another user when the master is root, and must reach the files.
  await run('chmod', ['-R', 'a+rX', folder]);
  const child = spawn('nginx', ['-c', file, '-p', folder], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  children.push(child);
  await waitFor(nginx);
  return nginx;
}

async function measure(port: number, path: string, cookie: string): Promise<number> {
  const task: RangeClientTask = {
    port,
    path,
    cookie,
    fileSize: FILE_SIZE,
    rangeSize: MB,
    connections: CONNECTIONS,
    seconds: SECONDS,
  };
  const client = join(import.meta.dirname, 'range-client.ts');
  const { stdout } = await run(process.execPath, [client, JSON.stringify(task)]);
  return (JSON.parse(stdout) as { megabytesPerSecond: number }).megabytesPerSecond;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function compare(folder: string) {
  await mkdir(join(folder, 'files'), { recursive: true });
  const { key, path, cookie } = await seed(folder);
  const direct = await startApp(folder, {});
  const behind = await startApp(folder, { ACCEL_PREFIX: '/protected' });
  const nginx = await startNginx(folder, behind);
  const subjects = [
    { name: 'nginx alone', port: nginx, path: `/plain/${key}` },
    { name: 'our server', port: direct, path },
    { name: 'X-Accel-Redirect', port: nginx, path },
  ];
  const results = subjects.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [index, subject] of subjects.entries()) {
      const speed = await measure(subject.port, subject.path, cookie);
      // The first round only warms up.
      if (round > 0) results[index]?.push(speed);
    }
  const [base = []] = results;
  for (const [index, { name }] of subjects.entries()) {
    const speeds = results[index] ?? [];
    const ratios = speeds.map((speed, round) => speed / (base[round] ?? 1));
    const each = ratios.map((ratio) => ratio.toFixed(2)).join(' ');
    console.log(
      `${name.padEnd(18)}${median(speeds).toFixed(0).padStart(6)} MB/s  ratio ${median(ratios).toFixed(2)}  (${each})`,
    );
  }
}

const hasNginx = await run('nginx', ['-v']).then(
  () => true,
  () => false,
);
if (!hasNginx) {
  console.error('This measures against nginx, which is not installed: apt-get install nginx-light');
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), 'bench-range-'));
try {
  console.log(
    `1 MB ranges of 100 MB, ${CONNECTIONS} connections of a Node client, ${ROUNDS} rounds of ${SECONDS} s; goals 0.6 and 0.9`,
  );
  await compare(folder);
} finally {
  await Promise.all(
    children.map(async (child) => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    }),
  );
  await rm(folder, { recursive: true, force: true });
}
