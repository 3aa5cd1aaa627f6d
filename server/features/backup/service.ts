import { z } from 'zod';
import type { Db } from '../../db/connect.ts';

/** In the table of settings, so that a backup can be recorded whatever version made the database. */
const NAME = 'backup';

const State = z.object({
  /** When the rows of the newest whole backup were read; null if there never was one. */
  lastAt: z.int().nullable(),
  /** When a backup was last read back, restored on the side and compared; null if it failed since. */
  lastVerifiedAt: z.int().nullable(),
  /** Why the last backup or its proof failed, in a sentence; null if both went well. */
  problem: z.string().nullable(),
  /** Which repository `BACKUP_DIR` led to; null before the first backup there. */
  repository: z.string().nullable(),
});
/** Both times are of the machine that made the backup, and in the future if its clock was fast. */
export type BackupState = z.infer<typeof State>;

const NONE: BackupState = { lastAt: null, lastVerifiedAt: null, problem: null, repository: null };

/** What is known of this site's backups. What can't be read counts as no backup at all. */
export async function readBackupState(db: Db): Promise<BackupState> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirst();
  try {
    return row ? State.parse(JSON.parse(row.value)) : NONE;
  } catch {
    return NONE;
  }
}

export async function recordBackup(
  db: Db,
  change: Partial<BackupState>,
  now: number,
): Promise<void> {
  const state = { ...(await readBackupState(db)), ...change };
  const row = { value: JSON.stringify(state), updated_at: now };
  await db
    .insertInto('settings')
    .values({ name: NAME, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}
