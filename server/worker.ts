import { readConfig, type Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { closeDeps, createDeps } from './deps.ts';
import { followJobs } from './features/jobs/service.ts';
import { followSettings } from './features/settings/service.ts';
import { createEndings, stopOnSignals } from './http/shutdown.ts';
import { jobList } from './job-list.ts';
import { createWorker } from './jobs/worker.ts';
import { describeStartError, ensureDataDir, listWarnings } from './start-problem.ts';

/** The job loop alone, for a machine that only processes. */
async function start(config: Config) {
  await ensureDataDir(config);
  const endings = createEndings();
  try {
    const deps = createDeps(config);
    endings.add(() => closeDeps(deps));
    await migrate(deps.database, deps.clock.now());
    endings.add(await followSettings(deps));
    const changes = followJobs(deps);
    endings.add(changes.stop);
    const worker = createWorker({ deps, jobs: jobList, onChange: changes.note });
    endings.add(() => worker.stop());
    deps.jobs.attach(worker);
    await worker.start();
    const report = (error: unknown) => deps.log.error({ err: error }, 'stopping failed');
    stopOnSignals(process, endings.endAll, report, config);
    process.stdout.write('Working on jobs\n');
    for (const warning of listWarnings(config)) deps.log.warn(warning);
  } catch (error) {
    // What is told is what went wrong first.
    await endings.endAll().catch(() => undefined);
    throw error;
  }
}

let config: Config | undefined;
try {
  config = readConfig();
  await start(config);
} catch (error) {
  process.stderr.write(`${describeStartError(error, config) ?? (error as Error).stack}\n`);
  process.exitCode = 1;
}
