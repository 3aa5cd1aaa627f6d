import { toNameKey, type ArtistName, type TrackArtists } from '#contract/artists/artists.ts';
import type { Db, Tx } from '../../db/connect.ts';
import { listArtistsOf } from '../../db/track-artists.ts';
import { newId } from '../../db/ids.ts';
import type { ArtistChange } from './track-fields.ts';

type Named = TrackArtists[number];

/** Locks the row, so that nobody deletes the artist before this transaction names it. */
const lockArtist = (tx: Db, id: string): Promise<ArtistName | undefined> =>
  tx
    .updateTable('artists')
    .set((eb) => ({ version: eb.ref('version') }))
    .where('id', '=', id)
    .returning(['id', 'name'])
    .executeTakeFirst();

/** The id of the artist with this id or name, or of the one that it was merged into. */
async function findArtistId(
  tx: Db,
  column: 'id' | 'name_key',
  value: string,
): Promise<string | undefined> {
  const artist = await tx
    .selectFrom('artists')
    .select('id')
    .where(column, '=', value)
    .executeTakeFirst();
  if (artist) return artist.id;
  const alias = await tx
    .selectFrom('artist_aliases')
    .select('artist_id')
    .where(column, '=', value)
    .executeTakeFirst();
  return alias?.artist_id;
}

/** Somebody else may create the same artist at the same time. */
async function createArtist(tx: Db, name: string, now: number): Promise<void> {
  await tx
    .insertInto('artists')
    .values({
      id: newId(now),
      name,
      name_key: toNameKey(name),
      about: '',
      links: '[]',
      picture_key: null,
      version: 0,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('name_key').doNothing())
    .execute();
}

async function findOrCreate(tx: Db, { id, name }: Named, now: number): Promise<ArtistName> {
  const key = toNameKey(name);
  const known =
    (id === undefined ? undefined : await findArtistId(tx, 'id', id)) ??
    (await findArtistId(tx, 'name_key', key));
  const found = known === undefined ? undefined : await lockArtist(tx, known);
  if (found) return found;
  await createArtist(tx, name, now);
  const created = await findArtistId(tx, 'name_key', key);
  const artist = created === undefined ? undefined : await lockArtist(tx, created);
  if (!artist) throw new Error(`The artist ${key} was deleted while a track was saved.`);
  return artist;
}

/** In the transaction of the change. Answers what the track named before, and what it names now. */
export async function setTrackArtists(
  tx: Tx,
  trackId: string,
  named: TrackArtists,
  now: number,
): Promise<ArtistChange> {
  const before = await listArtistsOf(tx, trackId);
  const found = new Map<string, ArtistName>();
  for (const each of named) {
    const artist = await findOrCreate(tx, each, now);
    // Two names may lead to the same artist.
    found.set(artist.id, artist);
  }
  const after = [...found.values()];
  const isSame = after.map(({ id }) => id).join() === before.map(({ id }) => id).join();
  if (isSame) return { before, after };
  await tx.deleteFrom('track_artists').where('track_id', '=', trackId).execute();
  if (after.length > 0)
    await tx
      .insertInto('track_artists')
      .values(after.map(({ id }, position) => ({ track_id: trackId, position, artist_id: id })))
      .execute();
  return { before, after };
}
