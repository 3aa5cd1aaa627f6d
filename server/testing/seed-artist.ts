import { toNameKey } from '#contract/artists/artists.ts';
import type { Db } from '../db/connect.ts';
import type { ArtistsTable } from '../db/types/artist-tables.ts';
import { newId } from '../db/ids.ts';

/** An artist that these tracks name, after those they name already. */
export async function seedArtist(
  { db, now }: { db: Db; now: number },
  name: string,
  trackIds: readonly string[] = [],
): Promise<ArtistsTable> {
  const artist = {
    id: newId(now),
    name,
    name_key: toNameKey(name),
    about: '',
    links: '[]',
    picture_key: null,
    version: 0,
    created_at: now,
    updated_at: now,
  };
  await db.insertInto('artists').values(artist).execute();
  for (const track_id of trackIds) {
    const named = await db
      .selectFrom('track_artists')
      .select('position')
      .where('track_id', '=', track_id)
      .execute();
    await db
      .insertInto('track_artists')
      .values({ track_id, position: named.length, artist_id: artist.id })
      .execute();
  }
  return artist;
}
