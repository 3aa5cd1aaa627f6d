import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from '../../db/schema/migrations/list.ts';
import { ConsoleProblem } from '../console/service.ts';
import { openBackup, type Backup } from './manifest.ts';
import { summarise } from './move-site.ts';
import { openSnapshot } from './read-tables.ts';
import { findDamage } from './repository.ts';
import { fillTables, replaceDatabase, toSavedRows } from './restore-backup.ts';

/** What the database says about itself: nothing if all is well. */
function findDatabaseProblems(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const lines = database
      .prepare('pragma integrity_check')
      .all()
      .map((row) => String(row['integrity_check']));
    const orphans = database.prepare('pragma foreign_key_check').all();
    return [
      ...lines.filter((line) => line !== 'ok'),
      ...orphans.map((row) => `a row of ${String(row['table'])} refers to nothing`),
    ];
  } finally {
    database.close();
  }
}

/** The tables whose rows are not those of the backup. */
async function listDifferences(file: string, { manifest, readTable }: Backup): Promise<string[]> {
  const restored = await openSnapshot({ kind: 'sqlite', file });
  // Newer migrations may have changed rows; those that were inserted are counted anyway.
  if (manifest.migrations.length < migrations.length) return restored.close().then(() => []);
  try {
    const different: string[] = [];
    for (const table of Object.keys(manifest.tables)) {
      const before = await summarise(table, readTable(table));
      if ((await summarise(table, restored.read(table))) !== before) different.push(table);
    }
    return different;
  } finally {
    await restored.close();
  }
}

/** Reads every byte of every backup. Rejects with a sentence if one isn't as it was saved. */
export async function readBack(repository: string): Promise<void> {
  const damage = await findDamage(repository);
  const [first] = damage;
  if (!first) return;
  const [path, days] = first;
  const what = damage.size === 1 ? 'One file' : `${damage.size} files`;
  const needing = days.map((day) => basename(day, '.json')).join(', ');
  throw new ConsoleProblem(
    `${what} of the backups can’t be read back: ${path}, which ${needing} needs. What the site still has is copied again by the next run. Check the disk.`,
  );
}

/** Restores the newest backup into a database on the side, and compares each row of it. */
export async function restoreAside(
  repository: string,
  scratch: string,
  now: number,
): Promise<void> {
  const backup = await openBackup(repository);
  const file = join(scratch, 'database.sqlite');
  const report = () => undefined;
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  try {
    await replaceDatabase(
      { kind: 'sqlite', file },
      {
        fill: (tx, dialect) => fillTables(tx, dialect, toSavedRows(backup), { now, report }),
        beforeSwap: async () => undefined,
      },
    );
    const problems = findDatabaseProblems(file);
    const different = await listDifferences(file, backup);
    if (different.length > 0) problems.push(`other rows in ${different.join(', ')}`);
    if (problems.length > 0)
      throw new ConsoleProblem(
        `${backup.path} can’t be restored as it was saved: ${problems.slice(0, 5).join('; ')}.`,
      );
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
