import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '#server/deps.ts';
import {
  finishImport,
  importCatalogue,
  readCatalogue,
  type SavedCatalogue,
} from '#server/features/catalogue-files/service.ts';
import { ConsoleProblem } from '#server/features/console/service.ts';
import { reportImport, importFolder } from '#server/features/import/service.ts';
import { jobList } from '#server/job-list.ts';
import { createWorker } from '#server/jobs/worker.ts';
import { runCommand } from './run-command.ts';

const watch = { report: console.log, pause: () => sleep(1000) };

/** Runs jobs itself, so that the import ends when its mixes are ready. */
async function withWorker<T>(deps: Deps, wait: () => Promise<T>): Promise<T> {
  const worker = createWorker({ deps, jobs: jobList });
  deps.jobs.attach(worker);
  await worker.start();
  try {
    return await wait();
  } finally {
    await worker.stop();
  }
}

async function importAudio(deps: Deps, folder: string): Promise<string> {
  const { imported, duplicates, refused } = await importFolder(deps, folder, console.log);
  const failed = await withWorker(deps, () => reportImport(deps, imported, watch));
  const created = imported.length - failed;
  const bad = failed + refused;
  if (bad > 0) process.exitCode = 1;
  return `${created} imported, ${duplicates} already imported, ${bad} rejected. New mixes are drafts: publish them under Mixes, Bulk edit.`;
}

/** What `npm run export` has written: everything comes back as it was, also what is published. */
async function importExported(deps: Deps, folder: string, saved: SavedCatalogue): Promise<string> {
  const { created, known, refused } = await importCatalogue(deps, folder, saved, console.log);
  const failed = await withWorker(deps, () => finishImport(deps, created, watch));
  if (failed + refused > 0) process.exitCode = 1;
  return `${created.length - failed} mixes of ${saved.siteName} imported, ${known} were here already, ${failed + refused} with problems. Mixes that were published are published here too.`;
}

const USAGE =
  'Usage: npm run import -- <folder of audio files>. A name such as 2026-W12 Title.wav sets the week and year; a tracklist beside it, such as 2026-W12 Title.cue, is read too. The folder of npm run export comes back as it was.';

await runCommand(async (deps, [folder, ...rest]) => {
  if (!folder || rest.length > 0) throw new ConsoleProblem(USAGE);
  const catalogue = await readCatalogue(folder);
  return catalogue ? importExported(deps, folder, catalogue) : importAudio(deps, folder);
});
