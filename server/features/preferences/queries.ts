import {
  defaultPreferences,
  type Preferences,
  type PreferencesChange,
} from '#contract/preferences.ts';
import type { Db } from '../../db/connect.ts';
import type { PreferencesTable } from '../../db/tables.ts';

type Flags = Pick<PreferencesTable, 'release_mails' | 'news_mails' | 'analytics'>;

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);

const toFlags = (change: PreferencesChange): Partial<Flags> => ({
  ...(change.releaseMails !== undefined && { release_mails: flag(change.releaseMails) }),
  ...(change.newsMails !== undefined && { news_mails: flag(change.newsMails) }),
  ...(change.analytics !== undefined && { analytics: flag(change.analytics) }),
});

const toPreferences = (row: Flags): Preferences => ({
  releaseMails: row.release_mails === 1,
  newsMails: row.news_mails === 1,
  analytics: row.analytics === 1,
});

export async function findPreferences(db: Db, userId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('preferences')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? toPreferences(row) : defaultPreferences;
}

/** Changes only the given fields, so that two tabs can change different ones. */
export async function savePreferences(
  db: Db,
  userId: string,
  change: PreferencesChange,
  now: number,
): Promise<Preferences> {
  const defaults = toFlags(defaultPreferences) as Flags;
  const flags = toFlags(change);
  const row = await db
    .insertInto('preferences')
    .values({ user_id: userId, ...defaults, ...flags, updated_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...flags, updated_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toPreferences(row);
}

export async function userExists(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
