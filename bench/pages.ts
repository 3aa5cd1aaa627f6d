import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps, type Deps } from '#server/deps.ts';
import { updateCharts } from '#server/features/charts/jobs.ts';
import { indexTrack } from '#server/features/search/service.ts';
import { createSession } from '#server/features/sessions/service.ts';
import { DAY } from '#contract/rules/time.ts';

/**
 * The requests of the pages on a large site, compared with a site of a tenth of the size, alternating
 * in one run, on SQLite. Usage: node bench/pages.ts [tracks] [users] [plays] [calls]
 */
const [TRACKS = 50_000, USERS = 200_000, PLAYS = 20_000_000, CALLS = 300] = process.argv
  .slice(2)
  .map(Number);
/** They follow the typing. */
const SUGGESTIONS_MS = 10;
const NOW = Date.now();
const ME = 'user-7';
const DAYS = 365;

const count = (rows: number) =>
  `with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${rows})`;

/** Inserts rows directly, because only their number matters. */
function fill(file: string, { tracks, users, plays }: Size): void {
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off; pragma foreign_keys = off; begin');
  db.exec(`${count(tracks)} insert into tracks
    (id, title, year, week, description, genre, bpm, duration_ms, chapters, status, progress,
     is_subscriber_only, publish_at, play_count, created_at, updated_at)
    select 'track-' || i, 'Mix ' || i || ' ' || substr('GoldenHarbourSirensMangoVelvetLantern', 1 + i % 30, 7),
      2026 - i / ${Math.ceil(tracks / 20)}, 1 + i % 46, 'Recorded at walking pace, take ' || (i % 900),
      substr('Amapiano  Gqom      Deep HouseKwaito    Techno    ', 1 + 10 * (i % 5), 10), 113, 3600000,
      '[{"at":0,"title":"Intro ' || (i % 700) || '","artist":"Relay Room"}]', 'ready', 100,
      0, ${NOW} - ${DAY} - i * 60000, ${Math.round(plays / tracks)}, ${NOW}, ${NOW} from n`);
  db.exec('update tracks set genre = trim(genre)');
  for (const name of ['stream', 'dataSaver', 'preview', 'mp3'])
    db.exec(`${count(tracks)} insert into renditions (track_id, name, key, size, media_type)
      select 'track-' || i, '${name}', 'tracks/' || i || '-${name}', 1000, 'audio/mpeg' from n`);
  db.exec(`${count(users)} insert into users
    (id, username, username_key, email, email_key, password_hash, is_admin, paid_through,
     created_at, updated_at)
    select 'user-' || i, 'u' || i, 'u' || i, 'u' || i, 'u' || i, '', 0, ${NOW} + ${DAY}, ${NOW}, ${NOW}
    from n`);
  for (const [table, columns, values] of [
    ['favorites', 'created_at', `${NOW} - i`],
    [
      'progress',
      'position_ms, listened_ms, is_finished, last_listened_at',
      `60000, 900000, i % 2, ${NOW} - i`,
    ],
  ])
    db.exec(`${count(users * 10)} insert or ignore into ${table} (user_id, track_id, ${columns})
      select 'user-' || (i / 10), 'track-' || ((i * 7919) % ${tracks}), ${values} from n`);
  db.exec(`${count(100)} insert or ignore into favorites (user_id, track_id, created_at)
    select '${ME}', 'track-' || i, ${NOW} - i from n`);
  const perDay = Math.max(1, Math.round(tracks / 10));
  db.exec(`${count(perDay * DAYS)} insert or ignore into play_days
    (day, track_id, plays, subscriber_listeners, free_listeners)
    select date('now', '-' || (i / ${perDay}) || ' days'), 'track-' || ((i * 31) % ${tracks}),
      ${Math.ceil(plays / (perDay * DAYS))}, 1 + i % 9, i % 13 from n`);
  db.exec('commit; analyze');
  db.close();
}

type Size = { tracks: number; users: number; plays: number };
type Site = { app: FastifyInstance; deps: Deps; cookie: string; dataDir: string; size: Size };

async function openSite(size: Size): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-pages-'));
  const config = parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error', DEMO_MIXES: '0' });
  const deps = await createDeps(config);
  const { database } = deps;
  await migrate(database, NOW);
  fill(join(config.dataDir, 'database.sqlite'), size);
  const rows = await database.db.selectFrom('tracks').selectAll().execute();
  for (let at = 0; at < rows.length; at += 500)
    await database.db.transaction().execute(async (tx) => {
      for (const row of rows.slice(at, at + 500)) await indexTrack(tx, database.dialect, row);
    });
  const job = { id: '', attempt: 1, maxAttempts: 1, finish: () => Promise.resolve() };
  await updateCharts.execute(deps, '{}', { ...job, signal: new AbortController().signal });
  const user = { id: ME, is_admin: 0, is_helper: 0 } as const;
  const session = { user, userAgent: '', ip: '127.0.0.1', now: NOW };
  const cookie = `session=${await createSession(database.db, session)}`;
  return { app: await buildApp(deps), deps, cookie, dataDir, size };
}

const words = ['golden', 'harbor', 'mango', 'sirens', 'w12', 'velvt', 'lan', 'mix 42', 'techno'];

/** The URL of the `n`th call on a site of this size. */
const PAGES: Record<string, (n: number, size: Size) => string> = {
  'Home: the newest': () => '/api/tracks?limit=7',
  'Home: the year': () => '/api/tracks?year=2026&limit=100',
  'Track page': (n, { tracks }) => `/api/tracks/track-${(n * 7919) % tracks}`,
  Chart: () => '/api/top-20',
  Favorites: () => '/api/favorites',
  'Recently played': () => '/api/history',
  Search: (n) => `/api/tracks/search?q=${encodeURIComponent(words[n % words.length] ?? '')}`,
  Suggestions: (n) => `/api/tracks/suggest?q=${encodeURIComponent(words[n % words.length] ?? '')}`,
};

async function time({ app, cookie, size }: Site, page: string, n: number): Promise<number> {
  const url = PAGES[page]?.(n, size) ?? '/';
  const start = performance.now();
  const response = await app.inject({ url, headers: { cookie } });
  const ms = performance.now() - start;
  if (response.statusCode !== 200)
    throw new Error(`${url}: ${response.statusCode} ${response.body}`);
  return ms;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

async function measure(page: string, large: Site, small: Site): Promise<void> {
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < CALLS + 30; n += 1) {
    const pair = [await time(large, page, n), await time(small, page, n)] as const;
    if (n >= 30) pair.forEach((ms, i) => times[i as 0 | 1].push(ms));
  }
  const [big, tenth] = times.map((list) => list.toSorted((a, b) => a - b)) as [number[], number[]];
  const limit = page === 'Suggestions' ? ` (goal < ${SUGGESTIONS_MS} ms)` : '';
  const [p50, p99, before] = [at(big, 0.5), at(big, 0.99), at(tenth, 0.5)];
  console.log(
    `${page.padEnd(18)} p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms${limit}  ` +
      `p99/p50 ${(p99 / p50).toFixed(2)} (goal < 5)  against a tenth ${(p50 / before).toFixed(2)} (goal ≤ 1.3)`,
  );
}

console.log(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
const large = await openSite({ tracks: TRACKS, users: USERS, plays: PLAYS });
const small = await openSite({ tracks: TRACKS / 10, users: USERS / 10, plays: PLAYS / 10 });
console.log(`${TRACKS} tracks, ${USERS} users, ${PLAYS} plays rolled up; load ${loadavg()[0]}`);
try {
  for (const page of Object.keys(PAGES)) await measure(page, large, small);
} finally {
  for (const site of [large, small]) {
    await site.app.close();
    await closeDeps(site.deps);
    await rm(site.dataDir, { recursive: true, force: true });
  }
}
