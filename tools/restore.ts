import { join } from 'node:path';
import { readConfig } from '#server/config.ts';
import { databaseSettings } from '#server/deps.ts';
import { restoreBackup } from '#server/features/backup/restore-backup.ts';
import { ConsoleProblem } from '#server/features/console/service.ts';
import { createFilesPrivately } from '#server/private-files.ts';
import { ensureDataDir } from '#server/start-problem.ts';
import { runPlainCommand } from './run-command.ts';

await runPlainCommand(async ([folder, ...rest], flags) => {
  if (!folder || rest.length > 0)
    throw new ConsoleProblem('Usage: npm run restore -- <backup folder> [--replace]');
  const config = readConfig();
  createFilesPrivately(config);
  await ensureDataDir(config);
  const target = {
    database: databaseSettings(config),
    files: config.s3 ? null : join(config.dataDir, 'files'),
  };
  const isReplacing = flags.has('replace');
  const manifest = await restoreBackup(target, folder, {
    now: Date.now(),
    isReplacing,
    report: console.log,
  });
  const at = new Date(manifest.createdAt).toISOString();
  return `Restored the backup of ${at}. The server rebuilds the search index when it starts.`;
});
