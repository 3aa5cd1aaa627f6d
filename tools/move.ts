import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parseConfig, readConfig, type Config } from '#server/config.ts';
import { databaseSettings } from '#server/deps.ts';
import { moveFiles, moveSite, type Place } from '#server/features/backup/move-site.ts';
import { ConsoleProblem } from '#server/features/console/service.ts';
import { createStorage } from '#server/ports/storage/create-storage.ts';
import { createFilesPrivately } from '#server/private-files.ts';
import { ensureDataDir } from '#server/start-problem.ts';
import { runPlainCommand } from './run-command.ts';

const USAGE =
  'Usage: npm run move -- <file with the settings of the new site> [--files] [--replace]';

const placeOf = (config: Config): Place => ({
  database: databaseSettings(config),
  storage: createStorage(config),
});

const isSame = (a: Config, b: Config): boolean =>
  JSON.stringify([databaseSettings(a), a.s3, a.s3 ?? a.dataDir]) ===
  JSON.stringify([databaseSettings(b), b.s3, b.s3 ?? b.dataDir]);

await runPlainCommand(async ([file, ...rest], flags) => {
  if (!file || rest.length > 0) throw new ConsoleProblem(USAGE);
  const config = readConfig();
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ConsoleProblem(`${file} can’t be read.`);
  });
  const next = parseConfig(parseEnv(text));
  if (isSame(config, next)) throw new ConsoleProblem('Both settings lead to the same site.');
  createFilesPrivately(next);
  await ensureDataDir(next);
  const [from, to] = [placeOf(config), placeOf(next)];
  const options = {
    now: Date.now(),
    report: console.log,
    progressFile: join(config.dataDir, 'move-progress.txt'),
    storeName: next.s3 ? `${next.s3.endpoint} ${next.s3.bucket}` : next.dataDir,
    isReplacing: flags.has('replace'),
  };
  if (!flags.has('files')) {
    await moveSite(from, to, options);
    return `Moved. Start the server with the settings in ${file}; the old site is as it was.`;
  }
  await moveFiles(from.storage, to.storage, options);
  return 'All files are there. Stop the server and run this again without --files.';
});
