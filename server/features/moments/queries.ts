import { sql, type Expression, type SqlBool } from 'kysely';
import type { MomentBan } from '#contract/admin/moments.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Db } from '../../db/connect.ts';
import { exportRows, nameTrack } from '../../db/export-rows.ts';
import { isDisabled } from '../../db/is-disabled.ts';
import { fromQuestions } from '../../db/prepare-query.ts';
import type { MomentsTable } from '../../db/types/tables.ts';
import { CursorId, CursorNumber, paginate } from '../../http/route/paginate.ts';

/** False if the user already has one in this minute of the track. */
export async function insertMoment(db: Db, moment: MomentsTable): Promise<boolean> {
  const row = await db
    .insertInto('moments')
    .values(moment)
    .onConflict((conflict) => conflict.columns(['user_id', 'track_id', 'minute']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** One that its author hasn’t deleted. */
export const findMoment = (db: Db, id: string) =>
  db
    .selectFrom('moments')
    .innerJoin('users', 'users.id', 'moments.user_id')
    .selectAll('moments')
    .select('users.username')
    .where('moments.id', '=', id)
    .where('text', '<>', '')
    .executeTakeFirst();

/** One of the user's, written after this time, that nobody has hidden. */
export async function updateText(
  db: Db,
  { id, userId, writtenAfter }: { id: string; userId: string; writtenAfter: number },
  text: string,
): Promise<boolean> {
  const row = await db
    .updateTable('moments')
    .set({ text })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('created_at', '>', writtenAfter)
    .where('hidden_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * A hidden one only loses its text: it stays in the way of another in its minute, or its author could
 * leave the same line again.
 */
export async function deleteOwn(db: Db, id: string, userId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('moments')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('hidden_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (deleted) return true;
  const emptied = await db
    .updateTable('moments')
    .set({ text: '' })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('hidden_at', 'is not', null)
    .where('text', '<>', '')
    .returning('id')
    .executeTakeFirst();
  return emptied !== undefined;
}

/** What nobody has hidden, of an author who is neither disabled nor banned with their lines. */
const IS_SHOWN = sql<SqlBool>`moments.hidden_at is null and not exists (
    select 1 from users where users.id = moments.user_id and users.moment_ban = 'lines')
  and not exists (select 1 from disabled_accounts
    where disabled_accounts.user_id = moments.user_id)`;

const selectNamed = (db: Db) =>
  db
    .selectFrom('moments')
    .innerJoin('users', 'users.id', 'moments.user_id')
    .selectAll('moments')
    .select('users.username');

export type MomentRow = MomentsTable & { username: string };

/** Those of a track from a second up to its end, in their order, with all of the reader's own. */
export const listMoments = (
  db: Db,
  { trackId, userId, from, end }: { trackId: string; userId: string; from: number; end: number },
  page: PageQuery,
) =>
  paginate(
    selectNamed(db)
      .where('track_id', '=', trackId)
      .where('second', '>=', from)
      .where('second', '<', end)
      .where(({ or, eb }) => or([IS_SHOWN, eb('moments.user_id', '=', userId)]))
      .where('text', '<>', ''),
    page,
    {
      orderBy: [
        ['moments.second', CursorNumber],
        ['moments.id', CursorId],
      ],
      direction: 'asc',
    },
  );

/** The user's own on a track: one a minute at most. Also hidden ones that they deleted. */
export const listOwnOnTrack = (db: Db, userId: string, trackId: string): Promise<MomentRow[]> =>
  selectNamed(db)
    .where('moments.user_id', '=', userId)
    .where('track_id', '=', trackId)
    .orderBy('second')
    .execute();

/** Seconds from `from` to before `to`. */
export type Column = { from: number; turn: number; to: number };

/**
 * One line for each column: the last one up to `turn`, else the last one of all. Each is found by two
 * looks into the index, so it takes the same time whether there are ten lines or ten thousand.
 */
export async function listMarks(
  db: Db,
  trackId: string,
  columns: readonly Column[],
): Promise<MomentRow[]> {
  if (columns.length === 0) return [];
  const column = (name: keyof Column) => sql`cast(questions.${sql.ref(name)} as integer)`;
  const findLast = (condition: Expression<SqlBool>) => sql`(
    select moments.id from moments
    where moments.track_id = ${trackId} and ${condition} and ${IS_SHOWN}
    order by moments."second" desc, moments.id desc limit 1)`;
  const { rows } = await sql<MomentRow>`
    select moments.*, users.username
    from ${fromQuestions(db, JSON.stringify(columns), ['from', 'turn', 'to'])} as questions
    join moments on moments.id = coalesce(
      ${findLast(sql`moments."second" >= ${column('from')} and moments."second" <= ${column('turn')}`)},
      ${findLast(sql`moments."second" > ${column('turn')} and moments."second" < ${column('to')}`)})
    join users on users.id = moments.user_id
    order by moments."second"`.execute(db);
  return rows;
}

export async function findBan(db: Db, userId: string): Promise<MomentBan> {
  const row = await db
    .selectFrom('users')
    .select('moment_ban')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.moment_ban ?? null;
}

/** Newest first. */
export const listOwn = (db: Db, userId: string, publishedBy: number, page: PageQuery) =>
  paginate(
    db
      .selectFrom('moments')
      .innerJoin('tracks', 'tracks.id', 'moments.track_id')
      .selectAll('moments')
      .select(nameTrack(publishedBy))
      .where('user_id', '=', userId)
      .where('text', '<>', ''),
    page,
    { orderBy: [['moments.id', CursorId]] },
  );

/** Oldest first. */
export const exportMoments = (db: Db, userId: string, publishedBy: number) =>
  exportRows(
    db
      .selectFrom('moments')
      .innerJoin('tracks', 'tracks.id', 'moments.track_id')
      .select(['moments.id', 'moments.track_id as trackId'])
      .select(nameTrack(publishedBy))
      .select([
        'moments.second as atSecond',
        'moments.text',
        'moments.created_at as writtenAt',
        'moments.hidden_at as hiddenAt',
      ])
      .where('moments.user_id', '=', userId),
    { id: 'moments.id' },
  );

export type AdminFilter = {
  /** Users and tracks that a search found. */
  found?: { users: readonly string[]; tracks: readonly string[] } | undefined;
  user?: string | undefined;
  track?: string | undefined;
};

/** Newest first, whether others see them or not. */
export const listForAdmins = (db: Db, { found, user, track }: AdminFilter, page: PageQuery) =>
  paginate(
    db
      .selectFrom('moments')
      .innerJoin('users', 'users.id', 'moments.user_id')
      .innerJoin('tracks', 'tracks.id', 'moments.track_id')
      .selectAll('moments')
      .select([
        'users.username',
        'users.moment_ban',
        'users.is_admin',
        'users.is_helper',
        'tracks.title',
        'tracks.week',
        'tracks.year',
        'tracks.has_moments',
      ])
      .select(isDisabled)
      .$if(found !== undefined, (query) =>
        query.where(({ or, eb }) =>
          or([
            eb('moments.user_id', 'in', [...(found?.users ?? []), '']),
            eb('moments.track_id', 'in', [...(found?.tracks ?? []), '']),
          ]),
        ),
      )
      .$if(user !== undefined, (query) => query.where('moments.user_id', '=', user ?? ''))
      .$if(track !== undefined, (query) => query.where('moments.track_id', '=', track ?? '')),
    page,
    { orderBy: [['moments.id', CursorId]] },
  );
export type AdminRow = Awaited<ReturnType<typeof listForAdmins>>['rows'][number];

/** More names than that aren't a search any more. */
const MAX_FOUND = 50;

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, (letter) => `\\${letter}`);

/** Whose name, and which title, has this text in it. */
export async function findNamed(db: Db, q: string) {
  const like = `%${escapeLike(q.toLowerCase())}%`;
  const users = await db
    .selectFrom('users')
    .select('id')
    .where(sql<SqlBool>`users.username_key like ${like} escape '\\'`)
    .where(sql<SqlBool>`exists (select 1 from moments where moments.user_id = users.id)`)
    .limit(MAX_FOUND)
    .execute();
  const tracks = await db
    .selectFrom('tracks')
    .select('id')
    .where(sql<SqlBool>`lower(tracks.title) like ${like} escape '\\'`)
    .limit(MAX_FOUND)
    .execute();
  return { users: users.map(({ id }) => id), tracks: tracks.map(({ id }) => id) };
}

/** False if it was like that already, or its author has deleted it. */
export async function setHidden(db: Db, id: string, hiddenAt: number | null): Promise<boolean> {
  const row = await db
    .updateTable('moments')
    .set({ hidden_at: hiddenAt })
    .where('id', '=', id)
    .where('text', '<>', '')
    .where('hidden_at', hiddenAt === null ? 'is not' : 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export const findAuthor = (db: Db, id: string) =>
  db
    .selectFrom('users')
    .select(['users.id', 'username', 'moment_ban', 'is_admin', 'is_helper'])
    .select(isDisabled)
    .where('users.id', '=', id)
    .executeTakeFirst();

export const setBan = (db: Db, userId: string, moment_ban: MomentBan) =>
  db.updateTable('users').set({ moment_ban }).where('id', '=', userId).execute();

export const findTrack = (db: Db, id: string) =>
  db
    .selectFrom('tracks')
    .select(['id', 'title', 'week', 'year', 'has_moments'])
    .where('id', '=', id)
    .where('purged_at', 'is', null)
    .executeTakeFirst();

export const setTrackMoments = (db: Db, id: string, has_moments: 0 | 1) =>
  db.updateTable('tracks').set({ has_moments }).where('id', '=', id).execute();
