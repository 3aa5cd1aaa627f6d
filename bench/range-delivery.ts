import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildUser } from '#server/db/build-rows.ts';
import { connect } from '#server/db/connect.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { createSession } from '#server/features/sessions/service.ts';
import { createLocalStorage } from '#server/ports/storage/local-storage.ts';
import { seedTrack } from '#server/testing/seed-track.ts';
import { findFreePort } from '#tools/testing/free-port.ts';
import { median, startProduction, stopProcess, waitForPort } from './bench-server.ts';
import type { RangeClientResult, RangeClientTask } from './range-client.ts';

/**
 * Random 1 MB ranges of a 100 MB file, with the access check, from the real server and from nginx on
 * the same machine, alternating.
 * Usage: node bench/range-delivery.ts [rounds] [seconds] [connections]
 */
const [ROUNDS = 5, SECONDS = 3, CONNECTIONS = 8] = process.argv.slice(2).map(Number);
const MB = 1024 * 1024;
const FILE_SIZE = 100 * MB;
const WARM_UP_SECONDS = 8;

const run = promisify(execFile);
const children: ChildProcess[] = [];

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
  await db.updateTable('renditions').set({ size: FILE_SIZE }).where('key', '=', key).execute();
  const userId = 'listener';
  const user = buildUser({ id: userId, paid_through: now + 1e9, created_at: now });
  await db.insertInto('users').values(user).execute();
  const token = await createSession(db, { user, userAgent: '', ip: '127.0.0.1', now });
  await database.close();
  return { key, trackId: track.id, cookie: `session=${token}` };
}

/** As the API returns it to a player. */
async function readFileUrl(port: number, trackId: string, cookie: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/tracks/${trackId}`, {
    headers: { cookie },
  });
  return ((await response.json()) as { fileUrl: string }).fileUrl;
}

type Started = { port: number; pid: number };

async function startApp(dataDir: string, env: Record<string, string>): Promise<Started> {
  const { port, process: app } = await startProduction(dataDir, env);
  children.push(app);
  return { port, pid: app.pid ?? 0 };
}

/** As in deploy/nginx-one-machine.conf, with an nginx worker per core and a log line per request. */
const nginxConfig = (folder: string, ports: { nginx: number; app: number }) => `
daemon off; worker_processes auto; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 768; }
http {
  access_log ${folder}/access.log combined buffer=64k flush=5s; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  upstream app { server 127.0.0.1:${ports.app}; keepalive 16; }
  server {
    listen 127.0.0.1:${ports.nginx};
    location /plain/ {
      alias ${folder}/files/;
      open_file_cache max=1000 inactive=60s; open_file_cache_valid 60s;
    }
    location /protected/ {
      internal; alias ${folder}/files/;
      open_file_cache max=1000 inactive=60s; open_file_cache_valid 60s;
    }
    location ~ ^/media/tracks/[^/]+/(stream|dataSaver|preview)$ {
      proxy_pass http://app; proxy_http_version 1.1; proxy_pass_request_headers off;
      proxy_set_header Connection ""; proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header Cookie $http_cookie; proxy_set_header If-None-Match $http_if_none_match;
      proxy_set_header User-Agent $http_user_agent;
    }
    location / {
      proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $host;
    }
  }
}`;

async function startNginx(folder: string, app: number): Promise<Started> {
  const nginx = await findFreePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, nginxConfig(folder, { nginx, app }));
  // If nginx runs as root, its workers run as another user, who must be able to read the files.
  await run('chmod', ['-R', 'a+rX', folder]);
  const child = spawn('nginx', ['-c', file, '-p', folder], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  children.push(child);
  await waitForPort(nginx);
  return { port: nginx, pid: child.pid ?? 0 };
}

/** The processor time of a process and its children; Linux counts in steps of 10 ms. */
async function readCpuMs(pid: number): Promise<number> {
  const read = (path: string) => readFile(`/proc/${path}`, 'utf8').catch(() => '');
  const workers = await read(`${pid}/task/${pid}/children`);
  const stats = await Promise.all(
    [String(pid), ...workers.split(' ').filter(Boolean)].map((id) => read(`${id}/stat`)),
  );
  const ticks = stats.map((stat) => {
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, value) => sum + value, 0) * 10;
}

type Subject = { name: string; port: number; path: string; pids: readonly number[] };
type Sample = { speed: number; cpuMs: number };

async function readAllCpuMs(pids: readonly number[]): Promise<number> {
  const times = await Promise.all(pids.map(readCpuMs));
  return times.reduce((sum, time) => sum + time, 0);
}

async function measure(
  { port, path, pids }: Subject,
  cookie: string,
  seconds: number,
): Promise<Sample> {
  const task: RangeClientTask = {
    port,
    path,
    cookie,
    fileSize: FILE_SIZE,
    rangeSize: MB,
    connections: CONNECTIONS,
    seconds,
  };
  const client = join(import.meta.dirname, 'range-client.ts');
  const before = await readAllCpuMs(pids);
  const { stdout } = await run(process.execPath, [client, JSON.stringify(task)]);
  const used = (await readAllCpuMs(pids)) - before;
  const { megabytesPerSecond, ranges } = JSON.parse(stdout) as RangeClientResult;
  return { speed: megabytesPerSecond, cpuMs: used / ranges };
}

const list = (values: number[]) => values.map((value) => value.toFixed(2)).join(' ');

function report(name: string, samples: Sample[], base: Sample[]) {
  const ratios = samples.map(({ speed }, round) => speed / (base[round]?.speed ?? 1));
  const speed = median(samples.map((sample) => sample.speed));
  const cpuMs = median(samples.map((sample) => sample.cpuMs));
  console.log(
    `${name.padEnd(18)}${speed.toFixed(0).padStart(6)} MB/s  ratio ${median(ratios).toFixed(2)}  ` +
      `(${list(ratios)})  processor ${cpuMs.toFixed(2)} ms a range`,
  );
}

async function compare(folder: string) {
  await mkdir(join(folder, 'files'), { recursive: true });
  const { key, trackId, cookie } = await seed(folder);
  const direct = await startApp(folder, {});
  const path = await readFileUrl(direct.port, trackId, cookie);
  const behind = await startApp(folder, { ACCEL_PREFIX: '/protected' });
  const nginx = await startNginx(folder, behind.port);
  const subjects: Subject[] = [
    { name: 'nginx alone', port: nginx.port, path: `/plain/${key}`, pids: [nginx.pid] },
    { name: 'our server', port: direct.port, path, pids: [direct.pid] },
    { name: 'X-Accel-Redirect', port: nginx.port, path, pids: [nginx.pid, behind.pid] },
  ];
  const results = subjects.map((): Sample[] => []);
  // A new server is still compiling its code.
  for (const subject of subjects) await measure(subject, cookie, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, subject] of subjects.entries())
      results[index]?.push(await measure(subject, cookie, SECONDS));
  const [base = []] = results;
  for (const [index, { name }] of subjects.entries()) report(name, results[index] ?? [], base);
  console.log(`load of the machine ${list(loadavg())} on ${availableParallelism()} cores`);
}

const hasNginx = await run('nginx', ['-v']).then(
  () => true,
  () => false,
);
if (!hasNginx) {
  console.error('This benchmark needs nginx: apt-get install nginx-light');
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), 'bench-range-'));
try {
  console.log(
    `1 MB ranges of 100 MB, ${CONNECTIONS} connections of a Node client, ${ROUNDS} rounds of ${SECONDS} s; goals 0.45 and 0.8`,
  );
  await compare(folder);
} finally {
  await Promise.all(children.map(stopProcess));
  await rm(folder, { recursive: true, force: true });
}
