import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import type { FastifyInstance } from 'fastify';
import { DAY, HOUR } from '#contract/rules/time.ts';
import { buildApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps } from '#server/deps.ts';
import { createSession } from '#server/features/sessions/service.ts';
import { addUpUsage } from '#server/features/usage/jobs.ts';
import { buildLines } from '#server/features/usage-reports/build-lines.ts';

/**
 * A quarter of a site with a million plays: adding it up, the lines of its report, and what a heartbeat
 * takes on a site without and with the figures, and while they are added up. On SQLite.
 * Usage: node bench/rights.ts [plays] [tracks] [entries]
 */
const [PLAYS = 1_000_000, TRACKS = 500, ENTRIES = 20] = process.argv.slice(2).map(Number);
const DAYS = 92;
const HEARTBEATS = 200;
const ROUNDS = 10;
const LENGTH_MS = HOUR;
/** Goals. */
const QUARTER_MS = 10_000;
const HEARTBEAT_RATIO = 1.1;
const BLOCKED_MS = 50;

type Deps = Awaited<ReturnType<typeof createDeps>>;

/** Inserts rows directly, because only their number matters. */
function fill(file: string, now: number) {
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off; pragma foreign_keys = off; pragma temp_store = memory');
  const count = (rows: number) =>
    `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${rows})`;
  const chapters = JSON.stringify(
    Array.from({ length: ENTRIES }, (_, index) => ({
      at: Math.round((index * LENGTH_MS) / 1000 / ENTRIES),
      title: `Track ${index}`,
      artist: 'Artist',
    })),
  );
  db.exec(`begin;
    ${count(TRACKS)} insert into tracks
      (id, title, year, week, description, duration_ms, chapters, status, progress,
       is_subscriber_only, publish_at, play_count, created_at, updated_at)
      select 'track-' || i, 'Mix ' || i, 2026 - i / 52, 1 + i % 52, '', ${LENGTH_MS}, '${chapters}',
        'ready', 100, 0, ${now} - ${100 * DAY}, 0, ${now}, ${now} from n;
    ${count(2)} insert into users
      (id, username, username_key, email, email_key, password_hash, is_admin, paid_through,
       created_at, updated_at)
      select 'user-' || i, 'u' || i, 'u' || i, 'u' || i || '@example.com', 'u' || i || '@example.com',
        '', 0, ${now} + ${30 * DAY}, ${now}, ${now} from n;
    ${count(PLAYS)}, p as (select i, ${now} - ${(DAYS + 3) * DAY} + cast(i * ${(DAYS * DAY) / PLAYS} as integer) as at,
        (i * 7919 + (i / 31) * 104729) % ${TRACKS} as t, 60000 + (i * 48271) % 1800000 as heard from n)
      insert into plays (id, track_id, user_id, listener_key, is_subscriber, started_at, listened_at,
        listened_ms, position_ms, is_counted, counted_at, source)
      select printf('p%09d', i), 'track-' || t, null, 'visitor:' || (i % 20000), i % 4 > 0, at, at + heard,
        heard, min(${LENGTH_MS}, heard + (i * 16807) % 1800000), 1, at,
        case when i % 20 = 0 then 'subsonic' end from p;
    commit; analyze; pragma wal_checkpoint(truncate)`);
  db.close();
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** The time of each heartbeat of one play, until there are enough or the signal says so. */
async function sendHeartbeats(
  app: FastifyInstance,
  cookie: string,
  isEnough: (sent: number) => boolean,
): Promise<number[]> {
  const headers = { cookie };
  const started = await app.inject({ method: 'POST', url: '/api/tracks/track-1/play', headers });
  const { playId } = started.json<{ playId: string }>();
  const times: number[] = [];
  while (!isEnough(times.length)) {
    const start = performance.now();
    const { statusCode } = await app.inject({
      method: 'POST',
      url: `/api/plays/${playId}/heartbeat`,
      headers,
      payload: { secondsListened: 1, position: times.length % 3000 },
    });
    times.push(performance.now() - start);
    if (statusCode !== 204) throw new Error(`A heartbeat was answered with ${statusCode}.`);
  }
  return times;
}

const addUp = async (deps: Deps) => {
  const { signal } = new AbortController();
  type Job = Parameters<typeof addUpUsage.execute>[2];
  for (let run = 0; run < Math.ceil((DAYS + 1) / 31); run += 1)
    await addUpUsage.execute(deps, '{}', { signal } as Job);
};

const verdict = (isMet: boolean) => (isMet ? '' : '  over the goal');

async function open(dataDir: string, now: number) {
  const config = parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error', DEMO_MIXES: '0' });
  const deps = await createDeps(config, { clock: { now: () => now } });
  const app = await buildApp(deps);
  const user = { id: 'user-1', is_admin: 0, is_helper: 0 } as const;
  const session = { user, userAgent: '', ip: '127.0.0.1', now };
  const cookie = `session=${await createSession(deps.database.db, session)}`;
  const close = async () => {
    await app.close();
    await closeDeps(deps);
  };
  return {
    deps,
    close,
    beat: (isEnough: (sent: number) => boolean) => sendHeartbeats(app, cookie, isEnough),
  };
}

/** Takes turns, so that both sites have the same machine. */
async function compareHeartbeats(sites: readonly Awaited<ReturnType<typeof open>>[]) {
  const times = sites.map((): number[] => []);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (let round = 0; round < ROUNDS + 1; round += 1)
    for (const [index, { beat }] of sites.entries()) {
      const sent = await beat((count) => count >= HEARTBEATS);
      // The first round compiles the code.
      if (round > 0) times[index]?.push(...sent);
    }
  delay.disable();
  return { medians: times.map(median), blocked: delay.max / 1e6 };
}

/** While it is added up, another client keeps sending heartbeats. */
async function addUpBesideRequests({ deps, beat }: Awaited<ReturnType<typeof open>>) {
  let isAdding = true;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await wait(20);
  delay.enable();
  const start = performance.now();
  const adding = addUp(deps).finally(() => (isAdding = false));
  const times = await beat(() => !isAdding);
  await adding;
  const ms = performance.now() - start;
  await wait(20);
  delay.disable();
  return { ms, times, blocked: delay.max / 1e6 };
}

const folder = await mkdtemp(join(tmpdir(), 'bench-rights-'));
const [emptyDir, filledDir] = [join(folder, 'empty'), join(folder, 'filled')];
const now = Date.now();
const config = parseConfig({ DATA_DIR: emptyDir, LOG_LEVEL: 'error', DEMO_MIXES: '0' });
await mkdir(emptyDir);
const first = await createDeps(config);
await migrate(first.database, now);
await closeDeps(first);
fill(join(config.dataDir, 'database.sqlite'), now);
await cp(emptyDir, filledDir, { recursive: true });
const [empty, filled] = [await open(emptyDir, now), await open(filledDir, now)];
console.log(
  `${PLAYS} plays in ${DAYS} days, ${TRACKS} mixes of ${ENTRIES} entries; ` +
    `${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
);

const alone = performance.now();
await addUp(filled.deps);
const aloneMs = performance.now() - alone;
console.log(`a day added up: ${(aloneMs / DAYS / 1000).toFixed(3)} s`);
console.log(`the quarter added up: ${(aloneMs / 1000).toFixed(1)} s`);

const reading = performance.now();
const { lines, totals } = await buildLines(
  filled.deps.database.db,
  { from: '0000', to: '9999' },
  config.timeZone,
);
const readMs = performance.now() - reading;
console.log(
  `the lines of its report: ${(readMs / 1000).toFixed(2)} s for ${lines.length} lines and ` +
    `${totals.heard.full.plays} full plays of mixes, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB ` +
    `(goal ${QUARTER_MS / 1000} s)${verdict(readMs <= QUARTER_MS)}`,
);

const usual = await compareHeartbeats([empty, filled]);
const [before = 0, after = 0] = usual.medians;
const ratio = after / before;
console.log(
  `a heartbeat: ${before.toFixed(2)} ms before, ${after.toFixed(2)} ms after, ratio ` +
    `${ratio.toFixed(2)} (goal ${HEARTBEAT_RATIO})${verdict(ratio <= HEARTBEAT_RATIO)}`,
);

const { ms, times, blocked } = await addUpBesideRequests(empty);
console.log(
  `while the quarter is added up (${(ms / 1000).toFixed(0)} s): ${median(times).toFixed(2)} ms, at most ` +
    `${Math.max(...times).toFixed(0)} ms; blocks ${blocked.toFixed(0)} ms, and ${usual.blocked.toFixed(0)} ms without (goal ${BLOCKED_MS})` +
    verdict(blocked <= Math.max(BLOCKED_MS, usual.blocked)),
);
await empty.close();
await filled.close();
await rm(folder, { recursive: true, force: true });
