import { sql, type SqlBool, type Expression, type ExpressionBuilder } from 'kysely';
import type { PageQuery } from '#contract/paging.ts';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import { isDisabled } from '../../db/is-disabled.ts';
import type { Db } from '../../db/connect.ts';
import {
  fromJsonList,
  fromQuestions,
  lookUp,
  prepareBatch,
  prepareQuery,
} from '../../db/prepare-query.ts';
import type { RenditionName, RenditionsTable, TracksTable, Tables } from '../../db/types/tables.ts';
import { CursorId, CursorNumber, paginate, type RowPage } from '../../http/route/paginate.ts';
import { isListened } from '../progress/service.ts';
import type { ProgressTable } from '../../db/types/listening-tables.ts';

export type TrackRow = TracksTable;
export type TrackFileRow = RenditionsTable;

/** What a viewer may see at all. */
export type Visibility = { publishedBy: number; includesSubscriberOnly: boolean };

export const isVisible = ({ publishedBy, includesSubscriberOnly }: Visibility) =>
  // The status is a literal: with a parameter SQLite would recompile the query for each value, to see
  // whether the index of ready tracks applies.
  sql<SqlBool>`(tracks.status = 'ready' and tracks.publish_at is not null
    and tracks.publish_at <= ${publishedBy}
    ${includesSubscriberOnly ? sql`` : sql`and tracks.is_subscriber_only = 0`})`;

const visibleTracks = (db: Db, visibility: Visibility) =>
  db.selectFrom('tracks').where(isVisible(visibility));

/** The next release that will be public, whether or not subscribers can already hear it. */
export const findNextRelease = (db: Db, now: number) =>
  visibleTracks(db, { publishedBy: Number.MAX_SAFE_INTEGER, includesSubscriberOnly: false })
    .select(['title', 'year', 'week', 'publish_at'])
    .where('publish_at', '>', now)
    .orderBy('publish_at')
    .limit(1)
    .executeTakeFirst();

/** For administrators, who may see a track before its release. */
export const findReadyTrack = (db: Db, id: string): Promise<TrackRow | undefined> =>
  db
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'ready')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** The file of an unpublished track, for an administrator with a valid session. */
export const findFileForAdmin = (
  db: Db,
  {
    tokenHash,
    now,
    id,
    rendition,
  }: { tokenHash: string; now: number; id: string; rendition: RenditionName },
) =>
  db
    .selectFrom('tracks')
    .innerJoin('renditions', 'renditions.track_id', 'tracks.id')
    .innerJoin('sessions', (join) =>
      join.on('sessions.token_hash', '=', tokenHash).on('sessions.expires_at', '>', now),
    )
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['key', 'size', 'media_type', 'has_downloads', 'has_lossless', 'has_saving'])
    .where('tracks.id', '=', id)
    .where('tracks.status', '=', 'ready')
    .where('tracks.deleted_at', 'is', null)
    .where('name', '=', rendition)
    .where((where) => where.or([where('users.is_admin', '=', 1), where('users.is_helper', '=', 1)]))
    .executeTakeFirst();

export const isTakenDown = async (db: Db, id: string): Promise<boolean> =>
  (await db
    .selectFrom('tracks')
    .select('id')
    .where('id', '=', id)
    .where('taken_down_at', 'is not', null)
    .executeTakeFirst()) !== undefined;

/** Any tracks, visible or not. */
export const listRows = (db: Db, ids: readonly string[]): Promise<TrackRow[]> =>
  db.selectFrom('tracks').selectAll().where('id', 'in', ids).execute();

export const listFilesOf = (db: Db, trackIds: readonly string[]): Promise<TrackFileRow[]> =>
  trackIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom('renditions').selectAll().where('track_id', 'in', trackIds).execute();

/** The files that members can keep, and what their tracks turn off. */
export async function listFilesToKeep(db: Db, trackIds: readonly string[]) {
  if (trackIds.length === 0) return [];
  return db
    .selectFrom('renditions')
    .innerJoin('tracks', 'tracks.id', 'renditions.track_id')
    .selectAll('renditions')
    .select(['has_downloads', 'has_lossless', 'has_saving'])
    .where('track_id', 'in', trackIds)
    .where('name', 'in', ['mp3', 'flac'])
    .execute();
}

/** `ids` is a JSON list. */
export const listPlayCounts = prepareQuery(
  (db, ids: string) => ({
    compile: () =>
      sql<Pick<TrackRow, 'id' | 'play_count'>>`
        select t.id, t.play_count from ${fromJsonList(db, ids)} as ids
        cross join tracks as t where t.id = ids.value`.compile(db),
  }),
  1,
);

/** What one user has done with a track. */
export type ViewerStateRow = { id: string; favorite_id: string | null } & {
  [K in 'position_ms' | 'listened_ms' | 'is_finished' | 'last_listened_at']:
    | ProgressTable[K]
    | null;
};

const selectViewerStates = prepareBatch(
  (db, questions) => ({
    compile: () => {
      const isOwn = (table: 'favorites' | 'progress') =>
        sql`${sql.ref(`${table}.user_id`)} = ${sql.ref('questions.user')}
        and ${sql.ref(`${table}.track_id`)} = ids.value`;
      return sql<ViewerStateRow & { asked: number }>`
      select asked, ids.value as id, favorites.track_id as favorite_id,
        position_ms, listened_ms, is_finished, last_listened_at
      from ${fromQuestions(db, questions, ['user', 'ids'])} as questions
      cross join ${fromJsonList(db, sql.ref('questions.ids'))} as ids
      ${lookUp(db, 'favorites', isOwn('favorites'))}
      ${lookUp(db, 'progress', isOwn('progress'))}
      where favorites.track_id is not null or progress.track_id is not null`.compile(db);
    },
  }),
  process.nextTick,
);

/** Never kept in memory. Tracks that the user has done nothing with are left out. */
export const listViewerStates = (
  db: Db,
  user: string,
  ids: readonly string[],
): Promise<ViewerStateRow[]> => selectViewerStates(db, { user, ids });

/**
 * Everything that decides whether a viewer may hear a file, in one query: a player requests hundreds
 * of parts of a track, and each is checked. The user is null without a valid session.
 */
export const findFileAndViewer = prepareQuery(
  (db, tokenHash: string, now: number, publishedBy: number, id: string, rendition: RenditionName) =>
    visibleTracks(db, { publishedBy, includesSubscriberOnly: true })
      .innerJoin('renditions', 'renditions.track_id', 'tracks.id')
      .leftJoin('sessions', (join) =>
        join.on('sessions.token_hash', '=', tokenHash).on('sessions.expires_at', '>', now),
      )
      .leftJoin('users', 'users.id', 'sessions.user_id')
      .leftJoin('streams', 'streams.device', 'sessions.token_hash')
      .select(['publish_at', 'is_subscriber_only', 'key', 'size', 'media_type'])
      .select([
        'has_downloads',
        'has_lossless',
        'has_saving',
        'duration_ms',
        'title',
        'year',
        'week',
      ])
      .select('tracks.updated_at as modified_at')
      .select(['users.id as user_id', 'is_admin', 'is_helper', 'paid_through'])
      .select(['streams.seen_at', 'streams.stopped_at', 'streams.told_at'])
      .where('tracks.id', '=', id)
      .where('name', '=', rendition),
  5,
);

/** The same for the owner of a download link, who may have no session. */
export const findFileAndOwner = prepareQuery(
  (db, userId: string, publishedBy: number, id: string, rendition: RenditionName) =>
    visibleTracks(db, { publishedBy, includesSubscriberOnly: true })
      .innerJoin('renditions', 'renditions.track_id', 'tracks.id')
      .innerJoin('users', (join) => join.on('users.id', '=', userId))
      .select(['publish_at', 'is_subscriber_only', 'key', 'size', 'media_type'])
      .select(['has_downloads', 'has_lossless', 'has_saving', 'duration_ms'])
      .select('tracks.updated_at as modified_at')
      .select(['title', 'year', 'week', 'is_admin', 'is_helper', 'paid_through', 'link_generation'])
      .select(isDisabled)
      .where('tracks.id', '=', id)
      .where('name', '=', rendition),
  4,
);

export async function findPeaks(db: Db, trackId: string): Promise<number[]> {
  const row = await db
    .selectFrom('track_peaks')
    .select('peaks')
    .where('track_id', '=', trackId)
    .executeTakeFirst();
  return row ? (JSON.parse(row.peaks) as number[]) : [];
}

type LibraryState = 'listened' | 'missed' | 'downloaded';
export type TrackFilter = {
  year?: number | undefined;
  week?: number | undefined;
  genre?: string | undefined;
  series?: string | undefined;
  artist?: string | undefined;
  /** What one user has done with it. */
  mine?:
    | { userId: string; state: LibraryState; thisWeek: WeekOfYear; hasFullAccess: boolean }
    | undefined;
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

const listed = ['tracks.id', 'tracks.year', 'tracks.week', 'tracks.publish_at'] as const;

/** Newest week first. */
export function listTracks(
  db: Db,
  visibility: Visibility,
  filter: TrackFilter,
  page: PageQuery,
): Promise<RowPage<Pick<TrackRow, 'id'>>> {
  let query = selectFor(db, filter).where(isVisible(visibility));
  if (filter.year !== undefined) query = query.where('tracks.year', '=', filter.year);
  if (filter.week !== undefined) query = query.where('tracks.week', '=', filter.week);
  if (filter.genre !== undefined) query = query.where('tracks.genre', '=', filter.genre);
  if (filter.series !== undefined) query = query.where('tracks.series', '=', filter.series);
  if (filter.mine && filter.artist !== undefined)
    query = query.where('tracks.id', 'in', listIdsBy(db, filter.artist));
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
 * Tracks of an artist and tracks the user has listened to start from the rows that say so; tracks they
 * missed start from the newest and skip their own. Either way the cost depends on this artist or user,
 * not on the size of the catalogue.
 */
function selectFor(db: Db, { mine, artist }: TrackFilter) {
  const tracks = db.selectFrom('tracks').select(listed);
  if (!mine && artist === undefined) return tracks;
  if (mine?.state === 'missed') {
    const { userId, thisWeek, hasFullAccess } = mine;
    return tracks
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('tracks.year', 'tracks.week'), '<', tuple(thisWeek.year, thisWeek.week)),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('progress')
              .select('progress.track_id')
              .whereRef('progress.track_id', '=', 'tracks.id')
              .where('progress.user_id', '=', userId)
              .where(isListened(hasFullAccess)),
          ),
        ),
      );
  }
  // SQLite keeps the order of a cross join, so it starts with these rows.
  return db
    .selectFrom((mine ? listOwnIds(db, mine) : listIdsBy(db, artist ?? '')).as('own'))
    .crossJoin('tracks')
    .select(listed)
    .whereRef('tracks.id', '=', 'own.track_id');
}

const listIdsBy = (db: Db, artist: string) =>
  db.selectFrom('track_artists').select('track_id').where('artist_id', '=', artist);

const listOwnIds = (db: Db, { userId, state, hasFullAccess }: NonNullable<TrackFilter['mine']>) =>
  state === 'listened'
    ? db
        .selectFrom('progress')
        .crossJoin('tracks')
        .select('progress.track_id')
        .whereRef('tracks.id', '=', 'progress.track_id')
        .where('progress.user_id', '=', userId)
        .where(isListened(hasFullAccess))
    : db.selectFrom('downloads').select('track_id').distinct().where('user_id', '=', userId);

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
  column: 'year' | 'week' | 'genre' | 'series',
  within: Expression<unknown> = sql`1 = 1`,
): Promise<T[]> {
  const value = sql.ref(`tracks.${column}`);
  const [after, direction] =
    column === 'year' || column === 'week' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const first = (condition: Expression<unknown>) => sql`(
    select ${value} from tracks
    where ${isVisible(visibility)} and ${within} and ${condition}
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

/** The newest week first. */
export const listWeeks = (db: Db, visibility: Visibility, year: number): Promise<number[]> =>
  listDistinct<number>(db, visibility, 'week', sql`tracks.year = ${year}`);

/** How many there are of each year. */
export const countYears = (db: Db, visibility: Visibility) =>
  visibleTracks(db, visibility)
    .select(({ fn }) => ['year', fn.countAll<number>().as('count')])
    .groupBy('year')
    .execute();

export const listGenres = (db: Db, visibility: Visibility): Promise<string[]> =>
  listDistinct<string>(db, visibility, 'genre');

export const listSeries = (db: Db, visibility: Visibility): Promise<string[]> =>
  listDistinct<string>(db, visibility, 'series');
