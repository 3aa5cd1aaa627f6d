import { sql } from 'kysely';
import { addToRows } from '../../db/add-to-rows.ts';
import { listArtistsOf } from '../../db/track-artists.ts';
import type { Db } from '../../db/connect.ts';
import { prepareQuery } from '../../db/prepare-query.ts';
import type { SearchDocsTable } from '../../db/types/search-tables.ts';
import type { Visibility } from '../tracks/service.ts';
import { searchableColumns } from './document.ts';

export const findDocument = (db: Db, trackId: string): Promise<SearchDocsTable | undefined> =>
  db
    .selectFrom('search_docs')
    .select(['row_order', 'track_id', 'document', 'genre', 'version'])
    .where('track_id', '=', trackId)
    .executeTakeFirst();

export const insertDocument = (tx: Db, document: SearchDocsTable) =>
  tx.insertInto('search_docs').values(document).execute();

export const deleteDocument = (tx: Db, rowOrder: number) =>
  tx.deleteFrom('search_docs').where('row_order', '=', rowOrder).execute();

/** The smallest used number in a range. */
export const findSmallestRowOrder = async (
  tx: Db,
  from: number,
  to: number,
): Promise<number | undefined> => {
  const row = await tx
    .selectFrom('search_docs')
    .select('row_order')
    .where('row_order', '>=', from)
    .where('row_order', '<=', to)
    .orderBy('row_order')
    .limit(1)
    .executeTakeFirst();
  return row?.row_order;
};

/** The next tracks by id, each with the version of its document or null. */
export const listTracksToIndex = (db: Db, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('tracks')
    .leftJoin('search_docs', 'search_docs.track_id', 'tracks.id')
    .select(searchableColumns)
    .select('search_docs.version')
    .where('tracks.id', '>', after)
    .orderBy('tracks.id')
    .limit(limit)
    .execute();

/** Adds or removes one; deletes a genre that no track has any more. */
export async function countGenre(tx: Db, genre: string | null, by: 1 | -1): Promise<void> {
  if (!genre) return;
  await addToRows(tx, 'search_genres', ['genre'], [{ genre, docs: by }]);
  await tx.deleteFrom('search_genres').where('genre', '=', genre).where('docs', '<=', 0).execute();
}

const readGenres = prepareQuery(
  (db, limit: number) =>
    db.selectFrom('search_genres').select('genre').orderBy('docs', 'desc').limit(limit),
  1,
);

export const listGenres = async (db: Db, limit: number): Promise<string[]> =>
  (await readGenres(db, limit)).map(({ genre }) => genre);

type Miss = { day: string; query: string; maxPerDay: number };

/** Stores a limited number of different searches per day, but counts repeats without a limit. */
export async function recordMiss(db: Db, { day, query, maxPerDay }: Miss): Promise<void> {
  const counted = await db
    .updateTable('search_misses')
    .set({ searches: sql<number>`searches + 1` })
    .where('day', '=', day)
    .where('query', '=', query)
    .returning('query')
    .executeTakeFirst();
  if (counted) return;
  const full = await db
    .selectFrom('search_misses')
    .select('day')
    .where('day', '=', day)
    .limit(1)
    .offset(maxPerDay - 1)
    .executeTakeFirst();
  if (full) return;
  await addToRows(db, 'search_misses', ['day', 'query'], [{ day, query, searches: 1 }]);
}

/** Checked on the track in every search: the index doesn't know who may see what. */
export const isVisible = (publishedBy: number, mostReserved: number) =>
  sql`t.status = 'ready' and t.publish_at <= ${publishedBy}
    and t.is_subscriber_only <= ${mostReserved}`;

export const visibleValues = (
  visibility: Visibility,
): [publishedBy: number, mostReserved: 0 | 1] => [
  visibility.publishedBy,
  visibility.includesSubscriberOnly ? 1 : 0,
];

/** The names of a track's artists, and those that they had before they were merged. */
export async function listArtistNames(db: Db, trackId: string): Promise<string[]> {
  const artists = await listArtistsOf(db, trackId);
  if (artists.length === 0) return [];
  const aliases = await db
    .selectFrom('artist_aliases')
    .select('name')
    .where(
      'artist_id',
      'in',
      artists.map(({ id }) => id),
    )
    .orderBy('name_key')
    .execute();
  return [...artists, ...aliases].map(({ name }) => name);
}
