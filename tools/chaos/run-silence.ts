import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { closeDeps } from '#server/deps.ts';
import { createPerson } from '#server/testing/access/people.ts';
import { findFreePort } from '../testing/free-port.ts';
import type { TestPostgres } from '../testing/find-postgres.ts';
import { createDurableDatabase } from './durable-database.ts';
import { startLineProxy } from './line-proxy.ts';
import { openSite, prepare, throughProxy, toProxyTarget } from './run-chaos.ts';
import { createSiteProcesses } from './site-processes.ts';

/**
 * - `frozen`: every process of PostgreSQL is stopped, as on a machine that hangs.
 * - `unreachable`: bytes wait on every line, and nobody answers on new ones.
 * - `forgotten`: lines go silent for good, and new ones work, as when a firewall forgets them.
 * - `locked`: another program has the write lock of SQLite.
 */
export const SILENCES = ['frozen', 'unreachable', 'forgotten', 'locked'] as const;
export type Silence = (typeof SILENCES)[number];

export type SilenceResult = {
  /** In milliseconds, of all kinds of requests together. */
  p50: number;
  p99: number;
  max: number;
  /** How many answers each kind of request got with each status, and its slowest one. */
  kinds: Map<string, { statuses: Map<string, number>; max: number }>;
  unanswered: string[];
  /** From the end of the silence until a member reads and writes again, in milliseconds. */
  healedMs: number | null;
};

const EVERY_MS = 500;
const PATIENCE_MS = 90_000;
const HEALING_MS = 60_000;

type Ask = { method?: 'POST'; path: string; headers?: Record<string, string>; body?: string };

/** One of every kind that people, apps and providers send. */
function listKinds(site: Awaited<ReturnType<typeof prepare>>, member: string) {
  const [id = ''] = site.trackIds;
  const json = { 'content-type': 'application/json' };
  const page = { accept: 'text/html', 'sec-fetch-mode': 'navigate' };
  const audio = { range: 'bytes=1000-2000' };
  return {
    'page of a visitor': { path: '/', headers: page },
    'page of a member': { path: '/library', headers: { ...page, cookie: member } },
    'admin page': { path: '/admin/tracks', headers: { ...page, cookie: site.admin } },
    'list of a visitor': { path: '/api/tracks' },
    'list of a member': { path: '/api/favorites', headers: { cookie: member } },
    write: { method: 'POST', path: `/api/tracks/${id}/favorite`, headers: { cookie: member } },
    mix: { path: `/media/tracks/${id}/stream`, headers: { ...audio, cookie: member } },
    preview: { path: `/media/tracks/${id}/preview`, headers: audio },
    'open page': { path: '/api/live', headers: { cookie: member } },
    heartbeat: {
      method: 'POST',
      path: '/api/plays/unknown/heartbeat',
      headers: { ...json, cookie: member },
      body: '{"secondsListened":1,"position":1}',
    },
    'begun upload': {
      method: 'POST',
      path: '/api/admin/uploads',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '1000',
        'upload-metadata': `filename ${Buffer.from('mix.flac').toString('base64')}`,
        cookie: site.admin,
      },
    },
    'link of a download': {
      method: 'POST',
      path: `/api/tracks/${id}/download`,
      headers: { ...json, cookie: member },
      body: '{"format":"mp3"}',
    },
    'admin export': { path: '/api/admin/subscribers.csv', headers: { cookie: site.admin } },
    webhook: {
      method: 'POST',
      path: '/api/webhooks/paystack',
      headers: json,
      body: '{"event":"charge.success","data":{"reference":"unknown"}}',
    },
    login: {
      method: 'POST',
      path: '/api/auth/login',
      headers: json,
      body: '{"username":"nobody","password":"correct horse"}',
    },
    feed: { path: '/feed.xml' },
    'music app': { path: '/rest/ping?u=nobody&p=nothing&v=1.16.1&c=chaos&f=json' },
    health: { path: '/api/health' },
    liveness: { path: '/healthz' },
  } satisfies Record<string, Ask>;
}

/** Resolves to the status of the answer once all of it is here; null if there is none. */
function ask(port: number, agent: Agent, asked: Ask): Promise<number | null> {
  const part = () => 1 + Math.floor(Math.random() * 250);
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        path: asked.path,
        method: asked.method ?? 'GET',
        headers: {
          // One proxy is trusted here, so everyone has an address of their own.
          'x-forwarded-for': `10.${part()}.${part()}.${part()}`,
          ...asked.headers,
        },
      },
      (response) => {
        // A page that stays open for changes would never end.
        if (asked.path === '/api/live') {
          resolve(response.statusCode ?? null);
          response.destroy();
        }
        response.resume();
        response.on('close', () =>
          resolve(response.complete ? (response.statusCode ?? null) : null),
        );
      },
    );
    sent.setTimeout(PATIENCE_MS, () => sent.destroy());
    sent.on('error', () => resolve(null));
    sent.end(asked.body);
  });
}

const at = (sorted: readonly number[], share: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

type Measured = { kind: string; status: number | null; ms: number };

function summarize(answers: readonly Measured[], healedMs: number | null): SilenceResult {
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const kinds: SilenceResult['kinds'] = new Map();
  for (const [kind, all] of Map.groupBy(answers, (answer) => answer.kind)) {
    const statuses = Map.groupBy(all, ({ status }) => String(status ?? 'none'));
    kinds.set(kind, {
      statuses: new Map([...statuses].map(([status, { length }]) => [status, length])),
      max: Math.round(Math.max(...all.map(({ ms }) => ms))),
    });
  }
  return {
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    max: at(times, 1),
    kinds,
    unanswered: answers.filter(({ status }) => status === null).map(({ kind }) => kind),
    healedMs,
  };
}

type Switch = { on: () => void | Promise<void>; off: () => void | Promise<void> };

function lockSqlite(file: string): Switch {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  return {
    on: () => database.exec('begin immediate'),
    off: () => {
      database.exec('rollback');
      database.close();
    },
  };
}

/** Asks a site of its own all the time while its database is silent, and until it works again. */
export async function measureSilence(
  silence: Silence,
  seconds: number,
  postgres: TestPostgres | null,
): Promise<SilenceResult> {
  const folder = await mkdtemp(join(tmpdir(), 'silence-'));
  const databaseUrl = postgres && (await createDurableDatabase(postgres));
  const proxy = databaseUrl === null ? null : await startLineProxy(toProxyTarget(databaseUrl));
  const port = await findFreePort();
  const direct: Record<string, string> = {
    PORT: String(port),
    APP_ORIGIN: `http://127.0.0.1:${port}`,
    DATA_DIR: join(folder, 'data'),
    TRUST_PROXY: '1',
    LOG_LEVEL: 'fatal',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const env = {
    ...direct,
    ...(databaseUrl && proxy && { DATABASE_URL: throughProxy(databaseUrl, proxy.port) }),
  };
  const ended: string[] = [];
  const processes = createSiteProcesses({ server: { file: 'server/main.ts', env } }, (_name, how) =>
    ended.push(how),
  );
  const agent = new Agent({ keepAlive: true });
  const waitUntil = async (isTrue: () => Promise<boolean>) => {
    const start = performance.now();
    while (performance.now() - start < HEALING_MS) {
      if (await isTrue()) return performance.now() - start;
      await pause(100);
    }
    return null;
  };
  try {
    const site = await prepare(direct);
    const deps = await openSite(direct);
    const member = (await createPerson(deps, 'subscriber')).cookie;
    await closeDeps(deps);
    const kinds = Object.entries(listKinds(site, member)) as [string, Ask][];
    const checks = kinds.filter(([kind]) => kind === 'list of a member' || kind === 'write');
    const works = async () => {
      const statuses = await Promise.all(checks.map(([, asked]) => ask(port, agent, asked)));
      return statuses.join() === '200,204';
    };
    processes.start('server');
    if ((await waitUntil(works)) === null) throw new Error('The site did not start.');
    for (const [, asked] of kinds) await ask(port, agent, asked);

    const fault = {
      frozen: () => ({ on: () => postgres?.freeze?.(true), off: () => postgres?.freeze?.(false) }),
      unreachable: () => ({ on: () => proxy?.freeze(), off: () => proxy?.thaw() }),
      forgotten: () => ({ on: () => proxy?.abandon(), off: () => undefined }),
      locked: () => lockSqlite(join(direct.DATA_DIR ?? '', 'database.sqlite')),
    }[silence]();
    const answers: Promise<Measured>[] = [];
    const send = async (kind: string, asked: Ask): Promise<Measured> => {
      const start = performance.now();
      const status = await ask(port, agent, asked);
      return { kind, status, ms: performance.now() - start };
    };
    await fault.on();
    const start = performance.now();
    while (performance.now() - start < seconds * 1000)
      for (const [kind, asked] of kinds) {
        answers.push(send(kind, asked));
        await pause(EVERY_MS / kinds.length);
      }
    await fault.off();
    const healedMs = await waitUntil(works);
    if (ended.length > 0) throw new Error(`The server ended by itself (${ended.join()}).`);
    return summarize(await Promise.all(answers), healedMs);
  } finally {
    agent.destroy();
    processes.killAll();
    proxy?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export const describeSilence = (
  silence: Silence,
  { p50, p99, max, kinds, unanswered, healedMs }: SilenceResult,
): string[] => [
  `${silence}: answers p50 ${p50} ms, p99 ${p99} ms, max ${max} ms; ${unanswered.length} without an answer; healed after ${healedMs === null ? 'never' : `${Math.round(healedMs)} ms`}`,
  ...[...kinds].map(
    ([kind, { statuses, max: slowest }]) =>
      `  ${kind}: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}, max ${slowest} ms`,
  ),
];
