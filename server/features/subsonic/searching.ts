import { searchTracks } from '../search/service.ts';
import type { Part } from './answer.ts';
import { listAlbums, listItems, listWeeksOf, loadAlbums } from './albums.ts';
import { listSubsonicArtists, toArtist, toArtistFolder, type SubsonicArtist } from './artists.ts';
import type { CallContext, Calls } from './call.ts';
import { readSlice } from './lists.ts';
import {
  loadItems,
  toAlbum,
  toAlbumFolder,
  toSong,
  type Album,
  type TrackItem,
} from './track-items.ts';
import type { Slice } from './queries.ts';

/** Nobody reads further; an app that wants everything asks for it with an empty query. */
const MAX_FOUND = 500;
const MAX_QUERY = 200;

/** Some apps write an empty query as two quotes, or end words with an asterisk. */
const parseQuery = (query: string): string =>
  query.replaceAll(/["*]/g, ' ').trim().slice(0, MAX_QUERY);

const cut = <T>(items: readonly T[], { limit, offset }: Slice): T[] =>
  items.slice(offset, offset + limit);

type Found = { artists: SubsonicArtist[]; albums: Album[]; songs: TrackItem[] };

async function findTracks({ deps, viewer }: CallContext, q: string, count: number) {
  if (count === 0) return [];
  const { items } = await searchTracks(deps, viewer, { q, limit: Math.min(count, MAX_FOUND) });
  return items;
}

async function search(context: CallContext): Promise<Found> {
  const { params } = context;
  const q = parseQuery(params.find('query') ?? '');
  const ofArtists = readSlice(params, 'artistCount', 'artistOffset', 20);
  const ofAlbums = readSlice(params, 'albumCount', 'albumOffset', 20);
  const ofSongs = readSlice(params, 'songCount', 'songOffset', 20);
  const artists = await listSubsonicArtists(context);
  if (q === '')
    return {
      artists: cut(artists, ofArtists),
      albums:
        ofAlbums.limit > 0 ? await listAlbums(context, {}, { order: 'newest', ...ofAlbums }) : [],
      songs: ofSongs.limit > 0 ? await listItems(context, {}, { order: 'newest', ...ofSongs }) : [],
    };
  const wantedSongs = ofSongs.limit > 0 ? ofSongs.offset + ofSongs.limit : 0;
  const wantedAlbums = ofAlbums.limit > 0 ? ofAlbums.offset + ofAlbums.limit : 0;
  const tracks = await findTracks(context, q, Math.max(wantedSongs, wantedAlbums));
  const words = q.toLowerCase();
  return {
    artists: cut(
      artists.filter(({ name }) => name.toLowerCase().includes(words)),
      ofArtists,
    ),
    // The weeks of the mixes that match.
    albums: await loadAlbums(context, cut(listWeeksOf(tracks), ofAlbums)),
    songs: await loadItems(
      context,
      cut(tracks, ofSongs).map(({ id }) => id),
    ),
  };
}

const toParts = (
  context: CallContext,
  { artists, albums, songs }: Found,
  as: { artist: (artist: SubsonicArtist) => Part; album: typeof toAlbum },
): Part => ({
  artist: artists.map(as.artist),
  album: albums.map((album) => as.album(context, album)),
  song: songs.map((item) => toSong(context, item)),
});

export const searchCalls: Calls = {
  search2: async (context) => ({
    searchResult2: toParts(context, await search(context), {
      artist: toArtistFolder,
      album: toAlbumFolder,
    }),
  }),
  search3: async (context) => ({
    searchResult3: toParts(context, await search(context), { artist: toArtist, album: toAlbum }),
  }),
};
