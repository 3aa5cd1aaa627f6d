import { DEMO_PASSWORD, seedDemoAccounts } from '#demo/accounts.ts';
import { seedDemoCatalogue } from '#demo/seed-catalogue.ts';
import { seedDemoListening } from '#demo/seed-listening.ts';
import { tellProgress } from '#demo/tell-progress.ts';
import { buildApp } from './app.ts';
import { readConfig, type Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { closeDeps, createDeps, type Deps } from './deps.ts';
import { followJobs } from './features/jobs/service.ts';
import { followSettings } from './features/settings/service.ts';
import { LINK_HOURS, offerSetup } from './features/setup/service.ts';
import { readDemoProgress } from './features/system/demo-progress.ts';
import { toOrigin } from './http/address.ts';
import { createEndings, stopOnSignals } from './http/shutdown.ts';
import { jobList } from './job-list.ts';
import type { Jobs } from './jobs/jobs-handle.ts';
import { probeQueue } from './jobs/probe-jobs.ts';
import { createWorker } from './jobs/worker.ts';
import { describeStartError, ensureDataDir, listWarnings } from './start-problem.ts';

/** What a person needs who has just typed the command. */
function describeStart({ config, site }: Deps, demoAccounts: readonly string[]): string {
  const accounts = config.demo
    ? `Demo accounts: ${demoAccounts.join(', ')}; password ${DEMO_PASSWORD} (this machine only)`
    : 'Demo accounts are off';
  const production = config.demo
    ? 'For production set APP_ORIGIN, SMTP_URL and, for many servers, DATABASE_URL: see docs/operations.md'
    : 'Settings and operation: see docs/operations.md';
  return [`${config.siteName} is at ${site.origin}`, accounts, production].join('\n');
}

/** On the console alone: whoever reads it there may run the site. */
async function tellSetup(deps: Deps) {
  const link = await offerSetup(deps);
  if (!link) return;
  process.stdout.write(
    `There is no administrator yet. Open this once, within ${LINK_HOURS} hours, to become the first:\n${link}\n`,
  );
}

/** Without a loop in this process the queue can still be looked at. */
const watchQueue = ({ database, clock }: Deps): Jobs => ({
  wake: () => {},
  probe: () => probeQueue(database.db, clock.now()),
});

async function seedDemo(deps: Deps) {
  await seedDemoCatalogue(deps);
  await seedDemoListening(deps);
}

async function tellDemoProgress({ database }: Deps, endings: ReturnType<typeof createEndings>) {
  const end = await tellProgress({
    read: () => readDemoProgress(database.db),
    write: (line) => process.stdout.write(`${line}\n`),
  });
  endings.add(async () => end());
}

async function start(config: Config) {
  await ensureDataDir(config);
  const endings = createEndings();
  try {
    const deps = createDeps(config);
    endings.add(() => closeDeps(deps));
    await migrate(deps.database, deps.clock.now());
    const demoAccounts = config.demo
      ? await seedDemoAccounts(
          deps.database.db,
          deps.clock.now(),
          deps.payments.calendar,
          config.timeZone,
        )
      : [];
    if (config.demo) await seedDemo(deps);
    endings.add(await followSettings(deps));
    const changes = followJobs(deps);
    endings.add(changes.stop);
    const worker = createWorker({ deps, jobs: jobList, onChange: changes.note });
    endings.add(() => worker.stop());
    deps.jobs.attach(config.worker ? worker : watchQueue(deps));
    const app = await buildApp(deps);
    endings.add(() => app.close());
    await app.listen({ host: config.host, port: config.port });
    const bound = app.server.address();
    if (!config.appOrigin && typeof bound === 'object' && bound)
      deps.site.origin = toOrigin(bound.address, bound.port);
    if (config.worker) await worker.start();
    const report = (error: unknown) => deps.log.error({ err: error }, 'stopping failed');
    stopOnSignals(process, endings.endAll, report, config);
    process.stdout.write(`${describeStart(deps, demoAccounts)}\n`);
    await tellSetup(deps);
    if (config.demo) await tellDemoProgress(deps, endings);
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
