import { sql } from 'kysely';
import type { PageQuery } from '#contract/paging.ts';
import type { ArtistsTable } from '../../db/types/artist-tables.ts';
import type { Db } from '../../db/connect.ts';
import { CursorId, paginate, type RowPage } from '../../http/route/paginate.ts';
import { isVisible, type Visibility } from '../tracks/service.ts';

export type ArtistRow = ArtistsTable;

export const findArtist = (db: Db, id: string): Promise<ArtistRow | undefined> =>
  db.selectFrom('artists').selectAll().where('id', '=', id).executeTakeFirst();

/** The artist that another one with this id was merged into. */
export const findArtistOfAlias = (db: Db, id: string): Promise<ArtistRow | undefined> =>
  db
    .selectFrom('artist_aliases')
    .innerJoin('artists', 'artists.id', 'artist_aliases.artist_id')
    .selectAll('artists')
    .where('artist_aliases.id', '=', id)
    .executeTakeFirst();

/** Locks the row: no other transaction names, changes or deletes the artist until this one ends. */
export const lockArtist = (tx: Db, id: string): Promise<ArtistRow | undefined> =>
  tx
    .updateTable('artists')
    .set((eb) => ({ version: eb.ref('version') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();

/** Undefined when someone else changed it first. */
export const updateArtist = (
  tx: Db,
  { id, version }: Pick<ArtistRow, 'id' | 'version'>,
  change: Partial<ArtistRow>,
): Promise<ArtistRow | undefined> =>
  tx
    .updateTable('artists')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();

/** Whether another artist has this name, or had it before it was merged. */
export async function isNameTaken(db: Db, key: string, exceptId: string): Promise<boolean> {
  const [artist, alias] = await Promise.all([
    db
      .selectFrom('artists')
      .select('id')
      .where('name_key', '=', key)
      .where('id', '!=', exceptId)
      .executeTakeFirst(),
    db
      .selectFrom('artist_aliases')
      .select('id')
      .where('name_key', '=', key)
      .where('artist_id', '!=', exceptId)
      .executeTakeFirst(),
  ]);
  return artist !== undefined || alias !== undefined;
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, (letter) => `\\${letter}`);

/** Newest first, those whose name contains a text. */
export const listArtists = (
  db: Db,
  nameKey: string,
  page: PageQuery,
): Promise<RowPage<ArtistRow>> =>
  paginate(
    db
      .selectFrom('artists')
      .selectAll()
      .$if(nameKey !== '', (query) =>
        query.where(sql<boolean>`name_key like ${`%${escapeLike(nameKey)}%`} escape '\\'`),
      ),
    page,
    { orderBy: [['artists.id', CursorId]] },
  );

export async function countTracks(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('track_artists')
    .select(['artist_id', ({ fn }) => fn.countAll<number>().as('tracks')])
    .where('artist_id', 'in', ids)
    .groupBy('artist_id')
    .execute();
  return new Map(rows.map(({ artist_id, tracks }) => [artist_id, tracks]));
}

export const listAliases = (db: Db, ids: readonly string[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('artist_aliases')
        .select(['id', 'name', 'artist_id'])
        .where('artist_id', 'in', ids)
        .orderBy('name_key')
        .execute();

export const listTrackIds = async (db: Db, artistId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('track_artists')
    .select('track_id')
    .where('artist_id', '=', artistId)
    .execute();
  return rows.map((row) => row.track_id);
};

/** A track of the artist that these viewers may see. */
export const findVisibleTrack = (db: Db, artistId: string, visibility: Visibility) =>
  db
    .selectFrom('track_artists')
    .innerJoin('tracks', 'tracks.id', 'track_artists.track_id')
    .select('tracks.id')
    .where('track_artists.artist_id', '=', artistId)
    .where(isVisible(visibility))
    .limit(1)
    .executeTakeFirst();

export type ListedArtist = Pick<ArtistRow, 'id' | 'name' | 'picture_key'> & { tracks: number };

/** Artists with tracks that these viewers may see, by name. */
export const listVisible = (
  db: Db,
  visibility: Visibility,
  limit: number,
): Promise<ListedArtist[]> =>
  db
    .selectFrom('artists')
    .innerJoin('track_artists', 'track_artists.artist_id', 'artists.id')
    .innerJoin('tracks', 'tracks.id', 'track_artists.track_id')
    .select(['artists.id', 'artists.name', 'artists.picture_key'])
    .select(({ fn }) => fn.countAll<number>().as('tracks'))
    .where(isVisible(visibility))
    .groupBy(['artists.id', 'artists.name', 'artists.name_key', 'artists.picture_key'])
    .orderBy('artists.name_key')
    .limit(limit)
    .execute();

/** In the transaction of a merge: tracks that name both keep the place that comes first. */
export async function moveTracks(tx: Db, from: string, to: string): Promise<void> {
  const rows = await tx
    .selectFrom('track_artists')
    .select(['track_id', 'position', 'artist_id'])
    .where('artist_id', 'in', [from, to])
    .orderBy('position')
    .execute();
  for (const [first, ...others] of Map.groupBy(rows, (row) => row.track_id).values()) {
    for (const { track_id, position } of others)
      await tx
        .deleteFrom('track_artists')
        .where('track_id', '=', track_id)
        .where('position', '=', position)
        .execute();
    if (first && first.artist_id !== to)
      await tx
        .updateTable('track_artists')
        .set({ artist_id: to })
        .where('track_id', '=', first.track_id)
        .where('position', '=', first.position)
        .execute();
  }
}

/** In the transaction of a merge: the old name and address lead to the other artist. */
export async function replaceByAlias(tx: Db, from: ArtistRow, to: string): Promise<void> {
  await tx
    .updateTable('artist_aliases')
    .set({ artist_id: to })
    .where('artist_id', '=', from.id)
    .execute();
  await tx.deleteFrom('artists').where('id', '=', from.id).execute();
  await tx
    .insertInto('artist_aliases')
    .values({ id: from.id, name: from.name, name_key: from.name_key, artist_id: to })
    .execute();
}

export const deleteArtistRow = (tx: Db, id: string) =>
  tx.deleteFrom('artists').where('id', '=', id).execute();

export const deleteAlias = (tx: Db, id: string) =>
  tx
    .deleteFrom('artist_aliases')
    .where('id', '=', id)
    .returning(['name', 'artist_id'])
    .executeTakeFirst();
