import packageJson from '../package.json' with { type: 'json' };
import { notifySystemd } from './background/systemd.ts';
import { readConfig, type Config } from './config.ts';
import { createDatabaseClock } from './db/database-clock.ts';
import { migrate } from './db/schema/migrate.ts';
import { closeDeps, createDeps, type Deps } from './deps.ts';
import { watchServer } from './features/attention/server-readings.ts';
import { watchJobs } from './features/jobs/service.ts';
import { checkFiles } from './features/system/check-files.ts';
import { refuseDemoBesideSite, refuseForeignData } from './features/system/refuse-foreign-data.ts';
import { watchSettings } from './features/settings/service.ts';
import { findCommit } from './find-commit.ts';
import { jobList } from './job-list.ts';
import { createWorker, type Worker } from './jobs/worker.ts';
import { findOutage } from './outage.ts';
import { tightenDataDir } from './private-files.ts';
import {
  describeStartError,
  ensureDataDir,
  listWarnings,
  refuseHalfRestored,
} from './start-problem.ts';
import { sendBeats, stopWhenTold } from './watched-thread.ts';

type Stop = () => Promise<void>;

/** Collects what has to be stopped, also when a later step of the start fails; the last one first. */
function createStopList() {
  const stops: Stop[] = [];
  return {
    add: (stop: Stop) => void stops.push(stop),
    stopAll: async () => {
      const problems: unknown[] = [];
      // A step that fails, for instance without a database, doesn't keep the others from stopping.
      for (const stop of stops.splice(0).toReversed())
        await stop().catch((error: unknown) => void problems.push(error));
      if (problems.length > 0) throw problems[0];
    },
  };
}

/** Every step of the stop has a limit of its own; this is for all of them together. */
const STOP_LIMIT_MS = 25_000;
const LAST_LINES_MS = 1000;

/** Exits once the last lines of the log are written, or if nobody reads them. */
function exit(code: number, log: Deps['log']) {
  setTimeout(() => process.exit(code), LAST_LINES_MS);
  log.flush(() => process.exit(code));
}

/** Stops, and ends the process however that goes. */
function stopProcess(stop: Stop, log: Deps['log']) {
  setTimeout(() => {
    log.error(`The process did not stop within ${STOP_LIMIT_MS / 1000} seconds.`);
    exit(1, log);
  }, STOP_LIMIT_MS).unref();
  stop().then(
    () => exit(0, log),
    (error: unknown) => {
      log.error({ err: error }, 'Stopping failed.');
      exit(1, log);
    },
  );
}

/** A worker that also keeps settings up to date and tells open pages about its jobs. */
async function prepareWorker(deps: Deps, onStop: (stop: Stop) => void): Promise<Worker> {
  onStop(await watchSettings(deps));
  onStop(watchServer(deps));
  const changes = watchJobs(deps);
  onStop(changes.stop);
  const worker = createWorker({ deps, jobs: jobList, onChange: changes.publish });
  onStop(() => worker.stop());
  return worker;
}

export type ProcessParts = {
  deps: Deps;
  /** Registers a step for the end of the process; the last one runs first. */
  onStop: (stop: Stop) => void;
  prepareWorker: () => Promise<Worker>;
};

/** Starts everything, and returns what to do once the process runs and can be stopped. */
type Start = (parts: ProcessParts) => Promise<() => Promise<void> | void>;

/** The steps before the process runs. If one fails, stops what had begun. */
async function beginProcess(config: Config, start: Start) {
  const stops = createStopList();
  try {
    refuseDemoBesideSite(config);
    const clock = config.databaseUrl === null ? null : createDatabaseClock();
    const deps = await createDeps(config, { commit: findCommit(), ...(clock && { clock }) });
    stops.add(() => closeDeps(deps));
    await migrate(deps.database, deps.clock.now());
    if (clock) stops.add(await clock.watch(deps.database));
    // After the database has its files.
    await tightenDataDir(config, deps.log);
    await refuseForeignData(deps);
    await checkFiles(deps);
    const parts = { deps, onStop: stops.add, prepareWorker: () => prepareWorker(deps, stops.add) };
    return { deps, stopAll: stops.stopAll, onRunning: await start(parts) };
  } catch (error) {
    // Report the first error, not one that follows from it.
    await stops.stopAll().catch(() => undefined);
    throw error;
  }
}

/** PostgreSQL restarted meanwhile. Whoever connects has already waited for that. */
const wasInterrupted = (error: unknown): boolean =>
  findOutage(error)?.kind === 'lost' && (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';

/** The steps of every start; throws what went wrong, after stopping what had begun. */
export async function startProcess(config: Config, start: Start) {
  await ensureDataDir(config);
  await refuseHalfRestored(config);
  const begin = () => beginProcess(config, start);
  const { deps, stopAll, onRunning } = await begin().catch((error: unknown) => {
    if (!wasInterrupted(error)) throw error;
    return begin();
  });
  stopWhenTold(config.endsWithParent, () => stopProcess(stopAll, deps.log));
  try {
    await onRunning();
  } catch (error) {
    await stopAll().catch(() => undefined);
    throw error;
  }
  for (const warning of listWarnings(config)) deps.log.warn(warning);
  deps.log.info({ version: packageJson.version, commit: await deps.commit }, 'Started.');
  sendBeats();
  notifySystemd(config.systemd, (error) =>
    deps.log.warn({ err: error }, 'systemd could not be told.'),
  );
}

/** Starts a process of the site. If that fails, prints why and exits with an error. */
export async function runProcess(start: Start) {
  let config: Config | undefined;
  try {
    config = readConfig();
    await startProcess(config, start);
  } catch (error) {
    process.stderr.write(`${describeStartError(error, config) ?? (error as Error).stack}\n`);
    process.exitCode = 1;
  }
}
