import { toNameKey } from '#contract/artists/artists.ts';
import type { ArtistsTable } from '../../db/types/artist-tables.ts';
import type { Db } from '../../db/connect.ts';
import type { RenditionsTable, TracksTable } from '../../db/types/tables.ts';
import type { SavedArtist } from './manifest.ts';

/** In the order of their weeks. Deleted tracks are not part of the catalogue. */
export async function listTrackIds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('tracks')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('year')
    .orderBy('week')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export const findTrack = (db: Db, id: string): Promise<TracksTable | undefined> =>
  db.selectFrom('tracks').selectAll().where('id', '=', id).executeTakeFirst();

export const listFiles = (db: Db, trackId: string): Promise<RenditionsTable[]> =>
  db.selectFrom('renditions').selectAll().where('track_id', '=', trackId).orderBy('name').execute();

export const listArtists = (db: Db): Promise<ArtistsTable[]> =>
  db.selectFrom('artists').selectAll().orderBy('name_key').execute();

export const listAliases = (db: Db) =>
  db.selectFrom('artist_aliases').selectAll().orderBy('name_key').orderBy('id').execute();

/** False if there is such an artist. */
export async function insertArtist(
  tx: Db,
  { id, fields, aliases }: SavedArtist,
  { pictureKey, now }: { pictureKey: string | null; now: number },
): Promise<boolean> {
  const { name, about, links } = fields;
  const row = await tx
    .insertInto('artists')
    .values({
      id,
      name,
      name_key: toNameKey(name),
      about,
      links: JSON.stringify(links),
      picture_key: pictureKey,
      version: 0,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) return false;
  for (const alias of aliases)
    await tx
      .insertInto('artist_aliases')
      .values({ ...alias, name_key: toNameKey(alias.name), artist_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return true;
}

export async function artistExists(db: Db, { id, fields }: SavedArtist): Promise<boolean> {
  const row = await db
    .selectFrom('artists')
    .select('id')
    .where(({ or, eb }) => or([eb('id', '=', id), eb('name_key', '=', toNameKey(fields.name))]))
    .executeTakeFirst();
  return row !== undefined;
}

export const updateImported = (
  tx: Db,
  id: string,
  change: Pick<TracksTable, 'announced_at' | 'created_at'>,
) => tx.updateTable('tracks').set(change).where('id', '=', id).execute();
