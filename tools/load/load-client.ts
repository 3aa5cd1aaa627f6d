import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createJournal, isOk, type KindResult } from './journal.ts';
import { FILE_SIZE, roleOf, siteFile, type LoadSite } from './load-site.ts';
import { playRelease, type ReleaseResult, type ReleaseTask } from './release-people.ts';
import { createEntrance, type Answer, type Ask, type Connections } from './send.ts';
import type { Entrance } from './start-site.ts';

/**
 * Plays people, in a process of its own. Each listener has one connection and goes round: a page, a
 * list, a mix, its play, and then ranges of its audio with heartbeats.
 */
type Task = { entrance: Entrance; folder: string; seconds: number };
export type ListenTask = Task & {
  /** As someone who has just arrived and as a balancer do, instead of listening. */
  plays: 'listeners' | 'watchers';
  listeners: number;
  /** Requests per second of all listeners together; 0 for as many as the server answers. */
  rate: number;
};
export type LoadTask = ListenTask | (Task & ReleaseTask);

export const KINDS = [
  'page',
  'api',
  'play',
  'heartbeat',
  'range',
  'new connection',
  'liveness',
] as const;
export type Kind = (typeof KINDS)[number];
export type LoadResult = {
  kinds: Record<Kind, KindResult>;
  unexpected: string[];
  seconds: number;
};
export type ClientUsage = {
  clients: {
    /** How late their event loop was in milliseconds, which adds to every time that they measure. */
    lag: { p50: number; p99: number };
    /** How many processors they used on average. */
    processors: number;
  };
};

const RANGE_BYTES = 128 * 1024;
const RANGES_PER_PLAY = 6;
const STEPS_PER_ROUND = 4 + RANGES_PER_PLAY * 1.5;
/** How long a listener who got a 503 waits; real ones wait as long as the answer says. */
const AFTER_REFUSAL_MS = 1000;
const WATCH_MS = 200;

async function listenOrWatch(task: ListenTask, site: LoadSite): Promise<LoadResult> {
  const journal = createJournal<Kind>();
  const entrance = createEntrance(task.entrance);
  const startedAt = performance.now();
  const deadline = startedAt + task.seconds * 1000;
  const isOver = () => performance.now() >= deadline;
  /** Between two requests of one listener. */
  const betweenMs = task.rate > 0 ? (task.listeners / task.rate) * 1000 : 0;

  async function ask(kind: Kind, agent: Connections | false, asked: Ask): Promise<Answer | null> {
    const at = performance.now();
    try {
      const answer = await entrance.ask(agent, asked);
      journal.add(kind, answer.status, performance.now() - at);
      if (isOk(answer.status)) return answer;
      if (answer.status !== 503 || !answer.retryAfterMs)
        journal.complain(
          kind,
          `${asked.path} answered ${answer.status} ${answer.bytes.toString().slice(0, 200)}`,
        );
    } catch (error) {
      journal.complain(kind, `${asked.path}: ${(error as Error).message}`);
    }
    return null;
  }

  const wait = async (ms: number) => {
    const left = deadline - performance.now();
    if (ms > 0 && left > 0) await pause(Math.min(ms, left));
  };

  async function listen(index: number) {
    const agent = entrance.connect();
    const cookie = roleOf(index) === 'subscriber' ? site.cookies[index] : undefined;
    const headers: Record<string, string> = {
      'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
    };
    /** As a browser keeps them: visitors get one with their first play. */
    const cookies = new Set(cookie ? [cookie] : []);
    // Not all of them open a page when the test starts.
    let skipped = Math.floor(Math.random() * STEPS_PER_ROUND);
    const step = async (kind: Kind, asked: Ask) => {
      if (isOver() || skipped-- > 0) return null;
      const answer = await ask(kind, agent, {
        ...asked,
        headers: {
          ...headers,
          ...asked.headers,
          ...(cookies.size > 0 && { cookie: [...cookies].join('; ') }),
        },
      });
      for (const set of answer?.cookies ?? []) cookies.add(set);
      await wait(answer ? betweenMs * (0.5 + Math.random()) : AFTER_REFUSAL_MS);
      return answer;
    };
    const json = { 'content-type': 'application/json' };
    await wait(Math.random() * Math.max(betweenMs, 500));
    for (let round = 0; !isOver(); round += 1) {
      const id = site.trackIds[(index * 7 + round) % site.trackIds.length];
      await step('page', { path: cookie ? '/library' : '/', headers: { accept: 'text/html' } });
      await step('api', { path: '/api/tracks?limit=20' });
      await step('api', { path: `/api/tracks/${id}` });
      const play = await step('play', { path: `/api/tracks/${id}/play`, method: 'POST' });
      const playId = play && (JSON.parse(play.bytes.toString()) as { playId: string }).playId;
      const file = `/media/tracks/${id}/${cookie ? 'stream' : 'preview'}`;
      for (let part = 0; part < RANGES_PER_PLAY && !isOver(); part += 1) {
        const start = (part * RANGE_BYTES) % FILE_SIZE;
        const range = `bytes=${start}-${start + RANGE_BYTES - 1}`;
        await step('range', { path: file, headers: { range } });
        if (playId && part % 2 === 1)
          await step('heartbeat', {
            path: `/api/plays/${playId}/heartbeat`,
            method: 'POST',
            headers: json,
            body: JSON.stringify({ secondsListened: 5 * part, position: 5 * part }),
          });
      }
    }
    agent.destroy();
  }

  async function watch(kind: Kind, path: string) {
    while (!isOver()) {
      await ask(kind, false, { path });
      await wait(WATCH_MS);
    }
  }

  await Promise.all(
    task.plays === 'watchers'
      ? [watch('new connection', '/api/version'), watch('liveness', '/healthz')]
      : Array.from({ length: task.listeners }, (_, index) => listen(index)),
  );
  return {
    kinds: Object.fromEntries(KINDS.map((kind) => [kind, journal.describe(kind)])) as Record<
      Kind,
      KindResult
    >,
    unexpected: journal.unexpected,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

const run = (task: LoadTask, site: LoadSite): Promise<LoadResult | ReleaseResult> =>
  task.plays === 'release'
    ? playRelease(task, site, createEntrance(task.entrance))
    : listenOrWatch(task, site);

const task = JSON.parse(process.argv[2] ?? '') as LoadTask;
const site = JSON.parse(await readFile(siteFile(task.folder), 'utf8')) as LoadSite;
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const result = await run(task, site);
const { user, system } = process.cpuUsage();
const clients = {
  lag: { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6 },
  processors: (user + system) / 1e6 / result.seconds,
};
process.stdout.write(JSON.stringify({ ...result, clients }));
process.disconnect?.();
