import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, type DatabaseSettings } from '#server/db/connect.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { newId } from '#server/db/ids.ts';
import { startTestPostgres } from '../testing/find-postgres.ts';
import { runFuzz, type FuzzResult } from './run-fuzz.ts';

/** Every site starts empty, so that the last requests are as quick as the first. */
const REQUESTS_PER_SITE = 10_000;
const MAX_SHOWN = 20;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    database: { type: 'string', default: 'both' },
  },
});
const requests = Number(values.requests);
const seed = Number(values.seed);
if (!Number.isSafeInteger(requests) || requests < 1 || !Number.isSafeInteger(seed)) {
  console.error('Usage: npm run fuzz -- [--requests 200000] [--seed 17] [--database sqlite]');
  process.exit(1);
}

/** Escaped errors would end a real server. */
const escaped: string[] = [];
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => void escaped.push((error as Error).stack ?? String(error)));

async function runOn(settings: DatabaseSettings, part: number, partSeed: number) {
  const database = connect(settings, console);
  try {
    await migrate(database, Date.now());
    return await runFuzz(database, { requests: part, seed: partSeed });
  } finally {
    await database.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'fuzz-databases-'));
const dialects = ['sqlite', 'postgres'].filter(
  (name) => values.database === 'both' || values.database === name,
);
const postgres = dialects.includes('postgres') ? await startTestPostgres() : null;

async function createSettings(dialect: string): Promise<DatabaseSettings> {
  if (dialect === 'sqlite' || !postgres)
    return { kind: 'sqlite', file: join(folder, `${newId()}.sqlite`) };
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const name = `fuzz_${newId()}`;
  await client.query(`create database "${name}"`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return { kind: 'postgres', url: url.href };
}

const total: FuzzResult = { requests: 0, raw: 0, statuses: new Map(), findings: [] };
const perDialect = new Map<string, number>();
const start = performance.now();
console.log(`Sending ${requests} requests. Repeat them with: npm run fuzz -- --seed ${seed}`);
try {
  for (let sent = 0, n = 0; sent < requests; sent += REQUESTS_PER_SITE, n += 1) {
    const dialect = dialects[n % dialects.length] ?? 'sqlite';
    const part = Math.min(REQUESTS_PER_SITE, requests - sent);
    const result = await runOn(await createSettings(dialect), part, seed + sent);
    total.requests += result.requests;
    total.raw += result.raw;
    total.findings.push(...result.findings);
    perDialect.set(dialect, (perDialect.get(dialect) ?? 0) + part);
    for (const [status, times] of result.statuses)
      total.statuses.set(status, (total.statuses.get(status) ?? 0) + times);
    console.log(`${total.requests} requests, ${total.findings.length} findings (${dialect})`);
  }
} finally {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

for (const { what, request, answer, log } of total.findings.slice(0, MAX_SHOWN))
  console.log(`\n${what}\n  ${request}\n  ${answer}\n  ${log}`);
for (const stack of escaped.slice(0, MAX_SHOWN)) console.log(`\nAn error escaped:\n  ${stack}`);
const statuses = [...total.statuses].toSorted(([a], [b]) => a - b);
const memory = Math.round(totalmem() / 1024 ** 3);
console.log(
  [
    '',
    `Seed ${seed}; ${availableParallelism()} cores, ${memory} GB; load ${loadavg()
      .map((n) => n.toFixed(1))
      .join(' ')}`,
    `Requests: ${total.requests} in ${Math.round((performance.now() - start) / 1000)} s (${[...perDialect].map(([name, n]) => `${name} ${n}`).join(', ')}), ${total.raw} of them raw bytes over a socket`,
    `Statuses: ${statuses.map(([status, times]) => `${status}×${times}`).join(' ')}`,
    `Findings: ${total.findings.length}; escaped errors: ${escaped.length}`,
  ].join('\n'),
);
process.exit(total.findings.length + escaped.length > 0 ? 1 : 0);
