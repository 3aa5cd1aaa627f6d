import { lowerPriority } from './background/background-process.ts';
import { runInWatchedThread } from './watched-thread.ts';

// Before the thread starts, which inherits it.
lowerPriority(process.pid);

/** Only runs jobs. Servers on the same machine go first, so that nobody waits for a page while mails go out. */
await runInWatchedThread(import.meta.url, async () => {
  const { runProcess } = await import('./run-process.ts');
  await runProcess(async ({ deps, prepareWorker }) => {
    const worker = await prepareWorker();
    deps.jobs.attach(worker);
    await worker.start();
    return () => void process.stdout.write('Running jobs\n');
  });
});
