import { readFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { FILE_SIZE, siteFile, type LoadSite } from './load-site.ts';

/**
 * Plays the listeners, in a process of its own. Each has one connection and goes round: a page, a
 * list, a mix, its play, and then ranges of its audio with heartbeats.
 */
export type LoadTask = {
  port: number;
  folder: string;
  listeners: number;
  seconds: number;
  /** Requests per second of all listeners together; 0 for as many as the server answers. */
  rate: number;
  /** Asks as someone who has just arrived and as a balancer do, instead of listening. */
  isWatching: boolean;
};

export type Kind = 'page' | 'api' | 'play' | 'heartbeat' | 'range' | 'new connection' | 'liveness';
export type KindResult = {
  statuses: Record<string, number>;
  p50: number;
  p99: number;
  max: number;
};
export type LoadResult = { kinds: Record<Kind, KindResult>; unexpected: string[]; seconds: number };

const KINDS: Kind[] = ['page', 'api', 'play', 'heartbeat', 'range', 'new connection', 'liveness'];
const TIMEOUT_MS = 60_000;
const RANGE_BYTES = 128 * 1024;
const RANGES_PER_PLAY = 6;
const STEPS_PER_ROUND = 4 + RANGES_PER_PLAY * 1.5;
const MEMBER_SHARE = 0.6;
/** How long a listener who got a 503 waits; real ones wait as long as the answer says. */
const AFTER_REFUSAL_MS = 1000;
const WATCH_MS = 200;
const MAX_UNEXPECTED = 20;

type Ask = {
  path: string;
  method?: 'POST';
  headers?: Record<string, string>;
  body?: string;
};
type Answer = { status: number; text: string; cookies: string[] };

const OK = new Set([200, 201, 204, 206, 304]);

function createJournal() {
  const times = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  const statuses = new Map<Kind, Record<string, number>>(KINDS.map((kind) => [kind, {}]));
  const unexpected: string[] = [];
  const note = (kind: Kind, status: string) => {
    const counts = statuses.get(kind) ?? {};
    counts[status] = (counts[status] ?? 0) + 1;
  };
  const at = (sorted: readonly number[], share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    add: (kind: Kind, status: number, ms: number) => {
      note(kind, String(status));
      // A refusal is quick and would make the others look quicker than they are.
      if (OK.has(status)) times.get(kind)?.push(ms);
    },
    complain: (kind: Kind, problem: string) => {
      note(kind, 'failed');
      if (unexpected.length < MAX_UNEXPECTED) unexpected.push(`${kind}: ${problem}`);
    },
    result: (seconds: number): LoadResult => {
      const kinds = Object.fromEntries(
        KINDS.map((kind) => {
          const sorted = (times.get(kind) ?? []).toSorted((a, b) => a - b);
          const figures = { p50: at(sorted, 0.5), p99: at(sorted, 0.99), max: at(sorted, 1) };
          return [kind, { statuses: statuses.get(kind) ?? {}, ...figures }];
        }),
      ) as Record<Kind, KindResult>;
      return { kinds, unexpected, seconds };
    },
  };
}

function send(port: number, agent: Agent | false, { path, method, headers, body }: Ask) {
  return new Promise<Answer & { retryAfter: string | undefined }>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, agent, path, method: method ?? 'GET', headers: { ...headers } },
      (response: IncomingMessage) => {
        let text = '';
        const isText = response.headers['content-type']?.includes('json');
        response.on('data', (chunk: Buffer) => {
          if (isText) text += chunk.toString();
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            cookies: (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? ''),
            retryAfter: response.headers['retry-after'],
          }),
        );
        response.on('error', reject);
      },
    );
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('no answer within 60 s')));
    sent.on('error', reject);
    sent.end(body);
  });
}

async function run(task: LoadTask, site: LoadSite): Promise<LoadResult> {
  const journal = createJournal();
  const startedAt = performance.now();
  const deadline = startedAt + task.seconds * 1000;
  const isOver = () => performance.now() >= deadline;
  /** Between two requests of one listener. */
  const betweenMs = task.rate > 0 ? (task.listeners / task.rate) * 1000 : 0;

  async function ask(kind: Kind, agent: Agent | false, asked: Ask): Promise<Answer | null> {
    const at = performance.now();
    try {
      const answer = await send(task.port, agent, asked);
      journal.add(kind, answer.status, performance.now() - at);
      if (OK.has(answer.status)) return answer;
      if (answer.status !== 503 || !answer.retryAfter)
        journal.complain(
          kind,
          `${asked.path} answered ${answer.status} ${answer.text.slice(0, 200)}`,
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
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const cookie = index % 10 < MEMBER_SHARE * 10 ? site.cookies[index] : undefined;
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
      const playId = play && (JSON.parse(play.text) as { playId: string }).playId;
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
    task.isWatching
      ? [watch('new connection', '/api/version'), watch('liveness', '/healthz')]
      : Array.from({ length: task.listeners }, (_, index) => listen(index)),
  );
  return journal.result((performance.now() - startedAt) / 1000);
}

const task = JSON.parse(process.argv[2] ?? '') as LoadTask;
const site = JSON.parse(await readFile(siteFile(task.folder), 'utf8')) as LoadSite;
process.stdout.write(JSON.stringify(await run(task, site)));
