import { sql, type SelectQueryBuilder } from 'kysely';
import type { DownloadFormat } from '#contract/downloads.ts';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import type { AppPlaysTable } from '../../db/types/account-tables.ts';
import type { Db } from '../../db/connect.ts';
import type { BookmarksTable, PlayQueuesTable } from '../../db/types/listening-tables.ts';
import type { Tables } from '../../db/types/tables.ts';
import { exportRows, nameTrack } from '../../db/export-rows.ts';
import { isVisible, type Visibility } from '../tracks/service.ts';
import { WHOLE_YEAR } from './ids.ts';

export type Slice = { limit: number; offset: number };
export type TrackChoice = {
  years?: { from: number; to: number } | undefined;
  genre?: string | undefined;
  /** Tracks of this artist; null for those that name nobody. */
  artistId?: string | null | undefined;
};
export type Order = 'newest' | 'oldest' | 'name' | 'plays' | 'random';

const weekKey = sql<number>`tracks.year * 100 + tracks.week`;
const wholeYearKey = sql<number>`tracks.year * 100 + ${sql.lit(WHOLE_YEAR)}`;
const toWeekKey = ({ year, week }: WeekOfYear) => year * 100 + week;

function selectTracks(db: Db, visibility: Visibility, { years, genre, artistId }: TrackChoice) {
  let query = db.selectFrom('tracks').where(isVisible(visibility));
  if (years)
    query = query.where('tracks.year', '>=', years.from).where('tracks.year', '<=', years.to);
  if (genre !== undefined) query = query.where('tracks.genre', '=', genre);
  if (artistId === undefined) return query;
  return query.where(({ exists, not, selectFrom }) => {
    const named = selectFrom('track_artists')
      .select('track_artists.track_id')
      .whereRef('track_artists.track_id', '=', 'tracks.id');
    return artistId === null
      ? not(exists(named))
      : exists(named.where('track_artists.artist_id', '=', artistId));
  });
}

export type AlbumOrder = { order: Order; withYears?: boolean };

/** The weeks that have such tracks, and where wanted their years, each as `WHOLE_YEAR`. */
export function listWeeks(
  db: Db,
  visibility: Visibility,
  choice: TrackChoice,
  { order, withYears = false, limit, offset }: Slice & AlbumOrder,
): Promise<WeekOfYear[]> {
  const tracks = selectTracks(db, visibility, choice).select(({ fn }) => [
    'tracks.year',
    fn.sum<number>('tracks.play_count').as('plays'),
  ]);
  const weeks = tracks.select('tracks.week').groupBy(['tracks.year', 'tracks.week']);
  const years = tracks
    .select(sql<number>`${sql.lit(WHOLE_YEAR)}`.as('week'))
    .groupBy('tracks.year');
  let query = db
    .selectFrom((withYears ? weeks.unionAll(years) : weeks).as('albums'))
    .select(['albums.year', 'albums.week']);
  if (order === 'random') query = query.orderBy(sql`random()`);
  if (order === 'plays') query = query.orderBy('albums.plays', 'desc');
  // As text: “Week 10” comes before “Week 2”, and “2026”, whose week is 0, before both.
  if (order === 'name') query = query.orderBy(sql`cast(albums.week as text)`);
  const direction = order === 'oldest' || order === 'name' ? 'asc' : 'desc';
  return query
    .orderBy('albums.year', direction)
    .orderBy('albums.week', direction)
    .limit(limit)
    .offset(offset)
    .execute();
}

const inLibraryOrder = <O>(query: SelectQueryBuilder<Tables, 'tracks', O>) =>
  query
    .orderBy('tracks.year', 'desc')
    .orderBy('tracks.week', 'desc')
    .orderBy('tracks.publish_at', 'desc')
    .orderBy('tracks.id', 'desc');

export async function listTrackIds(
  db: Db,
  visibility: Visibility,
  choice: TrackChoice,
  { order, limit, offset }: Slice & { order: Order },
): Promise<string[]> {
  let query = selectTracks(db, visibility, choice).select('tracks.id');
  if (order === 'random') query = query.orderBy(sql`random()`);
  if (order === 'plays') query = query.orderBy('tracks.play_count', 'desc');
  const rows = await inLibraryOrder(query).limit(limit).offset(offset).execute();
  return rows.map(({ id }) => id);
}

/** The tracks of these weeks and whole years, those of a week in the order of their release. */
export async function listWeekTracks(
  db: Db,
  visibility: Visibility,
  weeks: readonly WeekOfYear[],
): Promise<(WeekOfYear & { id: string })[]> {
  if (weeks.length === 0) return [];
  return db
    .selectFrom('tracks')
    .select(['tracks.id', 'tracks.year', 'tracks.week'])
    .where(isVisible(visibility))
    .where('tracks.year', 'in', [...new Set(weeks.map(({ year }) => year))])
    .where(({ eb, or }) => {
      const keys = weeks.map(toWeekKey);
      return or([eb(weekKey, 'in', keys), eb(wholeYearKey, 'in', keys)]);
    })
    .orderBy('tracks.week')
    .orderBy('tracks.publish_at')
    .orderBy('tracks.id')
    .execute();
}

export type YearRow = { year: number; tracks: number };

/** Newest first. */
export const listYearsOf = (
  db: Db,
  visibility: Visibility,
  choice: TrackChoice,
): Promise<YearRow[]> =>
  selectTracks(db, visibility, choice)
    .select(['tracks.year', ({ fn }) => fn.countAll<number>().as('tracks')])
    .groupBy('tracks.year')
    .orderBy('tracks.year', 'desc')
    .execute();

export type ArtistRow = {
  id: string;
  name: string;
  about: string;
  links: string;
  picture_key: string | null;
  weeks: number;
};

const countWeeks = sql<number>`count(distinct ${weekKey})`;

/** Those who are named by a track that the viewer may see. */
export const listArtistRows = (db: Db, visibility: Visibility): Promise<ArtistRow[]> =>
  db
    .selectFrom('artists')
    .innerJoin('track_artists', 'track_artists.artist_id', 'artists.id')
    .innerJoin('tracks', 'tracks.id', 'track_artists.track_id')
    .where(isVisible(visibility))
    .select(['artists.id', 'artists.name', 'artists.about', 'artists.links'])
    .select(['artists.picture_key', countWeeks.as('weeks')])
    .groupBy('artists.id')
    .orderBy('artists.name')
    .execute();

/** The weeks with a track that names nobody. */
export async function countWeeksOfSite(db: Db, visibility: Visibility): Promise<number> {
  const row = await selectTracks(db, visibility, { artistId: null })
    .select(countWeeks.as('weeks'))
    .executeTakeFirstOrThrow();
  return row.weeks;
}

export type GenreRow = { genre: string; tracks: number; weeks: number };

export const listGenreRows = (db: Db, visibility: Visibility): Promise<GenreRow[]> =>
  db
    .selectFrom('tracks')
    .where(isVisible(visibility))
    .where('tracks.genre', 'is not', null)
    .select(['tracks.genre', countWeeks.as('weeks')])
    .select(({ fn }) => fn.countAll<number>().as('tracks'))
    .groupBy('tracks.genre')
    .orderBy('tracks.genre')
    .$narrowType<{ genre: string }>()
    .execute();

export async function countTracks(db: Db, visibility: Visibility): Promise<number> {
  const { count } = await db
    .selectFrom('tracks')
    .where(isVisible(visibility))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

type AppTrack = { appPasswordId: string; trackId: string };

/** Notes that an app has begun to load a track, unless it is noted already. */
export async function insertAppPlay(db: Db, row: AppPlaysTable) {
  await db
    .insertInto('app_plays')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Older rows belong to an earlier listen. */
export async function deleteOldAppPlays(db: Db, appPasswordId: string, before: number) {
  await db
    .deleteFrom('app_plays')
    .where('app_password_id', '=', appPasswordId)
    .where('loaded_at', '<=', before)
    .execute();
}

export const findAppPlay = (db: Db, { appPasswordId, trackId }: AppTrack) =>
  db
    .selectFrom('app_plays')
    .selectAll()
    .where('app_password_id', '=', appPasswordId)
    .where('track_id', '=', trackId)
    .executeTakeFirst();

export async function updateAppPlay(
  db: Db,
  { appPasswordId, trackId }: AppTrack,
  change: Partial<Omit<AppPlaysTable, 'app_password_id' | 'track_id'>>,
) {
  await db
    .updateTable('app_plays')
    .set(change)
    .where('app_password_id', '=', appPasswordId)
    .where('track_id', '=', trackId)
    .execute();
}

export async function deleteAppPlay(db: Db, { appPasswordId, trackId }: AppTrack) {
  await db
    .deleteFrom('app_plays')
    .where('app_password_id', '=', appPasswordId)
    .where('track_id', '=', trackId)
    .execute();
}

/** What the user's apps say they play, latest first. */
export const listPlaying = (db: Db, userId: string) =>
  db
    .selectFrom('app_plays')
    .innerJoin('app_passwords', 'app_passwords.id', 'app_plays.app_password_id')
    .select(['app_plays.app_password_id', 'app_passwords.name', 'app_passwords.last_client'])
    .select(['app_plays.track_id', 'app_plays.playing_since'])
    .where('app_passwords.user_id', '=', userId)
    .where('app_plays.playing_since', 'is not', null)
    .orderBy('app_plays.playing_since', 'desc')
    .execute();

type DownloadKey = { userId: string; trackId: string; format: DownloadFormat };

/** When the user last began to download this file. */
export async function findDownloadTime(db: Db, { userId, trackId, format }: DownloadKey) {
  const row = await db
    .selectFrom('downloads')
    .select('last_at')
    .where('user_id', '=', userId)
    .where('track_id', '=', trackId)
    .where('format', '=', format)
    .executeTakeFirst();
  return row?.last_at;
}

export const listBookmarkRows = (db: Db, userId: string): Promise<BookmarksTable[]> =>
  db
    .selectFrom('bookmarks')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('changed_at', 'desc')
    .execute();

export async function saveBookmark(db: Db, { created_at, ...row }: BookmarksTable) {
  const { position_ms, comment, changed_at } = row;
  await db
    .insertInto('bookmarks')
    .values({ ...row, created_at })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'track_id']).doUpdateSet({ position_ms, comment, changed_at }),
    )
    .execute();
}

export async function deleteBookmarkRow(db: Db, userId: string, trackId: string) {
  await db
    .deleteFrom('bookmarks')
    .where('user_id', '=', userId)
    .where('track_id', '=', trackId)
    .execute();
}

export const findQueue = (db: Db, userId: string): Promise<PlayQueuesTable | undefined> =>
  db.selectFrom('play_queues').selectAll().where('user_id', '=', userId).executeTakeFirst();

export async function saveQueue(db: Db, row: PlayQueuesTable) {
  const { user_id: _user, ...change } = row;
  await db
    .insertInto('play_queues')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute();
}

export async function deleteQueue(db: Db, userId: string) {
  await db.deleteFrom('play_queues').where('user_id', '=', userId).execute();
}

export const exportBookmarks = (db: Db, userId: string, publishedBy: number) =>
  exportRows(
    db
      .selectFrom('bookmarks')
      .innerJoin('tracks', 'tracks.id', 'bookmarks.track_id')
      .select('bookmarks.track_id as trackId')
      .select(nameTrack(publishedBy))
      .select(['bookmarks.position_ms as positionMs', 'bookmarks.comment'])
      .select(['bookmarks.created_at as createdAt', 'bookmarks.changed_at as changedAt'])
      .where('bookmarks.user_id', '=', userId),
    { trackId: 'bookmarks.track_id' },
  );

export async function* exportPlayQueue(db: Db, userId: string) {
  const row = await findQueue(db, userId);
  if (row)
    yield {
      trackIds: JSON.parse(row.track_ids) as string[],
      currentIndex: row.current_index,
      positionMs: row.position_ms,
      changedAt: row.changed_at,
      changedBy: row.changed_by,
    };
}
