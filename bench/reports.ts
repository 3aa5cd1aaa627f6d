import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance } from 'fastify';
import { reportNames } from '#contract/admin/report-groups.ts';
import type { Report } from '#contract/admin/reports.ts';
import { buildApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps } from '#server/deps.ts';
import { createSession } from '#server/features/sessions/service.ts';
import { fillSite } from './reports-site.ts';
import { DAY } from '#contract/rules/time.ts';

/**
 * Every report of a site with three years of data, and every list behind its figures, on SQLite,
 * while another client keeps sending small requests.
 * Usage: node bench/reports.ts [plays] [users] [tracks] [rounds] [--data <folder>] [--seed]
 * With --data the site is created once in that folder and stays there; --seed only creates it.
 */
const { values: flags, positionals } = parseArgs({
  options: { data: { type: 'string' }, seed: { type: 'boolean' } },
  allowPositionals: true,
});
const [PLAYS = 20_000_000, USERS = 200_000, TRACKS = 2_000, ROUNDS = 5] = positionals.map(Number);
const DAYS = 1096;
const ME = 'user-0';
/** Goals for a report, and for the wait of other requests. */
const REPORT_MS = 2000;
const BLOCKED_MS = 50;

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Another client, which sends small requests. */
async function askOften(app: FastifyInstance, signal: AbortSignal): Promise<number> {
  let asked = 0;
  while (!signal.aborted) {
    await app.inject({ url: '/api/version' });
    asked += 1;
    await wait(5);
  }
  return asked;
}

async function measure(app: FastifyInstance, url: string, cookie: string) {
  const others = new AbortController();
  const asking = askOften(app, others.signal);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await wait(20);
  delay.enable();
  const start = performance.now();
  const response = await app.inject({ url, headers: { cookie } });
  const ms = performance.now() - start;
  await wait(5);
  delay.disable();
  others.abort();
  await asking;
  if (response.statusCode !== 200)
    throw new Error(`${url}: ${response.statusCode} ${response.body}`);
  return { ms, blocked: delay.max / 1e6 };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function measureMemory() {
  collect();
  const { heapUsed: heap, rss } = process.memoryUsage();
  return { heap, rss };
}

type Deps = Awaited<ReturnType<typeof createDeps>>;

/** The longest possible period: each report as a page and as a file, and the lists behind its figures. */
async function listPaths(app: FastifyInstance, cookie: string, now: number): Promise<string[]> {
  const range = `from=${toDay(now - (DAYS - 2) * DAY)}&to=${toDay(now - DAY)}`;
  const lists: string[] = [];
  for (const name of reportNames) {
    const url = `/api/admin/reports/${name}?${range}`;
    const { figures } = (await app.inject({ url, headers: { cookie } })).json<Report>();
    const listed = figures.filter(({ href }) => href?.startsWith('/admin/reports/list'));
    lists.push(...listed.map(({ key }) => `/api/admin/reports/${name}/${key}?${range}`));
  }
  return [
    ...reportNames.map((name) => `/api/admin/reports/${name}?${range}`),
    ...['tracks', 'listeners'].map((name) => `/api/admin/reports/${name}.csv?${range}`),
    ...lists,
    '/api/admin/week',
    '/api/admin/subscribers?q=no-such-name',
  ];
}

async function measureAll(deps: Deps, now: number) {
  const user = { id: ME, is_admin: 1, is_helper: 0 } as const;
  const session = { user, userAgent: '', ip: '127.0.0.1', now };
  const cookie = `session=${await createSession(deps.database.db, session)}`;
  const app = await buildApp(deps);
  console.log(
    `${PLAYS} plays and ${USERS} users over ${DAYS} days, ${TRACKS} tracks; ` +
      `${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  const paths = await listPaths(app, cookie, now);
  // Caches fill and code compiles once; growth after that is a leak.
  for (let round = 0; round < 2; round += 1)
    for (const url of paths) await measure(app, url, cookie);
  const memory = [measureMemory()];
  const runsOf = new Map(paths.map((url) => [url, [] as { ms: number; blocked: number }[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [url, runs] of runsOf) runs.push(await measure(app, url, cookie));
    memory.push(measureMemory());
  }
  for (const [url, runs] of runsOf) {
    const slowest = Math.max(...runs.map(({ ms }) => ms));
    const blocked = Math.max(...runs.map(({ blocked: ms }) => ms));
    const verdict = slowest <= REPORT_MS && blocked <= BLOCKED_MS ? '' : '  over the goal';
    const name = url.replace('/api/admin/', '').replace(/\?.*/, '');
    console.log(
      `${name.padEnd(28)} slowest ${slowest.toFixed(0).padStart(5)} ms (goal ${REPORT_MS})  ` +
        `blocks ${blocked.toFixed(1).padStart(5)} ms (goal ${BLOCKED_MS})${verdict}`,
    );
  }
  const list = (key: 'heap' | 'rss') => memory.map((at) => (at[key] / 1e6).toFixed(0)).join(', ');
  console.log(
    `memory before and after each of ${ROUNDS} rounds, in MB: heap ${list('heap')}; process ${list('rss')}`,
  );
  await app.close();
}

const dataDir = flags.data ?? (await mkdtemp(join(tmpdir(), 'bench-reports-')));
await mkdir(dataDir, { recursive: true });
const config = parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error', DEMO_MIXES: '0' });
const first = await createDeps(config);
await migrate(first.database, Date.now());
await closeDeps(first);
const size = { plays: PLAYS, users: USERS, tracks: TRACKS, days: DAYS };
const madeAt = fillSite(join(config.dataDir, 'database.sqlite'), size);
if (!flags.seed) {
  // The clock shows the time up to which the site has data, so that its listeners are active.
  const deps = await createDeps(config, { clock: { now: () => madeAt } });
  await measureAll(deps, madeAt).finally(() => closeDeps(deps));
}
if (!flags.data) await rm(dataDir, { recursive: true, force: true });
