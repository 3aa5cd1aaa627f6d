import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { formatFileSize } from '#contract/rules/format.ts';
import { formatCountdown } from '#contract/rules/next-release.ts';
import { readConfig, type Config } from '#server/config.ts';
import { connect, type Db } from '#server/db/connect.ts';
import { databaseSettings } from '#server/deps.ts';
import { readBackupState, type BackupState } from '#server/features/backup/service.ts';
import { isBackupDue, makeWhenDue } from '#server/features/backup/nightly.ts';
import { runBackup } from '#server/features/backup/run-backup.ts';
import { ConsoleProblem } from '#server/features/console/service.ts';
import { createFilesPrivately } from '#server/private-files.ts';
import { locateSite } from './locate-site.ts';
import { describe, runPlainCommand } from './run-command.ts';

const USAGE = `Usage: npm run backup [-- <folder>] [options]
Without a folder, the backup goes to BACKUP_DIR.
  --status         says how old the last backup is, and makes none
  --nightly        goes on running, and makes one each night at 03:30
  --prove          reads the backups back and compares them, although a week has not passed
  --new            begins in an empty folder although this site's backups were in another one
  --without-files  leaves out the files: audio and pictures`;

const FLAGS = ['status', 'nightly', 'prove', 'new', 'without-files'];

async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const settings = databaseSettings(config);
  if (settings.kind === 'sqlite' && !existsSync(settings.file))
    throw new ConsoleProblem(
      `There is no site: ${settings.file} doesn’t exist. Is DATA_DIR right?`,
    );
  const database = connect(settings, console);
  try {
    return await work(database.db);
  } finally {
    await database.close();
  }
}

const describeAge = (at: number | null): string =>
  at === null ? 'never' : `${formatCountdown(Date.now() - at)} ago`;

const describeState = ({ lastAt, lastVerifiedAt, problem }: BackupState): string =>
  [
    `Last backup: ${describeAge(lastAt)}. Read back and compared: ${describeAge(lastVerifiedAt)}.`,
    ...(problem === null ? [] : [`Problem: ${problem}`]),
  ].join('\n');

async function makeBackup(
  config: Config,
  folder: string,
  { flags, report }: { flags: ReadonlySet<string>; report: (line: string) => void },
): Promise<string> {
  const site = locateSite(config);
  return withDatabase(config, async (db) => {
    const order = {
      site: flags.has('without-files') ? { database: site.database, files: null } : site,
      folder,
      isUsual: folder === config.backupDir,
      isNew: flags.has('new'),
      isProving: flags.has('prove'),
      scratch: join(config.dataDir, 'backup-proof'),
    };
    const { copied, bytes, kept } = await runBackup(order, { db, clock: Date.now, report });
    const counts = `New files: ${copied} (${formatFileSize(bytes)}). Backups kept: ${kept.length}.`;
    return `Saved to ${folder}. ${counts}\n${describeState(await readBackupState(db))}`;
  });
}

/** Until it is stopped. A night that fails is tried again, and the site knows of it. */
async function makeNightly(
  config: Config,
  folder: string,
  flags: ReadonlySet<string>,
): Promise<never> {
  const report = () => undefined;
  const isDue = () =>
    withDatabase(config, async (db) =>
      isBackupDue((await readBackupState(db)).lastAt, Date.now(), config.timeZone),
    );
  const make = async () => console.log(await makeBackup(config, folder, { flags, report }));
  const onError = (error: unknown) => console.error(describe(error));
  for (;;) await setTimeout(await makeWhenDue({ isDue, make, onError }));
}

await runPlainCommand(async ([place, ...rest], flags) => {
  const config = readConfig();
  const folder = place === undefined ? config.backupDir : resolve(place);
  const isUnknown = [...flags].some((flag) => !FLAGS.includes(flag));
  if (rest.length > 0 || isUnknown) throw new ConsoleProblem(USAGE);
  // No server reads a backup.
  createFilesPrivately({ accelPrefix: '' });
  if (flags.has('status'))
    return describeState(await withDatabase(config, (db) => readBackupState(db)));
  if (folder === null) throw new ConsoleProblem(USAGE);
  if (flags.has('nightly')) return makeNightly(config, folder, flags);
  const report = process.stdout.isTTY ? console.log : () => undefined;
  return makeBackup(config, folder, { flags, report });
});
