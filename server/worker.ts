import { readConfig, type Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { closeDeps, createDeps } from './deps.ts';
import { stopOnSignals } from './http/shutdown.ts';
import { jobList } from './job-list.ts';
import { createWorker } from './jobs/worker.ts';
import { describeStartError, ensureDataDir } from './start-problem.ts';

/** The job loop alone, for a machine that only processes. */
async function start(config: Config) {
  await ensureDataDir(config);
  const deps = createDeps(config);
  try {
    await migrate(deps.database, deps.clock.now());
    const worker = createWorker({ deps, jobs: jobList });
    deps.jobs.attach(worker);
    await worker.start();
    stopOnSignals(
      process,
      async () => {
        await worker.stop();
        await closeDeps(deps);
      },
      (error) => deps.log.error({ err: error }, 'stopping failed'),
    );
    process.stdout.write('Working on jobs\n');
  } catch (error) {
    await closeDeps(deps);
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
