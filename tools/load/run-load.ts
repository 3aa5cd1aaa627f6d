import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE_FLAGS } from '../run-node.ts';
import { findFreePort } from '../testing/free-port.ts';
import { startProduction, stopProcess } from '../../bench/bench-server.ts';
import type { Kind, KindResult, LoadResult, LoadTask } from './load-client.ts';
import { siteFile, writeLoadSite } from './load-site.ts';
import { readHeap } from './read-heap.ts';

export type LoadOptions = {
  listeners: number;
  /** Of each of the two phases. */
  seconds: number;
  /** Requests per second below the limit. */
  rate: number;
};

type Phase = LoadResult & {
  name: 'Below the limit' | 'Above the limit';
  /** Memory of the server in MB, over time. */
  memory: number[];
  /** What the server keeps at the end, in MB. */
  heap: number;
  /** How late the server's event loop was, in milliseconds. */
  lag: { p50: number; p99: number; max: number };
};
export type LoadReport = {
  options: LoadOptions;
  /** What the server kept after it had warmed up. */
  heapBefore: number;
  below: Phase;
  above: Phase;
  unexpected: string[];
  /** What else the machine had to do before. */
  loadBefore: number;
};

const run = promisify(execFile);
const MEMORY_EVERY_MS = 1000;
const WARM_UP_SECONDS = 10;
const METRICS_TOKEN = 'read-by-the-load-test';
const MAX_OUTPUT = 64 * 1024 * 1024;

/** In MB, of the process and those it started; null where the system doesn't say. */
async function readMemory(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const own = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
    const others = await Promise.all(
      children
        .split(' ')
        .filter(Boolean)
        .map((child) => readMemory(Number(child))),
    );
    return others.reduce<number>((sum, value) => sum + (value ?? 0), own);
  } catch {
    return null;
  }
}

async function runClient(task: LoadTask): Promise<LoadResult> {
  const client = join(import.meta.dirname, 'load-client.ts');
  const args = [...NODE_FLAGS, client, JSON.stringify(task)];
  const { stdout } = await run(process.execPath, args, { maxBuffer: MAX_OUTPUT });
  return JSON.parse(stdout) as LoadResult;
}

/** Since this was read last. */
async function readLag(port: number): Promise<Phase['lag']> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const text = await answer.text();
  const read = (at: string) => {
    const values = text.matchAll(
      new RegExp(`^nodejs_eventloop_delay_seconds\\{[^}]*at="${at}"\\} (\\S+)$`, 'gm'),
    );
    return Math.max(0, ...[...values].map(([, value]) => Number(value) * 1000));
  };
  return { p50: read('p50'), p99: read('p99'), max: read('max') };
}

type Server = { pid: number; debugPort: number };

async function runPhase(
  name: Phase['name'],
  task: LoadTask,
  { pid, debugPort }: Server,
): Promise<Phase> {
  await readLag(task.port);
  const memory: number[] = [];
  const timer = setInterval(() => {
    void readMemory(pid).then((value) => value !== null && memory.push(value));
  }, MEMORY_EVERY_MS);
  try {
    // In a process of their own, because the one of the listeners is busy too.
    const [listeners, watchers] = await Promise.all([
      runClient(task),
      runClient({ ...task, isWatching: true }),
    ]);
    const kinds = {
      ...listeners.kinds,
      'new connection': watchers.kinds['new connection'],
      liveness: watchers.kinds.liveness,
    };
    const unexpected = [...listeners.unexpected, ...watchers.unexpected];
    const lag = await readLag(task.port);
    const heap = await readHeap(pid, debugPort);
    return { name, kinds, unexpected, seconds: listeners.seconds, memory, heap, lag };
  } finally {
    clearInterval(timer);
  }
}

export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const [loadBefore = 0] = loadavg();
  const folder = await mkdtemp(join(tmpdir(), 'load-'));
  try {
    const site = await writeLoadSite(folder, options.listeners);
    await writeFile(siteFile(folder), JSON.stringify(site));
    const debugPort = await findFreePort();
    const server = await startProduction(folder, {
      TRUST_PROXY: '1',
      LOG_LEVEL: 'error',
      METRICS_TOKEN,
      NODE_OPTIONS: `--inspect-port=127.0.0.1:${debugPort}`,
    });
    try {
      const { listeners, seconds, rate } = options;
      const task = { port: server.port, folder, listeners, seconds, isWatching: false };
      const running = { pid: server.process.pid ?? 0, debugPort };
      // Code that runs for the first time is slow.
      const warmUp = { ...task, seconds: Math.min(WARM_UP_SECONDS, seconds), rate: rate / 2 };
      const { heap: heapBefore } = await runPhase('Below the limit', warmUp, running);
      const below = await runPhase('Below the limit', { ...task, rate }, running);
      const above = await runPhase('Above the limit', { ...task, rate: 0 }, running);
      const unexpected = [...below.unexpected, ...above.unexpected];
      return { options, heapBefore, below, above, unexpected, loadBefore };
    } finally {
      await stopProcess(server.process);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const ms = (value: number) => `${Math.round(value)} ms`;
const mb = (value: number) => `${Math.round(value)} MB`;

function describeKind(kind: string, { statuses, p50, p99, max }: KindResult): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${status} × ${count}`);
  return `  ${kind}: p50 ${ms(p50)}, p99 ${ms(p99)}, max ${ms(max)} (${counts.join(', ') || 'none'})`;
}

function countAnswers({ kinds }: Phase) {
  const counts = Object.values(kinds).map(({ statuses }) => statuses);
  const total = sum(counts.flatMap((statuses) => Object.values(statuses)));
  return { total, refused: sum(counts.map((statuses) => statuses['503'] ?? 0)) };
}

function describePhase(phase: Phase): string[] {
  const { name, kinds, seconds, memory, lag, unexpected } = phase;
  const { total, refused } = countAnswers(phase);
  const at = (index: number) => mb(memory.at(index) ?? 0);
  return [
    `${name}: ${total} requests in ${Math.round(seconds)} s, ${Math.round(total / seconds)}/s, ${refused} answered with 503, ${unexpected.length} unexpected answers`,
    ...Object.entries(kinds).map(([kind, result]) => describeKind(kind as Kind, result)),
    `  memory: ${at(0)} at the start, ${at(memory.length >> 1)} in the middle, ${at(-1)} at the end, ${mb(Math.max(0, ...memory))} at most`,
    `  event loop: p50 ${ms(lag.p50)}, p99 ${ms(lag.p99)}, max ${ms(lag.max)} late`,
    ...unexpected.map((problem) => `  unexpected: ${problem}`),
  ];
}

const API: Kind[] = ['api', 'play', 'heartbeat'];
const API_P99_MS = 100;
/** What we promise, and whether it was so. */
function summarise({ options, heapBefore, below, above, unexpected }: LoadReport): string[] {
  const { listeners, rate } = options;
  const p99 = Math.max(...API.map((kind) => below.kinds[kind].p99));
  const [calm, busy] = [countAnswers(below), countAnswers(above)];
  const answered = Math.round((busy.total - busy.refused) / above.seconds);
  const perListener = (listeners / rate).toFixed(1);
  return [
    'In short:',
    `  ${rate} requests a second, one of each listener every ${perListener} s: p99 of the API ${ms(p99)} (${p99 < API_P99_MS ? 'below' : 'NOT BELOW'} ${API_P99_MS} ms), ${calm.refused} of ${calm.total} answered with 503`,
    ...(calm.refused > 0
      ? ['  This was above the limit of this machine: try again when it is idle, or with --rate.']
      : []),
    `  as many requests as they can: ${answered} answered a second, ${busy.refused} of ${busy.total} with 503`,
    `  ${unexpected.length === 0 ? 'nothing' : 'SOMETHING'} failed in another way than 503`,
    `  kept in memory: ${mb(heapBefore)} at first, then ${mb(below.heap)} and ${mb(above.heap)}`,
  ];
}

/** The lines of the report. */
export const describeLoad = (report: LoadReport): string[] => [
  `${report.options.listeners} listeners, SQLite, on ${availableParallelism()} cores with ${Math.round(totalmem() / 2 ** 30)} GB, shared with the clients; load before: ${report.loadBefore.toFixed(1)}`,
  ...describePhase(report.below),
  ...describePhase(report.above),
  ...summarise(report),
];
