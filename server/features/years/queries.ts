import { sql } from 'kysely';
import type { YearPlay } from '#contract/rules/year.ts';
import type { Db } from '../../db/connect.ts';
import { isDisabled } from '../../db/is-disabled.ts';
import type { SharedYearsTable } from '../../db/types/listening-tables.ts';
import { USER_COLUMNS } from '../../http/route/sessions.ts';

/** More than anybody plays in a year. */
const MAX_PLAYS = 5000;

/** The member’s counted plays of mixes of a year since this time; the last ones if there are very many. */
export async function listYearPlays(
  db: Db,
  { userId, year, since }: { userId: string; year: number; since: number },
): Promise<YearPlay[]> {
  const rows = await db
    .selectFrom('plays')
    .innerJoin('tracks', 'tracks.id', 'plays.track_id')
    .select(['plays.track_id', 'plays.started_at', 'plays.listened_ms'])
    .where('plays.user_id', '=', userId)
    .where('plays.listened_at', '>=', since)
    .where('plays.is_counted', '=', sql.lit(1))
    .where('tracks.year', '=', year)
    .orderBy('plays.listened_at', 'desc')
    .limit(MAX_PLAYS)
    .execute();
  return rows.map(({ track_id: trackId, started_at: at, listened_ms }) => ({
    trackId,
    at,
    listened: listened_ms / 1000,
  }));
}

type YearKey = { userId: string; year: number };

export const findShare = (
  db: Db,
  { userId, year }: YearKey,
): Promise<SharedYearsTable | undefined> =>
  db
    .selectFrom('shared_years')
    .selectAll()
    .where('user_id', '=', userId)
    .where('year', '=', year)
    .executeTakeFirst();

/** Keeps the address of a year that is shared already. */
export const saveShare = (db: Db, share: SharedYearsTable): Promise<SharedYearsTable> =>
  db
    .insertInto('shared_years')
    .values(share)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'year']).doUpdateSet({ has_name: share.has_name }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

export const deleteShare = (db: Db, { userId, year }: YearKey) =>
  db.deleteFrom('shared_years').where('user_id', '=', userId).where('year', '=', year).execute();

/** The year at a public address, and the account of its member. */
export const findSharedYear = (db: Db, token: string) =>
  db
    .selectFrom('shared_years')
    .innerJoin('users', 'users.id', 'shared_years.user_id')
    .select(USER_COLUMNS)
    .select(['shared_years.year', 'shared_years.has_name', isDisabled])
    .where('shared_years.token', '=', token)
    .executeTakeFirst();

export async function* exportSharedYears(db: Db, userId: string) {
  const rows = await db
    .selectFrom('shared_years')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('year')
    .execute();
  for (const { year, token, has_name, created_at: sharedAt } of rows)
    yield { year, token, hasName: has_name === 1, sharedAt };
}

/** Plays and listeners of the whole site between two days. */
export async function sumSiteYear(
  db: Db,
  { from, to }: { from: string; to: string },
): Promise<{ plays: number; listeners: number }> {
  const days = await db
    .selectFrom('site_days')
    .select(({ fn }) => fn.sum<number | null>('plays').as('plays'))
    .where('day', '>=', from)
    .where('day', '<=', to)
    .executeTakeFirst();
  const gaps = await db
    .selectFrom('listener_gaps')
    .select(({ fn }) => fn.sum<number | null>('listeners').as('listeners'))
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('previous_day', '<', from)
    .executeTakeFirst();
  return { plays: days?.plays ?? 0, listeners: gaps?.listeners ?? 0 };
}
