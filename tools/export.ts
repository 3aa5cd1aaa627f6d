import { exportCatalogue } from '#server/features/catalogue-files/service.ts';
import { ConsoleProblem } from '#server/features/console/service.ts';
import { runCommand } from './run-command.ts';

const USAGE =
  'Usage: npm run export -- <folder>. Run it again with the same folder to continue, or to bring it up to date.';

await runCommand(async (deps, [folder, ...rest]) => {
  if (!folder || rest.length > 0) throw new ConsoleProblem(USAGE);
  const { saved, unchanged, failed } = await exportCatalogue(deps, folder, { report: console.log });
  if (failed > 0) process.exitCode = 1;
  return `${saved} mixes exported to ${folder}, ${unchanged} unchanged, ${failed} with problems. Bring them to another site with: npm run import -- ${folder}`;
});
