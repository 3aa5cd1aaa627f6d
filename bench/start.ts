/**
 * How soon the server answers after its start, and how much memory it holds: after the start, after
 * its pages, after it made the demo's music and after an ingest. On SQLite, with a large catalogue.
 *
 *   node bench/start.ts [--tracks 50000] [--starts 5] [--mixes 3] [--minutes 10]
 *
 * Run it twice after a change: a server that is the first to load some code keeps the compiler that
 * removes its types, which takes 16 MB, and music and ingest load code that no start does.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildWavHeader } from '#server/ports/media/wav-header.ts';
import { writeApiSite } from './api-site.ts';
import {
  describeMachine,
  median,
  startServer,
  stopProcess,
  type BenchServer,
} from './bench-server.ts';

const FIRST_ANSWER_MS = 1_500;
const STARTED_MB = 120;
const AFTER_WORK_MB = 160;
/** Idle processes give memory back after a few seconds. */
const QUIET_MS = 10_000;
const WORK_LIMIT_MS = 30 * 60_000;
const RATE = 44_100;
const PAGES = ['/', '/top-20', '/landing', '/login', '/api/tracks', '/api/health'];

const { values } = parseArgs({
  options: {
    tracks: { type: 'string', default: '50000' },
    starts: { type: 'string', default: '5' },
    mixes: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '10' },
  },
});

let areAllMet = true;
function report(name: string, value: number, target: number, unit: string): void {
  const isMet = value <= target;
  areAllMet &&= isMet;
  console.log(
    `${name.padEnd(34)} ${value.toFixed(0).padStart(6)} ${unit}  at most ${target} ${unit}  ${isMet ? 'met' : 'missed'}`,
  );
}

const readMegabytes = ({ process: { pid } }: BenchServer): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;

async function readWhenQuiet(server: BenchServer): Promise<number> {
  await pause(QUIET_MS);
  return readMegabytes(server);
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WORK_LIMIT_MS; !(await isDone());) {
    if (Date.now() > end) throw new Error('The server did not finish its work.');
    await pause(1_000);
  }
}

/** Compiled code is kept where `npm start` keeps it. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, '..', '.cache', 'compiled');

const start = (dataDir: string, env: Record<string, string> = {}) =>
  startServer(dataDir, { NODE_COMPILE_CACHE, LOG_LEVEL: 'error', ...env });

async function measureStarts(dataDir: string): Promise<void> {
  // The first one fills the cache of compiled code.
  await stopProcess((await start(dataDir)).process);
  const times: number[] = [];
  const megabytes: number[] = [];
  for (let n = 0; n < Number(values.starts); n += 1) {
    const begin = performance.now();
    const server = await start(dataDir);
    times.push(performance.now() - begin);
    megabytes.push(await readWhenQuiet(server));
    if (n === Number(values.starts) - 1) {
      for (const path of PAGES) await (await fetch(server.origin + path)).text();
      console.log(`${'after its pages'.padEnd(34)} ${(await readWhenQuiet(server)).toFixed(0)} MB`);
    }
    await stopProcess(server.process);
  }
  report('first answer', median(times), FIRST_ANSWER_MS, 'ms');
  report('memory after the start', median(megabytes), STARTED_MB, 'MB');
}

/** Noise that swells, as a file: encoders can't cheat on it. */
function renderWav(minutes: number): Blob {
  const seconds = minutes * 60;
  const second = new Int16Array(RATE * 2).map(() => (Math.random() - 0.5) * 20_000);
  const header = buildWavHeader(seconds * RATE * 4, { sampleRate: RATE });
  return new Blob([header, ...Array.from({ length: seconds }, () => second)]);
}

async function logIn({ origin }: BenchServer): Promise<Record<string, string>> {
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'weekender-demo' }),
  });
  if (!answer.ok) throw new Error(`The login answered ${answer.status}.`);
  return { origin, cookie: answer.headers.getSetCookie().join('; ') };
}

/** Whether the track has been ingested: then it waits for its release. */
async function isIngested({ origin }: BenchServer, headers: Record<string, string>) {
  const answer = await fetch(`${origin}/api/admin/tracks?q=Benchmark`, { headers });
  const { items } = (await answer.json()) as { items: { state: string }[] };
  if (items[0]?.state === 'failed') throw new Error('The ingest failed.');
  return items[0]?.state === 'draft';
}

async function ingest(server: BenchServer): Promise<void> {
  const headers = await logIn(server);
  const form = new FormData();
  form.set('title', 'Benchmark');
  form.set('file', renderWav(Number(values.minutes)), 'benchmark.wav');
  const url = `${server.origin}/api/admin/basic-upload`;
  const { status } = await fetch(url, { method: 'POST', headers, body: form });
  if (status !== 200) throw new Error(`The upload answered ${status}.`);
  await waitUntil(() => isIngested(server, headers));
}

async function measureWork(dataDir: string): Promise<void> {
  const server = await start(dataDir, { DEMO_MIXES: values.mixes });
  try {
    await waitUntil(async () => {
      const answer = await fetch(`${server.origin}/api/demo/progress`);
      const { ready, total } = (await answer.json()) as { ready: number; total: number };
      return total > 0 && ready === total;
    });
    report('memory after the demo’s music', await readWhenQuiet(server), AFTER_WORK_MB, 'MB');
    await ingest(server);
    report('memory after an ingest', await readWhenQuiet(server), AFTER_WORK_MB, 'MB');
  } finally {
    await stopProcess(server.process);
  }
}

const folder = await mkdtemp(join(tmpdir(), 'bench-start-'));
try {
  const site = join(folder, 'site');
  console.log(`Writing ${values.tracks} tracks …`);
  // Where a start without settings finds it.
  await writeApiSite({ DATA_DIR: join(site, 'demo') }, Number(values.tracks));
  console.log(describeMachine());
  await measureStarts(site);
  await measureWork(join(folder, 'demo'));
  console.log(describeMachine());
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (!areAllMet) process.exitCode = 1;
