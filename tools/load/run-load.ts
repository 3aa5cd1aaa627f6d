import { loadavg } from 'node:os';
import type { ClientUsage, LoadResult } from './load-client.ts';
import { readHeap } from './read-heap.ts';
import { readUsage, subtractUsage, type Program } from './read-usage.ts';
import { startClient } from './start-client.ts';
import { METRICS_TOKEN, startSite, withFolder, type Mode, type RunningSite } from './start-site.ts';

export type LoadOptions = {
  mode: Mode;
  listeners: number;
  /** Of each of the two phases. */
  seconds: number;
  /** Requests per second below the limit. */
  rate: number;
};

export type Lag = { p50: number; p99: number; max: number };

/** What the machine did while the clients played. */
export type Watched = {
  /** Memory of the servers in MB, over time. */
  memory: number[];
  /** How late the event loop of the latest server was, in milliseconds. */
  lag: Lag;
  /** How many processors each used on average. */
  processors: Record<Program, number>;
};

export type Phase = LoadResult &
  ClientUsage &
  Watched & {
    name: 'Below the limit' | 'Above the limit';
    /** What the servers keep at the end, in MB. */
    heap: number;
  };
export type LoadReport = {
  options: LoadOptions;
  /** What the servers kept after they had warmed up. */
  heapBefore: number;
  below: Phase;
  above: Phase;
  unexpected: string[];
  /** What else the machine had to do before. */
  loadBefore: number;
};

const MEMORY_EVERY_MS = 1000;
const WARM_UP_SECONDS = 10;

/** Of the latest server, since this was read last. */
async function readLag({ servers }: RunningSite): Promise<Lag> {
  const texts = await Promise.all(
    servers.map(async ({ port }) => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
        headers: { authorization: `Bearer ${METRICS_TOKEN}` },
      });
      return answer.text();
    }),
  );
  const read = (at: string) => {
    const values = texts
      .join('\n')
      .matchAll(new RegExp(`^nodejs_eventloop_delay_seconds\\{[^}]*at="${at}"\\} (\\S+)$`, 'gm'));
    return Math.max(0, ...[...values].map(([, value]) => Number(value) * 1000));
  };
  return { p50: read('p50'), p99: read('p99'), max: read('max') };
}

/** Reads what the site uses while something runs. */
export async function watchSite<T>(site: RunningSite, run: () => Promise<T>): Promise<T & Watched> {
  await readLag(site);
  const memory: number[] = [];
  const timer = setInterval(() => {
    void readUsage().then((usage) => memory.push(usage.memory));
  }, MEMORY_EVERY_MS);
  try {
    const before = { usage: await readUsage(), at: performance.now() };
    const result = await run();
    const seconds = (performance.now() - before.at) / 1000;
    const processors = subtractUsage(before.usage, await readUsage(), seconds);
    return { ...result, memory, lag: await readLag(site), processors };
  } finally {
    clearInterval(timer);
  }
}

/** What the servers keep, in MB. */
export async function readHeaps({ servers }: RunningSite): Promise<number> {
  let sum = 0;
  for (const { pid, debugPort } of servers) sum += await readHeap(pid, debugPort);
  return sum;
}

async function runPhase(
  name: Phase['name'],
  site: RunningSite,
  task: { folder: string; listeners: number; seconds: number; rate: number },
): Promise<Phase> {
  const { entrance } = site;
  const watched = await watchSite(site, async () => {
    // In a process of their own, because the one of the listeners is busy too.
    const [listeners, watchers] = await Promise.all([
      startClient<LoadResult>({ ...task, entrance, plays: 'listeners' }).result,
      startClient<LoadResult>({ ...task, entrance, plays: 'watchers' }).result,
    ]);
    const { 'new connection': connection, liveness } = watchers.kinds;
    return {
      ...listeners,
      kinds: { ...listeners.kinds, 'new connection': connection, liveness },
      unexpected: [...listeners.unexpected, ...watchers.unexpected],
    };
  });
  return { name, ...watched, heap: await readHeaps(site) };
}

export const runLoad = (options: LoadOptions): Promise<LoadReport> =>
  withFolder(async (folder) => {
    const [loadBefore = 0] = loadavg();
    const { mode, listeners, seconds, rate } = options;
    const site = await startSite({ mode, folder, members: listeners, hasWorker: false });
    try {
      const task = { folder, listeners, seconds };
      // Code that runs for the first time is slow.
      const warmUp = { ...task, seconds: Math.min(WARM_UP_SECONDS, seconds), rate: rate / 2 };
      const { heap: heapBefore } = await runPhase('Below the limit', site, warmUp);
      const below = await runPhase('Below the limit', site, { ...task, rate });
      const above = await runPhase('Above the limit', site, { ...task, rate: 0 });
      const unexpected = [...below.unexpected, ...above.unexpected];
      return { options, heapBefore, below, above, unexpected, loadBefore };
    } finally {
      await site.stop();
    }
  });
