import type { Part } from './answer.ts';
import { listAlbums, listItems, loadAlbums, visibilityOf } from './albums.ts';
import {
  getSubsonicArtist,
  groupByLetter,
  listSubsonicArtists,
  toArtist,
  toArtistFolder,
} from './artists.ts';
import type { Calls, CallContext, Reader } from './call.ts';
import { SubsonicError } from './errors.ts';
import { parseArtistId, parseId, toArtistId, toYearId, SITE_ARTIST, type ItemRef } from './ids.ts';
import {
  listArtistParts,
  loadItems,
  nameWeek,
  toAlbum,
  toSong,
  type Album,
  type TrackItem,
} from './track-items.ts';
import { listGenreRows, listYearsOf } from './queries.ts';
import { readFactFor } from '../tracks/service.ts';

/** There is one library. */
export const FOLDER = 1;
/** All weeks of sixty years: these calls have no pages. */
const MAX_ALBUMS = 3000;
const MAX_SONGS = 3000;
const EVERYTHING = { limit: MAX_SONGS, offset: 0 };

export async function getItem(reader: Reader, id: string): Promise<TrackItem> {
  const [item] = await loadItems(reader, [id]);
  if (!item) throw new SubsonicError(70);
  return item;
}

type YearRef = Extract<ItemRef, { kind: 'year' }>;

const toChoice = ({ year, artist }: YearRef) => ({
  years: { from: year, to: year },
  ...(artist && { artistId: artist.artistId }),
});

/** The mixes of a year, the first week first. */
async function listYear(reader: Reader, ref: YearRef): Promise<Album['items']> {
  const items = await listItems(reader, toChoice(ref), { order: 'newest', ...EVERYTHING });
  const [first, ...more] = items.toReversed();
  if (!first) throw new SubsonicError(70);
  return [first, ...more];
}

const toArtistKey = ({ artistId }: { artistId: string | null }): string =>
  artistId === null ? SITE_ARTIST : toArtistId(artistId);

/** What an id of a track, week, year or artist stands for, newest first. */
export async function listItemsOf(reader: Reader, id: string): Promise<TrackItem[]> {
  const ref = parseId(id);
  if (ref.kind === 'track') return loadItems(reader, [ref.trackId]);
  if (ref.kind === 'week') return (await loadAlbums(reader, [ref])).flatMap(({ items }) => items);
  const choice = ref.kind === 'year' ? toChoice(ref) : { artistId: ref.artistId };
  return listItems(reader, choice, { order: 'newest', ...EVERYTHING });
}

/** The mixes of a year as one album. */
async function toYearAlbum(reader: Reader, id: string, ref: YearRef): Promise<Part> {
  const items = await listYear(reader, ref);
  const song = items.map((item) => toSong(reader, item));
  return { ...toAlbum(reader, { id, isYear: true, items }), song };
}

async function getAlbum({ params, ...context }: CallContext): Promise<Part> {
  const id = params.id();
  const ref = parseId(id);
  if (ref.kind === 'year') return { album: await toYearAlbum(context, id, ref) };
  const [album] = ref.kind === 'week' ? await loadAlbums(context, [ref]) : [];
  if (!album) throw new SubsonicError(70);
  const song = album.items.map((item) => toSong(context, item));
  return { album: { ...toAlbum(context, album), song } };
}

async function listFolder(reader: Reader, id: string): Promise<Part> {
  if (id === String(FOLDER)) {
    const artists = await listSubsonicArtists(reader);
    const child = artists.map(({ id: artistId, name }) => ({
      id: artistId,
      title: name,
      isDir: true,
    }));
    return { id, name: reader.deps.config.siteName, child };
  }
  const ref = parseId(id);
  if (ref.kind === 'artist') return listArtistFolder(reader, id);
  if (ref.kind === 'year') {
    const items = await listYear(reader, ref);
    const parent = toArtistKey(ref.artist ?? { artistId: null });
    const child = items.map((item) => toSong(reader, item));
    return { id, parent, name: String(ref.year), child };
  }
  const [album] = ref.kind === 'week' ? await loadAlbums(reader, [ref]) : [];
  if (!album) throw new SubsonicError(70);
  const { items } = album;
  const [{ track }] = items;
  const [artist] = listArtistParts(reader, track);
  const parent = toYearId(track.year, artist?.id ?? SITE_ARTIST);
  const child = items.map((item) => toSong(reader, item));
  return { id, parent, name: nameWeek(track), child };
}

/** An artist's folder has one for each year. */
async function listArtistFolder(reader: Reader, id: string): Promise<Part> {
  const { name } = await getSubsonicArtist(reader, id);
  const { artistId } = parseArtistId(id);
  const { db } = reader.deps.database;
  const years = await listYearsOf(db, visibilityOf(reader), { artistId });
  const child = years.map(({ year }) => {
    const yearId = toYearId(year, id);
    const title = String(year);
    return {
      id: yearId,
      parent: id,
      isDir: true,
      title,
      album: title,
      artist: name,
      year,
      coverArt: yearId,
    };
  });
  return { id, parent: String(FOLDER), name, child };
}

const IGNORED_ARTICLES = '';

async function getIndexes({ params, ...context }: CallContext): Promise<Part> {
  const [newest] = await listItems(context, {}, { order: 'newest', limit: 1, offset: 0 });
  const lastModified = newest?.track.publishedAt ?? 0;
  const known = params.number('ifModifiedSince', { otherwise: 0, max: Number.MAX_SAFE_INTEGER });
  const isKnown = known > 0 && known >= lastModified;
  const artists = isKnown ? [] : await listSubsonicArtists(context);
  const index = groupByLetter(artists, toArtistFolder);
  return { indexes: { lastModified, ignoredArticles: IGNORED_ARTICLES, index } };
}

async function getArtist({ params, ...context }: CallContext): Promise<Part> {
  const artist = await getSubsonicArtist(context, params.id());
  const { artistId } = parseArtistId(artist.id);
  const slice = { order: 'newest', limit: MAX_ALBUMS, offset: 0 } as const;
  const albums = await listAlbums(context, { artistId }, slice);
  return {
    artist: { ...toArtist(artist), album: albums.map((album) => toAlbum(context, album)) },
  };
}

async function getGenres({ deps, viewer }: CallContext): Promise<Part> {
  const rows = await readFactFor(deps, viewer.user, 'subsonic-genres', (visibility) =>
    listGenreRows(deps.database.db, visibility),
  );
  const genre = rows.map((row) => ({
    songCount: row.tracks,
    albumCount: row.weeks,
    value: row.genre,
  }));
  return { genres: { genre } };
}

/** Who a track, week, year or artist is by. */
async function findArtistOf(context: CallContext) {
  const id = context.params.id();
  const ref = parseId(id);
  if (ref.kind === 'artist') return getSubsonicArtist(context, id);
  const [item] = await listItemsOf(context, id);
  const [artist] = item?.track.artists ?? [];
  if (!item) throw new SubsonicError(70);
  return getSubsonicArtist(context, artist ? toArtistId(artist.id) : SITE_ARTIST);
}

async function describeArtist(context: CallContext): Promise<Part> {
  const { about } = await findArtistOf(context);
  return { biography: about, similarArtist: [] };
}

async function describeAlbum({ params, ...context }: CallContext): Promise<Part> {
  const [item] = await listItemsOf(context, params.id());
  if (!item) throw new SubsonicError(70);
  return { albumInfo: { notes: item.track.description } };
}

export const browsingCalls: Calls = {
  getMusicFolders: async ({ deps }) => ({
    musicFolders: { musicFolder: [{ id: FOLDER, name: deps.config.siteName }] },
  }),
  getIndexes,
  getArtists: async (context) => ({
    artists: {
      ignoredArticles: IGNORED_ARTICLES,
      index: groupByLetter(await listSubsonicArtists(context), toArtist),
    },
  }),
  getArtist,
  getAlbum,
  getSong: async ({ params, ...context }) => ({
    song: toSong(context, await getItem(context, params.id())),
  }),
  getMusicDirectory: async ({ params, ...context }) => ({
    directory: await listFolder(context, params.id()),
  }),
  getGenres,
  getArtistInfo: async (context) => ({ artistInfo: await describeArtist(context) }),
  getArtistInfo2: async (context) => ({ artistInfo2: await describeArtist(context) }),
  getAlbumInfo: describeAlbum,
  getAlbumInfo2: describeAlbum,
};
