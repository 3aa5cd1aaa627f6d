import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '#server/deps.ts';
import { ConsoleProblem } from '#server/features/console/service.ts';
import { reportImport, importFolder } from '#server/features/import/service.ts';
import { jobList } from '#server/job-list.ts';
import { createWorker } from '#server/jobs/worker.ts';
import { runCommand } from './run-command.ts';

/** Also runs jobs itself, so that the import ends when its mixes are ready. */
async function work(deps: Deps, folder: string): Promise<string> {
  const { imported, duplicates, refused } = await importFolder(deps, folder, console.log);
  const worker = createWorker({ deps, jobs: jobList });
  deps.jobs.attach(worker);
  await worker.start();
  try {
    const failed = await reportImport(deps, imported, {
      report: console.log,
      pause: () => sleep(1000),
    });
    const created = imported.length - failed;
    const bad = failed + refused;
    if (bad > 0) process.exitCode = 1;
    return `${created} imported, ${duplicates} already imported, ${bad} rejected. New mixes are drafts: publish them under Track management.`;
  } finally {
    await worker.stop();
  }
}

const USAGE =
  'Usage: npm run import -- <folder of audio files>. A name such as 2026-W12 Title.wav sets the week and year.';

await runCommand(async (deps, [folder, ...rest]) => {
  if (!folder || rest.length > 0) throw new ConsoleProblem(USAGE);
  return work(deps, folder);
});
