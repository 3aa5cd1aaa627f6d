import { readConfig } from '#server/config.ts';
import { restoreBackup } from '#server/features/backup/restore-backup.ts';
import { ConsoleProblem } from '#server/features/console/service.ts';
import { createFilesPrivately } from '#server/private-files.ts';
import { ensureDataDir } from '#server/start-problem.ts';
import { locateSite } from './locate-site.ts';
import { runPlainCommand } from './run-command.ts';

await runPlainCommand(async ([place, ...rest], flags) => {
  const config = readConfig();
  const backup = place ?? config.backupDir;
  if (!backup || rest.length > 0)
    throw new ConsoleProblem(
      'Usage: npm run restore -- <folder of the backups, or one of its days> [--replace]',
    );
  createFilesPrivately(config);
  await ensureDataDir(config);
  const manifest = await restoreBackup(locateSite(config), backup, {
    now: Date.now(),
    isReplacing: flags.has('replace'),
    report: console.log,
  });
  const at = new Date(manifest.createdAt).toISOString();
  return `Restored the backup of ${at}. The server rebuilds the search index when it starts.`;
});
