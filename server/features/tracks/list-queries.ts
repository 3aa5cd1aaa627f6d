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
  /** What one user has done with it. */
  mine?: { userId: string; state: LibraryState } | undefined;
};
type TrackOrder = [year: number, week: number, publishAt: number, id: string];

type TrackExpressions = ExpressionBuilder<Tables, 'tracks'>;

const orderColumns = ['tracks.year', 'tracks.week', 'tracks.publish_at', 'tracks.id'] as const;

const compareOrder = (
  { eb, refTuple, tuple }: TrackExpressions,
  operator: '<' | '>',
  [year, week, publishAt, id]: TrackOrder,
): Expression<SqlBool> =>
  eb(refTuple(...orderColumns), operator, tuple(year, week, publishAt as number | null, id));

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
 * Tracks the user has listened to start from their own rows; tracks they missed start from the newest
 * and skip their own. Either way the cost depends on this user, not on the size of the catalogue.
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
  // SQLite keeps the order of a cross join, so it starts with the user's rows.
  return db
    .selectFrom(own.as('own'))
    .crossJoin('tracks')
    .selectAll('tracks')
    .whereRef('tracks.id', '=', 'own.track_id');
}

/** The tracks before and after this one in the list of all tracks. */
export async function findNeighbours(db: Db, visibility: Visibility, from: TrackOrder) {
  const findNext = (operator: '<' | '>', direction: 'asc' | 'desc') => {
    let query = db
      .selectFrom('tracks')
      .select(['tracks.id', 'tracks.title', 'tracks.year', 'tracks.week'])
      .where(isVisible(visibility))
      .where((eb) => compareOrder(eb, operator, from));
    for (const column of orderColumns) query = query.orderBy(column, direction);
    return query.limit(1).executeTakeFirst();
  };
  const [previous, next] = await Promise.all([findNext('<', 'desc'), findNext('>', 'asc')]);
  return { previous, next };
}

/** Skips from one value of an index to the next, however many tracks share it. */
async function listDistinct<T extends string | number>(
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
    with recursive distinct_values(value) as (
      select ${first(sql`${value} is not null`)}
      union all
      select ${first(sql`${value} ${after} distinct_values.value`)} from distinct_values where distinct_values.value is not null
    )
    select value from distinct_values where value is not null`.execute(db);
  return rows.map((row) => row.value);
}

export const listYears = (db: Db, visibility: Visibility): Promise<number[]> =>
  listDistinct<number>(db, visibility, 'year');

export const listGenres = (db: Db, visibility: Visibility): Promise<string[]> =>
  listDistinct<string>(db, visibility, 'genre');
