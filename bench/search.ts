import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '#server/app.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps } from '#server/deps.ts';
import { searchIndexFor } from '#server/features/search/search-index.ts';
import { inventCatalogue, inventQueries, writeCatalogue } from './search-catalogue.ts';

/**
 * Suggestions and searches as people type them, on SQLite, with a catalogue and with a tenth of it
 * in the same run. Usage: node bench/search.ts [tracks] [queries]
 */
const [TRACKS = 50_000, QUERIES = 1500] = process.argv.slice(2).map(Number);
const LIMIT_MS = 10;

type Spread = { p50: number; p99: number };
type Figures = Spread & { worst: string };

function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

async function measure(
  app: Awaited<ReturnType<typeof buildApp>>,
  path: string,
  queries: readonly string[],
): Promise<Figures> {
  const times: { q: string; ms: number }[] = [];
  for (const q of queries) {
    const start = performance.now();
    const answer = await app.inject({ url: path, query: { q } });
    times.push({ q, ms: performance.now() - start });
    if (answer.statusCode !== 200) throw new Error(`${path} ${q}: ${answer.body}`);
  }
  const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
  return {
    ...spreadOf(times.map(({ ms }) => ms)),
    worst: slowest.map(({ q, ms }) => `${q} ${ms.toFixed(1)}`).join(', '),
  };
}

const describe = ({ p50, p99 }: Spread): string =>
  `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ratio ${(p99 / p50).toFixed(1)}`;

async function run(size: number): Promise<Record<'suggest' | 'search', Figures>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-search-'));
  const deps = await createDeps(parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }));
  try {
    await migrate(deps.database, 0);
    const tracks = [...inventCatalogue(size)];
    const start = performance.now();
    await writeCatalogue(deps.database, tracks);
    const each = (performance.now() - start) / size;
    // As after the nightly job.
    const index = searchIndexFor(deps.database.dialect);
    await index.compact(deps.database.db, new AbortController().signal);
    const app = await buildApp(deps);
    const queries = inventQueries(tracks, QUERIES);
    await measure(app, '/api/tracks/suggest', queries.slice(0, 200));
    const figures = {
      suggest: await measure(app, '/api/tracks/suggest', queries),
      search: await measure(app, '/api/tracks/search', queries),
    };
    await app.close();
    console.log(`${size} tracks, ${each.toFixed(2)} ms to write one with its index`);
    for (const [name, { worst, ...spread }] of Object.entries(figures))
      console.log(`  ${name}: ${describe(spread)}; slowest: ${worst}`);
    return figures;
  } finally {
    await closeDeps(deps);
    await rm(dataDir, { recursive: true, force: true });
  }
}

console.log(`Load ${loadavg()[0]?.toFixed(1)} at the start`);
const small = await run(Math.round(TRACKS / 10));
const large = await run(TRACKS);
const compare = (name: 'suggest' | 'search') => {
  const [a, b] = [large[name], small[name]];
  return `p50 ${(a.p50 / b.p50).toFixed(2)}, p99 ${(a.p99 / b.p99).toFixed(2)}`;
};
for (const name of ['suggest', 'search'] as const)
  console.log(`${name}, ${TRACKS} against ${TRACKS / 10} tracks: ${compare(name)}`);
const isWithin = large.suggest.p99 < LIMIT_MS;
console.log(`Suggestions ${isWithin ? 'are' : 'are NOT'} under ${LIMIT_MS} ms at p99`);
if (!isWithin) process.exitCode = 1;
