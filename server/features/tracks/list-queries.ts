import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { PageQuery } from '#contract/paging.ts';
import type { Db } from '../../db/connect.ts';
import type { Tables } from '../../db/tables.ts';
import { CursorId, CursorNumber, paginate, type Page } from '../../http/paginate.ts';
import { isVisible, type TrackRow, type Visibility } from './queries.ts';

export type LibraryState = 'listened' | 'missed' | 'downloaded';
export type TrackFilter = {
  year?: number | undefined;
  week?: number | undefined;
  genre?: string | undefined;
  /** What one member has done with it. */
  mine?: { userId: string; state: LibraryState } | undefined;
};
export type TrackPosition = [year: number, week: number, publishAt: number, id: string];

type TrackExpressions = ExpressionBuilder<Tables, 'tracks'>;

const positionColumns = ['tracks.year', 'tracks.week', 'tracks.publish_at', 'tracks.id'] as const;

const comparePosition = (
  { eb, refTuple, tuple }: TrackExpressions,
  operator: '<' | '>',
  [year, week, publishAt, id]: TrackPosition,
): Expression<SqlBool> =>
  eb(refTuple(...positionColumns), operator, tuple(year, week, publishAt as number | null, id));

/** Newest week first. */
export function listTracks(
  db: Db,
  visibility: Visibility,
  filter: TrackFilter,
  page: PageQuery,
): Promise<Page<TrackRow>> {
  let query = selectFor(db, filter.mine).where(isVisible(visibility));
  if (filter.year !== undefined) query = query.where('tracks.year', '=', filter.year);
  if (filter.week !== undefined) query = query.where('tracks.week', '=', filter.week);
  if (filter.genre !== undefined) query = query.where('tracks.genre', '=', filter.genre);
  return paginate(query, page, {
    orderBy: [
      ['tracks.year', CursorNumber],
      ['tracks.week', CursorNumber],
      ['tracks.publish_at', CursorNumber],
      ['tracks.id', CursorId],
    ],
  });
}

/**
 * What a member has done is read from their own rows and then sorted; what they have not done, from
 * the newest mix on, passing over their own. Both cost as much as this member has listened to, not
 * as much as there is.
 */
function selectFor(db: Db, mine: TrackFilter['mine']) {
  const tracks = db.selectFrom('tracks').selectAll('tracks');
  if (!mine) return tracks;
  const { userId, state } = mine;
  if (state === 'missed')
    return tracks.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('progress')
            .select('progress.track_id')
            .whereRef('progress.track_id', '=', 'tracks.id')
            .where('progress.user_id', '=', userId)
            .where('progress.listened_ms', '>', 0),
        ),
      ),
    );
  const own =
    state === 'listened'
      ? db
          .selectFrom('progress')
          .select('track_id')
          .where('user_id', '=', userId)
          .where('listened_ms', '>', 0)
      : db.selectFrom('downloads').select('track_id').distinct().where('user_id', '=', userId);
  // SQLite keeps the order of a cross join, so that it begins with the member's rows.
  return db
    .selectFrom(own.as('own'))
    .crossJoin('tracks')
    .selectAll('tracks')
    .whereRef('tracks.id', '=', 'own.track_id');
}

/** The mixes that stand beside one in the list of all. */
export async function findNeighbours(db: Db, visibility: Visibility, position: TrackPosition) {
  const findNext = (operator: '<' | '>', direction: 'asc' | 'desc') => {
    let query = db
      .selectFrom('tracks')
      .select(['tracks.id', 'tracks.title', 'tracks.year', 'tracks.week'])
      .where(isVisible(visibility))
      .where((eb) => comparePosition(eb, operator, position));
    for (const column of positionColumns) query = query.orderBy(column, direction);
    return query.limit(1).executeTakeFirst();
  };
  const [previous, next] = await Promise.all([findNext('<', 'desc'), findNext('>', 'asc')]);
  return { previous, next };
}

/** From one value of an index to the next, however many tracks share each of them. */
async function leapThrough<T extends string | number>(
  db: Db,
  visibility: Visibility,
  column: 'year' | 'genre',
): Promise<T[]> {
  const value = sql.ref(`tracks.${column}`);
  const [after, direction] = column === 'year' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const first = (condition: Expression<unknown>) => sql`(
    select ${value} from tracks
    where ${isVisible(visibility)} and ${condition}
    order by ${value} ${direction} limit 1)`;
  const { rows } = await sql<{ value: T }>`
    with recursive leap(value) as (
      select ${first(sql`${value} is not null`)}
      union all
      select ${first(sql`${value} ${after} leap.value`)} from leap where leap.value is not null
    )
    select value from leap where value is not null`.execute(db);
  return rows.map((row) => row.value);
}

export const listYears = (db: Db, visibility: Visibility): Promise<number[]> =>
  leapThrough<number>(db, visibility, 'year');

export const listGenres = (db: Db, visibility: Visibility): Promise<string[]> =>
  leapThrough<string>(db, visibility, 'genre');
