import { z } from 'zod';
import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { ArtistName } from '#contract/artists/artists.ts';
import type { CatalogueSort, CatalogueState } from '#contract/admin/catalogue.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Db } from '../../db/connect.ts';
import type { TrackFiguresTable, RenditionsTable, TracksTable } from '../../db/types/tables.ts';
import { CursorId, CursorNumber, paginate, type RowPage } from '../../http/route/paginate.ts';
import { listTrackArtists } from '../../db/track-artists.ts';
import { listTrackStages, type TrackStage } from '../ingest/service.ts';

export type CatalogueRow = TracksTable;
export type CatalogueFilter = {
  q?: string | undefined;
  state?: CatalogueState | undefined;
  year?: number | undefined;
  genre?: string | undefined;
  series?: string | undefined;
};

/** Neither deleted nor taken down. */
const isOpen = sql<SqlBool>`tracks.deleted_at is null and tracks.taken_down_at is null`;

/** The same rules as `findState`, in SQL. */
const states: Record<CatalogueState, (now: number) => Expression<SqlBool>> = {
  deleted: () => sql<SqlBool>`tracks.deleted_at is not null and tracks.purged_at is null`,
  takenDown: () => sql<SqlBool>`tracks.deleted_at is null and tracks.taken_down_at is not null`,
  processing: () => sql<SqlBool>`${isOpen} and tracks.status = 'processing'`,
  failed: () => sql<SqlBool>`${isOpen} and tracks.status = 'failed'`,
  draft: () => sql<SqlBool>`${isOpen} and tracks.status = 'ready' and tracks.publish_at is null`,
  scheduled: (now) =>
    sql<SqlBool>`${isOpen} and tracks.status = 'ready' and tracks.publish_at > ${now}`,
  published: (now) =>
    sql<SqlBool>`${isOpen} and tracks.status = 'ready' and tracks.publish_at <= ${now}`,
};

const sortKeys: Record<CatalogueSort, RawBuilder<string | number>> = {
  week: sql<number>`(tracks.year * 100 + tracks.week)`,
  title: sql<string>`lower(tracks.title)`,
  release: sql<number>`coalesce(tracks.publish_at, 0)`,
  plays: sql<number>`tracks.play_count`,
  updated: sql<number>`tracks.updated_at`,
};

/** Tracks of one week are ordered by release time, as listeners see them, drafts first. */
const releaseOrder = sql<number>`coalesce(tracks.publish_at, ${sql.lit(Number.MAX_SAFE_INTEGER)})`;
const CursorTitle = z.string().max(200);

const escapeLike = (text: string) =>
  text.toLowerCase().replace(/[\\%_]/g, (letter) => `\\${letter}`);

/** Matches a week (“w12”, “week 12”), or part of a title, a genre or the name of an artist. */
function matchesText(q: string): Expression<SqlBool> {
  const [, week] = /^(?:w|wk|week)?\s*(\d{1,2})$/i.exec(q) ?? [];
  const like = `%${escapeLike(q)}%`;
  const inText = sql<SqlBool>`(lower(tracks.title) like ${like} escape '\\'
    or lower(coalesce(tracks.genre, '')) like ${like} escape '\\' or tracks.id = ${q}
    or tracks.id in (select track_id from track_artists
      join artists on artists.id = artist_id where name_key like ${like} escape '\\'))`;
  return week ? sql<SqlBool>`(tracks.week = ${Number(week)} or ${inText})` : inText;
}

function filtered(db: Db, { q, state, year, genre, series }: CatalogueFilter, now: number) {
  let query = db.selectFrom('tracks');
  query = query.where(state ? states[state](now) : sql<SqlBool>`tracks.deleted_at is null`);
  if (q) query = query.where(matchesText(q));
  if (year !== undefined) query = query.where('year', '=', year);
  if (genre !== undefined) query = query.where('genre', '=', genre);
  if (series !== undefined) query = query.where('series', '=', series);
  return query;
}

type CatalogueList = { filter: CatalogueFilter; sort: CatalogueSort; now: number };

export function listCatalogue(
  db: Db,
  { filter, sort, now }: CatalogueList,
  page: PageQuery,
): Promise<RowPage<CatalogueRow>> {
  const key = sortKeys[sort];
  const query = filtered(db, filter, now)
    .selectAll('tracks')
    .select([key.as('sort_key'), releaseOrder.as('release_order')]);
  const byRelease = ['release_order', CursorNumber, releaseOrder] as const;
  return paginate(query, page, {
    orderBy: [
      ['sort_key', sort === 'title' ? CursorTitle : CursorNumber, key],
      ...(sort === 'week' ? [byRelease] : []),
      ['tracks.id', CursorId],
    ],
    direction: sort === 'title' ? 'asc' : 'desc',
  });
}

export async function countStates(db: Db, now: number): Promise<Record<string, number>> {
  const counts = Object.entries(states).map(
    ([name, is]) => sql`count(case when ${is(now)} then 1 end) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(counts)} from tracks`.execute(db);
  return rows[0] ?? {};
}

export async function listCatalogueYears(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('tracks')
    .select('year')
    .distinct()
    .where('deleted_at', 'is', null)
    .orderBy('year', 'desc')
    .execute();
  return rows.map((row) => row.year);
}

export async function listCatalogueNames(db: Db, column: 'genre' | 'series'): Promise<string[]> {
  const rows = await db
    .selectFrom('tracks')
    .select(`${column} as name`)
    .distinct()
    .where('deleted_at', 'is', null)
    .where(column, 'is not', null)
    .orderBy(column)
    .execute();
  return rows.flatMap((row) => row.name ?? []);
}

export const findTrack = (db: Db, id: string): Promise<CatalogueRow | undefined> =>
  db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst();

export const findTracks = (db: Db, ids: readonly string[]): Promise<CatalogueRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('tracks').selectAll().where('id', 'in', ids).execute();

export const insertTrack = (tx: Db, track: CatalogueRow) =>
  tx.insertInto('tracks').values(track).execute();

/** Undefined when someone else changed it first. */
export const updateTrack = (
  tx: Db,
  { id, version }: Pick<CatalogueRow, 'id' | 'version'>,
  change: Partial<CatalogueRow>,
) =>
  tx
    .updateTable('tracks')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();

export const setMaster = (tx: Db, id: string, sha256: string) =>
  tx.updateTable('tracks').set({ master_sha256: sha256 }).where('id', '=', id).execute();

type Relations = {
  files: RenditionsTable[];
  figures: TrackFiguresTable[];
  stages: TrackStage[];
  /** By track. */
  artists: ReadonlyMap<string, ArtistName[]>;
};

/** Four queries, however many tracks there are. */
export async function loadRelations(db: Db, ids: readonly string[]): Promise<Relations> {
  if (ids.length === 0) return { files: [], figures: [], stages: [], artists: new Map() };
  const [files, figures, stages, artists] = await Promise.all([
    db.selectFrom('renditions').selectAll().where('track_id', 'in', ids).execute(),
    db.selectFrom('track_figures').selectAll().where('track_id', 'in', ids).execute(),
    listTrackStages(db, ids),
    listTrackArtists(db, ids),
  ]);
  return { files, figures, stages, artists };
}

/** Deleted tracks that can no longer be restored and still have files. */
export const listToPurge = (db: Db, deletedBefore: number, limit: number) =>
  db
    .selectFrom('tracks')
    .selectAll()
    .where('deleted_at', '<=', deletedBefore)
    .where('taken_down_at', 'is', null)
    .where('purged_at', 'is', null)
    .orderBy('deleted_at')
    .limit(limit)
    .execute();

export async function deleteAudio(tx: Db, trackId: string): Promise<string[]> {
  const files = await tx
    .deleteFrom('renditions')
    .where('track_id', '=', trackId)
    .returning('key')
    .execute();
  await tx.deleteFrom('track_peaks').where('track_id', '=', trackId).execute();
  await tx.deleteFrom('ingest_runs').where('track_id', '=', trackId).execute();
  return files.map((file) => file.key);
}
