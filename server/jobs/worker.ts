import { listDefinedJobs, type JobHandler } from './define-job.ts';
import { everyInterval, runJob, type Run, type RunSettings, type WorkerDeps } from './run-job.ts';
import { type Jobs, probeQueue } from './jobs-handle.ts';
import { LANE_NAMES, LANES, type Lane } from './lanes.ts';
import { claimNext, listDueLanes, type Claim } from './leases.ts';
import { recoverJobs } from './outcome.ts';
import { enqueueRun, toSchedule } from './schedules.ts';
import { isClockSteady, repairTimes } from './wrong-clock.ts';
import { sql } from 'kysely';
import { MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../db/connect.ts';
import { logOutage } from '../log/log-outage.ts';
import { findOutage } from '../outage.ts';
import { settlesWithin } from '../background/settles-within.ts';

export type { WorkerDeps } from './run-job.ts';

export type WorkerOptions<D extends WorkerDeps> = Partial<RunSettings> & {
  deps: D;
  jobs: readonly JobHandler<D>[];
  /** How many jobs of each lane run at the same time in this process. */
  slots?: Readonly<Record<Lane, number>>;
  pollMs?: number;
  /** Called when a job starts or ends. */
  onChange?: () => void;
  /** The jobs that must be in `jobs`: all that this process defined. */
  defined?: readonly { name: string }[];
};

export type Worker = Jobs & {
  start: () => Promise<void>;
  /** Waits for running jobs up to the limit, then releases them for another worker. */
  stop: (options?: { limitMs?: number }) => Promise<void>;
  /** Runs all due jobs and those they enqueue. Returns the number of runs. */
  runDue: () => Promise<number>;
};

const STOP_LIMIT_MS = 10_000;
/** For queries at the end: a database that doesn't answer must not stop the stop. */
const LAST_QUERIES_MS = 2000;
const REPAIR_EVERY_MS = MINUTE;

export const createWorker = <D extends WorkerDeps>(options: WorkerOptions<D>): Worker => {
  const { deps, slots = LANES, pollMs = 1000 } = options;
  const { leaseMs = 60_000, every = everyInterval, random = Math.random } = options;
  const { database, clock, log } = deps;
  const handlers = indexJobs(options.jobs, options.defined ?? listDefinedJobs());
  const names = [...handlers.keys()];
  const schedules = new Map(
    options.jobs.flatMap((job) => {
      const schedule = toSchedule(job);
      return schedule ? [[job.name, schedule] as const] : [];
    }),
  );

  /** The worker looks once a second, and an outage would fill the log. */
  const logFailure = (error: unknown, message: string): void => {
    const details = { err: error };
    const write = (line: object, text: string) => log.error(line, text);
    if (findOutage(error)) logOutage(log, write, { details, message });
    else write(details, message);
  };

  const runs = new Map<Run, Lane>();
  let isRunning = false;
  /** The lanes in which a job ended. */
  const freed = new Set<Lane>();
  let isWoken = false;
  let filling: Promise<void> | null = null;
  let polling: Promise<void> = Promise.resolve();
  let stopPolling = (): void => undefined;
  let stopping: Promise<void> | null = null;
  let isPrepared = false;
  let seenAt = 0;
  let repairedAt = -Infinity;

  const hasRoom = (lane: Lane): boolean =>
    [...runs.values()].filter((running) => running === lane).length < slots[lane];

  const claim = (lane: Lane): Promise<Claim | null> =>
    claimNext(database, { lane, names }, { now: clock.now(), leaseMs });

  const repair = async (): Promise<void> => {
    const now = clock.now();
    // At the start, when the clock is put back, and now and then for other servers' clocks.
    if (now >= seenAt && now - repairedAt < REPAIR_EVERY_MS) {
      seenAt = now;
      return;
    }
    if (await repairTimes(database.db, { now, leaseMs }))
      log.warn('The clock was fast and has been put right: waiting jobs start again from now.');
    await isClockSteady(deps);
    seenAt = now;
    repairedAt = now;
  };

  const recover = async (): Promise<void> => {
    await repair();
    const recovered = await recoverJobs(database, schedules, clock.now(), handlers);
    if (recovered.length > 0)
      log.warn({ recovered }, 'Recovered jobs of a worker that disappeared.');
    const given = recovered.filter(({ isDead }) => isDead);
    if (given.length > 0)
      log.error({ jobs: given }, 'Gave up jobs that may be what stops the server.');
  };

  const launch = (claimed: Claim): Run => {
    const handler = handlers.get(claimed.name);
    if (!handler) throw new Error(`The claimed job "${claimed.name}" has no handler.`);
    const run = runJob(deps, handler, claimed, { leaseMs, every, random });
    runs.set(run, claimed.lane);
    options.onChange?.();
    void run.done.finally(() => {
      runs.delete(run);
      options.onChange?.();
      freed.add(claimed.lane);
      startFilling();
    });
    return run;
  };

  const fillLane = async (lane: Lane): Promise<void> => {
    while (isRunning && hasRoom(lane)) {
      const claimed = await claim(lane);
      if (!claimed) return;
      launch(claimed);
    }
  };

  const fill = async (): Promise<void> => {
    while (isRunning && (isWoken || freed.size > 0)) {
      const lanes = new Set(freed);
      freed.clear();
      if (isWoken) {
        isWoken = false;
        const due = await listDueLanes(database.db, LANE_NAMES.filter(hasRoom), clock.now());
        for (const lane of due) lanes.add(lane);
      }
      for (const lane of lanes) await fillLane(lane);
    }
  };

  const startFilling = (): void => {
    if (!isRunning || filling) return;
    filling = fill()
      .catch((error: unknown) => logFailure(error, 'Claiming jobs failed.'))
      .finally(() => {
        filling = null;
        if (isWoken || freed.size > 0) startFilling();
      });
  };

  const wake = (): void => {
    isWoken = true;
    startFilling();
  };

  const prepare = async (): Promise<void> => {
    const now = clock.now();
    for (const schedule of schedules.values())
      await enqueueRun(database.db, schedule, { now, runAt: now });
    await moveToLanes(database.db, options.jobs);
    const unknown = await findUnknownNames(database.db, names);
    if (unknown.length > 0) log.warn({ jobs: unknown }, 'Ignoring jobs without a handler.');
    isPrepared = true;
  };

  const prepareAndRecover = async (): Promise<void> => {
    if (!isPrepared) await prepare();
    await recover();
  };

  const recoverAndWake = async (): Promise<void> => {
    await prepareAndRecover().catch((error: unknown) =>
      logFailure(error, 'Recovering jobs failed.'),
    );
    wake();
    await filling;
  };

  const poll = (): Promise<void> => (polling = recoverAndWake());

  const start = async (): Promise<void> => {
    if (isRunning || stopping) throw new Error('A worker can only be started once.');
    await prepare().catch((error: unknown) => {
      // The next poll tries again.
      if (!findOutage(error)) throw error;
      log.error({ err: error }, 'The jobs can’t be read yet.');
    });
    if (stopping) return;
    isRunning = true;
    stopPolling = every(pollMs, poll);
    await poll();
  };

  const stopAfter = async (limitMs: number): Promise<void> => {
    isRunning = false;
    stopPolling();
    // The database closes after this, so wait for the last queries.
    await settlesWithin([polling, filling ?? Promise.resolve()], LAST_QUERIES_MS);
    if (
      await settlesWithin(
        [...runs.keys()].map((run) => run.done),
        limitMs,
      )
    )
      return;
    log.warn({ jobs: runs.size }, 'Releasing jobs that did not end in time.');
    const releases = [...runs.keys()].map((run) =>
      run.release().catch((error: unknown) => {
        log.error({ err: error }, 'A job could not be released; its lease will expire.');
      }),
    );
    await settlesWithin(releases, LAST_QUERIES_MS);
  };

  const runDue = async (): Promise<number> => {
    await recover();
    const claimDue = async (): Promise<Claim | null> => {
      for (const lane of await listDueLanes(database.db, LANE_NAMES, clock.now())) {
        const claimed = await claim(lane);
        if (claimed) return claimed;
      }
      return null;
    };
    let count = 0;
    for (let next = await claimDue(); next; next = await claimDue()) {
      await launch(next).done;
      count += 1;
    }
    return count;
  };

  return {
    start,
    stop: ({ limitMs = STOP_LIMIT_MS } = {}) => (stopping ??= stopAfter(limitMs)),
    runDue,
    wake,
    probe: async () => {
      if (!isRunning) return { status: 'error', detail: 'The job worker is not running.' };
      return probeQueue(database.db, clock.now());
    },
  };
};

/** Fails at startup if a job is defined but missing from the list: otherwise it would silently never run. */
const indexJobs = <D>(
  jobs: readonly JobHandler<D>[],
  defined: readonly { name: string }[],
): Map<string, JobHandler<D>> => {
  const byName = new Map<string, JobHandler<D>>();
  for (const job of jobs) {
    if (byName.has(job.name)) throw new Error(`Two jobs are called "${job.name}".`);
    byName.set(job.name, job);
  }
  const listed = new Set<unknown>(jobs);
  const missing = defined.filter((job) => !listed.has(job)).map((job) => `"${job.name}"`);
  if (missing.length > 0) {
    throw new Error(`No worker runs ${missing.join(', ')}. Add the missing jobs to the job list.`);
  }
  return byName;
};

/** An earlier version may have enqueued jobs in other lanes. */
const moveToLanes = async (
  db: Db,
  jobs: readonly Pick<JobHandler<never>, 'name' | 'lane'>[],
): Promise<void> => {
  for (const lane of LANE_NAMES) {
    const names = jobs.filter((job) => job.lane === lane).map(({ name }) => name);
    if (names.length === 0) continue;
    await db
      .updateTable('jobs')
      .set({ lane })
      .where('name', 'in', names)
      .where('lane', '<>', lane)
      .execute();
  }
};

/** Jobs in the table that this version doesn't know, for instance during a rolling update. */
const findUnknownNames = async (db: Db, known: Iterable<string>): Promise<string[]> => {
  const names = new Set(known);
  const rows = await db
    .selectFrom('jobs')
    .select('name')
    .distinct()
    .where('state', '=', sql.lit('ready'))
    .execute();
  return rows.map((row) => row.name).filter((name) => !names.has(name));
};
