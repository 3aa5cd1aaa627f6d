import { DEMO_PASSWORD, seedDemoAccounts } from '#demo/accounts.ts';
import { printProgress } from '#demo/print-progress.ts';
import { buildApp } from './app.ts';
import type { Deps } from './deps.ts';
import { readDemoCode } from './features/accounts/service.ts';
import { warnAboutSeller } from './features/settings/seller.ts';
import { LINK_HOURS, offerSetup } from './features/setup/service.ts';
import { readDemoProgress } from './features/system/demo-progress.ts';
import { toOrigin } from './http/route/address.ts';
import { findPort, listen } from './http/load/listen.ts';
import { probeQueue, type Jobs } from './jobs/jobs-handle.ts';
import { runProcess, type ProcessParts } from './run-process.ts';

/** The lines that someone who just started the site needs. */
async function describeStart(
  { config, site, database }: Deps,
  demoAccounts: readonly string[],
): Promise<string> {
  const code = config.demo ? await readDemoCode(database.db) : '';
  const accounts = config.demo
    ? `Demo accounts: ${demoAccounts.join(', ')}; password ${DEMO_PASSWORD} (this machine only; through a proxy also the code ${code})`
    : 'Demo accounts are off';
  const production = config.demo
    ? 'For production, set APP_ORIGIN, SMTP_URL and, for several servers, DATABASE_URL: see docs/operations.md'
    : 'Settings and operation: see docs/operations.md';
  return [`${config.siteName} is at ${site.origin}`, accounts, production].join('\n');
}

/** Only on the console: anyone with this link becomes the administrator. */
async function printSetupLink(deps: Deps) {
  const link = await offerSetup(deps);
  if (!link) return;
  process.stdout.write(
    `No administrator yet. Open this link within ${LINK_HOURS} hours to create one:\n${link}\n`,
  );
}

/** Without a worker in this process, health checks can still see the queue. */
const watchQueue = ({ database, clock }: Deps): Jobs => ({
  wake: () => undefined,
  probe: () => probeQueue(database.db, clock.now()),
});

async function seedDemo(deps: Deps): Promise<readonly string[]> {
  const { config, database, clock, payments } = deps;
  if (!config.demo) return [];
  const accounts = await seedDemoAccounts(
    database.db,
    clock.now(),
    payments.calendar,
    config.timeZone,
  );
  if (config.demoTracks === 0) return accounts;
  const { seedDemoTracks } = await import('#demo/seed-tracks.ts');
  await seedDemoTracks(deps);
  const { seedDemoListening } = await import('#demo/seed-listening.ts');
  await seedDemoListening(deps);
  return accounts;
}

async function printDemoProgress({ database }: Deps, onStop: ProcessParts['onStop']) {
  const stop = await printProgress({
    loadProgress: () => readDemoProgress(database.db),
    print: (line) => process.stdout.write(`${line}\n`),
  });
  onStop(async () => stop());
}

/** The web server, with a worker unless WORKER is off. */
await runProcess(async ({ deps, onStop, prepareWorker }) => {
  const { config } = deps;
  const demoAccounts = await seedDemo(deps);
  const worker = await prepareWorker();
  deps.jobs.attach(config.worker ? worker : watchQueue(deps));
  const app = await buildApp(deps);
  deps.database.hurry();
  const { host, port } = config;
  onStop(await listen(app, { host, port: await findPort({ host, port }) }));
  const bound = app.server.address();
  if (!config.appOrigin && typeof bound === 'object' && bound)
    deps.site.origin = toOrigin(bound.address, bound.port);
  if (config.worker) await worker.start();
  await warnAboutSeller(deps);
  return async () => {
    process.stdout.write(`${await describeStart(deps, demoAccounts)}\n`);
    await printSetupLink(deps);
    if (config.demo) await printDemoProgress(deps, onStop);
  };
});
