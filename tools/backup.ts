import { join } from 'node:path';
import { readConfig } from '#server/config.ts';
import { databaseSettings } from '#server/deps.ts';
import { saveBackup } from '#server/features/backup/save-backup.ts';
import { ConsoleProblem } from '#server/features/console/service.ts';
import { createFilesPrivately } from '#server/private-files.ts';
import { runPlainCommand } from './run-command.ts';

await runPlainCommand(async ([folder, ...rest]) => {
  if (!folder || rest.length > 0) throw new ConsoleProblem('Usage: npm run backup -- <new folder>');
  const config = readConfig();
  // No server reads a backup.
  createFilesPrivately({ accelPrefix: '' });
  const source = {
    database: databaseSettings(config),
    files: config.s3 ? null : join(config.dataDir, 'files'),
  };
  await saveBackup(source, folder, { now: Date.now(), report: console.log });
  return `Saved to ${folder}.`;
});
