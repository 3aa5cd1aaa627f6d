import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance } from 'fastify';
import { REPORT_NAMES } from '#contract/reports.ts';
import { buildApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/migrate.ts';
import { closeDeps, createDeps } from '#server/deps.ts';
import { createSession } from '#server/http/session-store.ts';

/**
 * Every report of a site with three years behind it, on SQLite, while another request is asked for
 * all the time. Usage: node bench/reports.ts [plays] [users] [tracks] [rounds]
 */
const [PLAYS = 20_000_000, USERS = 200_000, TRACKS = 2_000, ROUNDS = 5] = process.argv
  .slice(2)
  .map(Number);
const NOW = Date.now();
const DAY = 24 * 60 * 60 * 1000;
const DAYS = 1096;
const ME = 'user-0';
/** Goals: a report within this, and nobody else kept waiting longer than that. */
const REPORT_MS = 2000;
const BLOCKED_MS = 50;

const count = (rows: number) =>
  `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${rows})`;
const dayAgo = (days: string) => `date('now', '-' || (${days}) || ' days')`;

/** Straight into the tables: what matters is how many rows lie there, not how they came. */
function fill(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off; pragma foreign_keys = off; begin');
  db.exec(`${count(TRACKS)} insert into tracks
    (id, title, year, week, description, duration_ms, chapters, status, progress,
     is_subscriber_only, publish_at, play_count, created_at, updated_at)
    select 'track-' || i, 'Mix ' || i, 2026 - i / 53, 1 + i % 52, '', 3600000, '[]', 'ready', 100,
      0, ${NOW} - ${DAY} - i * 60000, ${Math.round(PLAYS / TRACKS)}, ${NOW}, ${NOW} from n`);
  db.exec(`${count(USERS)} insert into users
    (id, username, username_key, email, email_key, password_hash, is_admin, is_demo, created_at, updated_at)
    select 'user-' || i, 'u' || i, 'u' || i, 'u' || i, 'u' || i, '', i = 0, 0, ${NOW}, ${NOW} from n`);
  const perDay = Math.max(1, Math.round(PLAYS / DAYS));
  db.exec(`${count(TRACKS * DAYS)} insert into play_days
    (day, track_id, plays, subscriber_listeners, free_listeners)
    select ${dayAgo(`i / ${TRACKS}`)}, 'track-' || (i % ${TRACKS}), ${Math.ceil(perDay / TRACKS)}, 1, 1 from n`);
  db.exec(`insert into play_months (month, track_id, plays)
    select substr(day, 1, 7), track_id, sum(plays) from play_days group by 1, 2`);
  db.exec(`${count(DAYS)} insert into site_days (day, plays, subscriber_plays, listeners)
    select ${dayAgo('i')}, ${perDay}, ${perDay} / 2, ${Math.round(USERS / 20)} from n`);
  db.exec(`${count(DAYS * 24)} insert into play_hours (day, hour, plays)
    select ${dayAgo('i / 24')}, i % 24, ${Math.ceil(perDay / 24)} from n`);
  // Every day has visitors from every day before it: no site has more rows than this.
  db.exec(`insert into listener_gaps (day, previous_day, listeners)
    select a.day, b.day, 7 from site_days a join site_days b on b.day < a.day`);
  db.exec(
    `insert into listener_gaps (day, previous_day, listeners) select day, '', 5 from site_days`,
  );
  db.exec(`${count(101 * TRACKS)} insert into mix_reach (track_id, reach, listeners)
    select 'track-' || (i / 101), i % 101, 9 from n`);
  db.exec(`${count(400 * 500)} insert or ignore into search_misses (day, query, searches)
    select ${dayAgo('i / 500')}, 'word ' || ((i * 31) % 20000), 1 + i % 4 from n`);
  db.exec(
    `insert into subscription_days (day, started, ended, mrr) select day, 40, 30, 79000 from site_days`,
  );
  db.exec(
    `insert into money_days (day, payments, charged, returned) select day, 900, 7110000, 7900 from site_days`,
  );
  db.exec(`${count(36 * 36)} insert into cohort_months (cohort, month, members)
    select substr(date('now', 'start of month', '-' || (i / 36) || ' months'), 1, 7), i % 36, 900 - 20 * (i % 36) from n`);
  db.exec(`${count(USERS)} insert into checkouts
    (reference, provider, plan, amount, renewal_amount, currency, free_days, first_charge_at, state,
     is_purchase_told, created_at, updated_at)
    select 'checkout-' || i, 'sandbox', 'monthly', 7900, 7900, 'ZAR', 0, ${NOW},
      case when i % 3 = 0 then 'paid' else 'expired' end, 1, ${NOW} - i * ${Math.floor((DAYS * DAY) / USERS)}, ${NOW} from n`);
  // Those who listen now, and as many rows before them as fill the index.
  db.exec(`${count(Math.min(PLAYS, 300_000))} insert into plays
    (id, track_id, user_id, listener, is_subscriber, started_at, heard_at, heard_ms, position_ms, is_counted)
    select 'play-' || i, 'track-' || (i % ${TRACKS}), 'user-' || (1 + i % ${USERS - 1}), 'user:' || (i % ${USERS}),
      1, ${NOW} - i * 60, ${NOW} - i * 60, 60000, 60000, 1 from n`);
  db.exec('commit; analyze');
  db.close();
}

const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);
const RANGE = `from=${toDay(NOW - (DAYS - 2) * DAY)}&to=${toDay(NOW - DAY)}`;

/** Somebody else, who asks for something small and is answered as soon as there is time. */
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

const describe = (before: number, after: number): string =>
  `${(before / 1e6).toFixed(0)} to ${(after / 1e6).toFixed(0)} MB`;

const dataDir = await mkdtemp(join(tmpdir(), 'bench-reports-'));
const deps = createDeps(parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error', DEMO_MIXES: '0' }));
try {
  await migrate(deps.database, NOW);
  fill(join(dataDir, 'database.sqlite'));
  const session = { userId: ME, userAgent: '', ip: '127.0.0.1', now: NOW };
  const cookie = `session=${await createSession(deps.database.db, session)}`;
  const app = await buildApp(deps);
  console.log(
    `${PLAYS} plays and ${USERS} members over ${DAYS} days, ${TRACKS} mixes; ` +
      `${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  const paths = [
    ...REPORT_NAMES.map((name) => `/api/admin/reports/${name}?${RANGE}`),
    ...['tracks', 'listeners'].map((name) => `/api/admin/reports/${name}.csv?${RANGE}`),
    '/api/admin/dashboard',
  ];
  // Caches are filled and code is compiled once; what grows after that is a leak.
  for (let round = 0; round < 3; round += 1)
    for (const url of paths) await measure(app, url, cookie);
  const before = measureMemory();
  for (const url of paths) {
    const runs = [];
    for (let round = 0; round < ROUNDS; round += 1) runs.push(await measure(app, url, cookie));
    const slowest = Math.max(...runs.map(({ ms }) => ms));
    const blocked = Math.max(...runs.map(({ blocked: ms }) => ms));
    const verdict = slowest <= REPORT_MS && blocked <= BLOCKED_MS ? '' : '  over the goal';
    const name = url.replace('/api/admin/', '').replace(/\?.*/, '');
    console.log(
      `${name.padEnd(24)} slowest ${slowest.toFixed(0).padStart(5)} ms (goal ${REPORT_MS})  ` +
        `blocks ${blocked.toFixed(1).padStart(5)} ms (goal ${BLOCKED_MS})${verdict}`,
    );
  }
  const after = measureMemory();
  console.log(
    `memory after ${ROUNDS} rounds of all of them: heap ${describe(before.heap, after.heap)}, ` +
      `process ${describe(before.rss, after.rss)}`,
  );
  await app.close();
} finally {
  await closeDeps(deps);
  await rm(dataDir, { recursive: true, force: true });
}
