import { collectGarbage, runProcess } from './run-process.ts';

/** Only runs jobs, for a machine without a web server. */
await runProcess(async ({ deps, prepareWorker }) => {
  const worker = await prepareWorker();
  deps.jobs.attach(worker);
  collectGarbage();
  await worker.start();
  return () => void process.stdout.write('Running jobs\n');
});
