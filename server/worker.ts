import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

// As in main.ts: the next start finds the code compiled.
enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compiled'));
const { runProcess } = await import('./run-process.ts');
const { lowerPriority } = await import('./background/background-process.ts');

lowerPriority(process.pid);

/** Only runs jobs. Servers on the same machine go first, so that nobody waits for a page while mails go out. */
await runProcess(async ({ deps, prepareWorker }) => {
  const worker = await prepareWorker();
  deps.jobs.attach(worker);
  await worker.start();
  return () => void process.stdout.write('Running jobs\n');
});
flushCompileCache();
