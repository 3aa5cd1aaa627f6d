import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { CatalogueSort, CatalogueState } from '#contract/catalogue.ts';
import type { Db } from '../../db/connect.ts';
import type { TrackFiguresTable, TrackFilesTable, TracksTable } from '../../db/tables.ts';
import { listTrackStages, type TrackStage } from '../ingest/service.ts';

export type CatalogueRow = TracksTable;
/** What it is sorted by, what comes first among equals, and the mix itself. */
export type CataloguePosition = [value: string | number, among: number, id: string];
export type CatalogueFilter = {
  q?: string | undefined;
  state?: CatalogueState | undefined;
  year?: number | undefined;
  genre?: string | undefined;
};

/** The same decision as `describeState`, for lists. */
const states: Record<CatalogueState, (now: number) => Expression<SqlBool>> = {
  deleted: () => sql<SqlBool>`tracks.deleted_at is not null and tracks.purged_at is null`,
  processing: () => sql<SqlBool>`tracks.deleted_at is null and tracks.status = 'processing'`,
  failed: () => sql<SqlBool>`tracks.deleted_at is null and tracks.status = 'failed'`,
  draft: () =>
    sql<SqlBool>`tracks.deleted_at is null and tracks.status = 'ready' and tracks.publish_at is null`,
  scheduled: (now) =>
    sql<SqlBool>`tracks.deleted_at is null and tracks.status = 'ready' and tracks.publish_at > ${now}`,
  published: (now) =>
    sql<SqlBool>`tracks.deleted_at is null and tracks.status = 'ready' and tracks.publish_at <= ${now}`,
};

const sortKeys: Record<CatalogueSort, RawBuilder<string | number>> = {
  week: sql<number>`(tracks.year * 100 + tracks.week)`,
  title: sql<string>`lower(tracks.title)`,
  release: sql<number>`coalesce(tracks.publish_at, 0)`,
  plays: sql<number>`tracks.play_count`,
  updated: sql<number>`tracks.updated_at`,
};

/**
 * Mixes of one week stand in the order of their releases, as everybody sees them; what is not
 * planned yet comes before all that is. Of equals each page starts where the last one ended.
 */
const releaseOrder = sql<number>`coalesce(tracks.publish_at, ${sql.lit(Number.MAX_SAFE_INTEGER)})`;
const noOrder = sql<number>`0`;

const escapeLike = (text: string) =>
  text.toLowerCase().replace(/[\\%_]/g, (letter) => `\\${letter}`);

/** A week as people write it, otherwise part of a title or a genre. */
function matchesText(q: string): Expression<SqlBool> {
  const [, week] = /^(?:w|wk|week)?\s*(\d{1,2})$/i.exec(q) ?? [];
  const like = `%${escapeLike(q)}%`;
  const inText = sql<SqlBool>`(lower(tracks.title) like ${like} escape '\\'
    or lower(coalesce(tracks.genre, '')) like ${like} escape '\\' or tracks.id = ${q})`;
  return week ? sql<SqlBool>`(tracks.week = ${Number(week)} or ${inText})` : inText;
}

function filtered(db: Db, { q, state, year, genre }: CatalogueFilter, now: number) {
  let query = db.selectFrom('tracks');
  query = query.where(state ? states[state](now) : sql<SqlBool>`tracks.deleted_at is null`);
  if (q) query = query.where(matchesText(q));
  if (year !== undefined) query = query.where('year', '=', year);
  if (genre !== undefined) query = query.where('genre', '=', genre);
  return query;
}

type Page = {
  filter: CatalogueFilter;
  sort: CatalogueSort;
  after: CataloguePosition | null;
  limit: number;
  now: number;
};

export function listCatalogue(
  db: Db,
  { filter, sort, after, limit, now }: Page,
): Promise<(CatalogueRow & { sort_key: string | number; among_key: number })[]> {
  const key = sortKeys[sort];
  const among = sort === 'week' ? releaseOrder : noOrder;
  const isUp = sort === 'title';
  const direction = isUp ? 'asc' : 'desc';
  let query = filtered(db, filter, now);
  if (after) {
    const operator = isUp ? sql`>` : sql`<`;
    query = query.where(
      () => sql<SqlBool>`(${key}, ${among}, tracks.id) ${operator} (${sql.join(after)})`,
    );
  }
  return query
    .selectAll('tracks')
    .select([key.as('sort_key'), among.as('among_key')])
    .orderBy(sql.ref('sort_key'), direction)
    .orderBy(sql.ref('among_key'), direction)
    .orderBy('tracks.id', direction)
    .limit(limit)
    .execute();
}

export async function countStates(db: Db, now: number): Promise<Record<string, number>> {
  const counts = Object.entries(states).map(
    ([name, is]) => sql`count(case when ${is(now)} then 1 end) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<string, number | string>>`
    select ${sql.join(counts)} from tracks`.execute(db);
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, count]) => [name, Number(count)]),
  );
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

export async function listCatalogueGenres(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('tracks')
    .select('genre')
    .distinct()
    .where('deleted_at', 'is', null)
    .where('genre', 'is not', null)
    .orderBy('genre')
    .execute();
  return rows.flatMap((row) => row.genre ?? []);
}

export const findMix = (db: Db, id: string): Promise<CatalogueRow | undefined> =>
  db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst();

export const findMixes = (db: Db, ids: readonly string[]): Promise<CatalogueRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('tracks').selectAll().where('id', 'in', ids).execute();

export const insertMix = (tx: Db, mix: CatalogueRow) =>
  tx.insertInto('tracks').values(mix).execute();

/** Unless somebody else was first. */
export const changeMix = (
  tx: Db,
  { id, version }: Pick<CatalogueRow, 'id' | 'version'>,
  change: Partial<CatalogueRow>,
): Promise<CatalogueRow | undefined> =>
  tx
    .updateTable('tracks')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();

type Beside = {
  files: TrackFilesTable[];
  figures: TrackFiguresTable[];
  stages: TrackStage[];
};

/** What goes with the rows of a page, in three questions however many they are. */
export async function readBeside(db: Db, ids: readonly string[]): Promise<Beside> {
  if (ids.length === 0) return { files: [], figures: [], stages: [] };
  const [files, figures, stages] = await Promise.all([
    db.selectFrom('track_files').selectAll().where('track_id', 'in', ids).execute(),
    db.selectFrom('track_figures').selectAll().where('track_id', 'in', ids).execute(),
    listTrackStages(db, ids),
  ]);
  return { files, figures, stages };
}

/** Those whose time to come back is over and whose files are still there. */
export const listToPurge = (
  db: Db,
  deletedBefore: number,
  limit: number,
): Promise<CatalogueRow[]> =>
  db
    .selectFrom('tracks')
    .selectAll()
    .where('deleted_at', '<=', deletedBefore)
    .where('purged_at', 'is', null)
    .orderBy('deleted_at')
    .limit(limit)
    .execute();

export async function dropTraces(tx: Db, trackId: string): Promise<string[]> {
  const files = await tx
    .deleteFrom('track_files')
    .where('track_id', '=', trackId)
    .returning('key')
    .execute();
  await tx.deleteFrom('track_peaks').where('track_id', '=', trackId).execute();
  await tx.deleteFrom('ingest_stages').where('track_id', '=', trackId).execute();
  return files.map((file) => file.key);
}
