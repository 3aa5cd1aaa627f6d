import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '../testing/find-postgres.ts';
import { askPostgres, createDurableDatabase } from './durable-database.ts';
import { FAULTS } from './faults.ts';
import { runChaos, type ChaosResult } from './run-chaos.ts';
import { mountSmallDisk } from './small-disk.ts';
import { describeSilence, measureSilence, SILENCES } from './run-silence.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    database: { type: 'string', default: 'both' },
    /** Only this one, instead of all in turn. */
    fault: { type: 'string' },
    /** Seconds of a silent database, instead of rounds. */
    silence: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const isUnknown = values.fault !== undefined && FAULTS.every((name) => name !== values.fault);
if (isUnknown || !Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(seed)) {
  console.error(
    'Usage: npm run chaos -- [--rounds 200] [--seed 17] [--database sqlite] [--fault "fill disk"] [--silence 30]',
  );
  process.exit(1);
}

/** Killing one of its processes makes PostgreSQL end all of them and recover from its log. */
async function crashPostgres(url: string) {
  const [backend] = await askPostgres<{ pid: number }>(
    url,
    `select pid from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
  );
  if (backend) process.kill(backend.pid, 'SIGKILL');
}

/** With no room for the next file of its log, PostgreSQL ends. */
async function endLog(url: string) {
  for (let file = 0; file < 100; file += 1)
    try {
      await askPostgres(url, 'select pg_switch_wal() from txid_current()');
    } catch {
      return;
    }
  throw new Error('PostgreSQL found room for its log.');
}

/** Large enough for a cluster and the writes of a run, and small enough to fill up. */
const DATABASE_DISK_MB = 512;

async function runOnPostgres(): Promise<ChaosResult> {
  const place = mkdtempSync(join(tmpdir(), 'chaos-postgres-'));
  const disk = mountSmallDisk(place, DATABASE_DISK_MB);
  if (!disk) console.log('No disk may be mounted here, so that of the database is never full.');
  // PostgreSQL runs as another user.
  chmodSync(place, 0o711);
  const postgres = await startTestPostgres({ place });
  try {
    const databaseUrl = await createDurableDatabase(postgres);
    const startAgain = async () => {
      const runs = askPostgres(databaseUrl, 'select 1').then(
        () => true,
        () => false,
      );
      if (!(await runs)) await postgres.restart?.();
    };
    return await runChaos({
      rounds,
      seed,
      databaseUrl,
      crashPostgres: () => crashPostgres(databaseUrl),
      databaseDisk: disk && { disk, endLog: () => endLog(databaseUrl), startAgain },
      onRound: (line) => console.log(`postgres ${line}`),
      ...(values.fault !== undefined && { faults: FAULTS.filter((name) => name === values.fault) }),
    });
  } finally {
    await postgres.stop();
    disk?.unmount();
    rmSync(place, { recursive: true, force: true });
  }
}

function printResult(database: string, result: ChaosResult) {
  const { journal, losses, failures } = result;
  const kinds = Map.groupBy(journal.entries, ({ kind }) => kind);
  const refused = [...journal.refused].toSorted(([a], [b]) => a - b);
  const list = (pairs: readonly (readonly [string | number, number])[]) =>
    pairs.map(([name, times]) => `${name} ${times}`).join(', ');
  const total = [...result.rounds.values()].reduce((sum, times) => sum + times, 0);
  console.log(
    [
      '',
      `${database}: ${total} rounds (${list([...result.rounds])})`,
      `  acknowledged writes: ${journal.entries.length} (${list([...kinds].map(([kind, all]) => [kind, all.length]))})`,
      `  without an answer: ${journal.unknown}; refused: ${list(refused) || 'none'}`,
      `  back after at most ${(result.slowestRecoveryMs / 1000).toFixed(1)} s`,
      `  losses: ${losses.length}; failures: ${failures.length}; answers 500: ${journal.bad.length}`,
      ...[...losses, ...failures, ...journal.bad].slice(0, 30).map((line) => `    ${line}`),
    ].join('\n'),
  );
}

/** Returns how many requests got no answer, or none in time. */
async function measureSilences(seconds: number): Promise<number> {
  let problems = 0;
  for (const silence of SILENCES) {
    const isSqlite = silence === 'locked';
    if (values.database === (isSqlite ? 'postgres' : 'sqlite')) continue;
    const postgres = isSqlite ? null : await startTestPostgres();
    try {
      const result = await measureSilence(silence, seconds, postgres);
      console.log(describeSilence(silence, result).join('\n'));
      problems += result.unanswered.length + (result.healedMs === null ? 1 : 0);
    } finally {
      await postgres?.stop();
    }
  }
  return problems;
}

async function runRounds(): Promise<number> {
  let problems = 0;
  console.log(
    `${rounds} rounds per database. Repeat the order with: npm run chaos -- --seed ${seed}`,
  );
  if (values.database !== 'postgres') {
    const result = await runChaos({
      rounds,
      seed,
      onRound: (line) => console.log(`sqlite ${line}`),
      ...(values.fault !== undefined && { faults: FAULTS.filter((name) => name === values.fault) }),
    });
    printResult('SQLite', result);
    problems += result.losses.length + result.failures.length;
  }
  if (values.database !== 'sqlite') {
    const result = await runOnPostgres();
    printResult('PostgreSQL', result);
    problems += result.losses.length + result.failures.length;
  }
  return problems;
}

const problems = values.silence ? await measureSilences(Number(values.silence)) : await runRounds();
const memory = Math.round(totalmem() / 1024 ** 3);
const load = loadavg()
  .map((value) => value.toFixed(1))
  .join(' ');
console.log(`\n${availableParallelism()} cores, ${memory} GB; load ${load}; seed ${seed}`);
process.exit(problems > 0 ? 1 : 0);
