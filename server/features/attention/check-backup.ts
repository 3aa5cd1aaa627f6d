import { formatDayAndTime } from '#contract/rules/format.ts';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import type { Db } from '../../db/connect.ts';
import { readBackupState } from '../backup/service.ts';
import type { Check } from './check.ts';

/** A backup each night; one that takes longer than the night before isn’t late. */
const LATE_MS = DAY + 2 * HOUR;
/** A backup is proven by reading it once a week. */
const UNPROVEN_MS = 8 * DAY;
/** Until then there is little to lose, and the operator has other worries. */
const NEW_SITE_MS = DAY;

async function hasRunForADay(db: Db, now: number): Promise<boolean> {
  const track = await db
    .selectFrom('tracks')
    .select('id')
    .where('status', '=', 'ready')
    .where('publish_at', '<=', now - NEW_SITE_MS)
    .limit(1)
    .executeTakeFirst();
  return track !== undefined;
}

/** Whether there is a backup of last night that somebody could restore. */
export const checkBackup: Check = {
  kind: 'backup',
  everyMs: 10 * MINUTE,
  look: async ({ database: { db }, config, clock }) => {
    const now = clock.now();
    const { lastAt, lastVerifiedAt, problem } = await readBackupState(db);
    if (lastAt === null && problem === null) {
      if (config.demo || !(await hasRunForADay(db, now))) return null;
      return { text: 'There has never been a backup: whatever happens now can’t be undone.' };
    }
    const formatTime = (at: number) => formatDayAndTime(at, config.timeZone);
    const sentences = [
      ...(problem === null ? [] : [`The last backup failed: ${problem}`]),
      ...(lastAt === null
        ? ['There has never been a whole backup.']
        : now - lastAt > LATE_MS
          ? [`The last backup was made ${formatTime(lastAt)}.`]
          : []),
      ...(lastAt !== null && lastVerifiedAt === null
        ? ['Nobody knows whether the backups can be read: none has been restored as a test.']
        : now - (lastVerifiedAt ?? now) > UNPROVEN_MS
          ? [
              `The last time that a backup was restored as a test was ${formatTime(lastVerifiedAt ?? now)}.`,
            ]
          : []),
    ];
    return sentences.length === 0 ? null : { text: sentences.join(' ') };
  },
};
