import type { ArtistName } from '#contract/artists/artists.ts';
import { isHit, readCompounds, readWords } from '#contract/rules/search-words.ts';
import { isVisible } from '../tracks/service.ts';
import type { SearchContext } from './find-tracks.ts';
import { listTerms, type SearchQuery } from './query-plan.ts';

/** A weekly site names fewer in decades; this many are compared with a query, by name. */
const MAX_READ = 2000;
const MAX_FOUND = 3;

type SearchedArtist = ArtistName & { words: string[] };

/** By name, then by other names. Read once per version of the catalogue. Empty on a site whose tracks name no artists. */
const readArtists = ({ db, catalogue }: SearchContext): Promise<SearchedArtist[]> =>
  catalogue.facts.read('search-artists', async () => {
    const names = await db
      .selectFrom('artists')
      .select(['id', 'name', 'name as searched'])
      .orderBy('name_key')
      .limit(MAX_READ)
      .execute();
    const aliases = await db
      .selectFrom('artist_aliases')
      .innerJoin('artists', 'artists.id', 'artist_aliases.artist_id')
      .select(['artists.id', 'artists.name', 'artist_aliases.name as searched'])
      .orderBy('artist_aliases.name_key')
      .limit(MAX_READ)
      .execute();
    return [...names, ...aliases].map(({ searched, ...artist }) => ({
      ...artist,
      words: [...readWords(searched).map(({ word }) => word), ...readCompounds(searched)],
    }));
  });

/** Hides an artist whose only tracks this viewer may not see. */
async function hasVisibleTrack({ db, visibility }: SearchContext, artistId: string) {
  const track = await db
    .selectFrom('track_artists')
    .innerJoin('tracks', 'tracks.id', 'track_artists.track_id')
    .select('tracks.id')
    .where('artist_id', '=', artistId)
    .where(isVisible(visibility))
    .limit(1)
    .executeTakeFirst();
  return track !== undefined;
}

/** Artists one of whose names contains every word of the query. */
export async function findArtists(
  context: SearchContext,
  query: SearchQuery,
): Promise<ArtistName[]> {
  const artists = await readArtists(context);
  const terms = listTerms(query);
  if (artists.length === 0 || terms.length === 0) return [];
  const found: ArtistName[] = [];
  for (const { id, name, words } of artists) {
    if (found.length === MAX_FOUND) break;
    if (!terms.every((term) => words.some((word) => isHit(term, word)))) continue;
    if (found.some((artist) => artist.id === id)) continue;
    if (await hasVisibleTrack(context, id)) found.push({ id, name });
  }
  return found;
}
