import { isOldVersion, type Part } from './answer.ts';
import {
  listAlbums,
  listItems,
  listRecentAlbums,
  listStarred,
  listStarredAlbums,
} from './albums.ts';
import { getSubsonicArtist, listSubsonicArtists } from './artists.ts';
import { listItemsOf } from './browsing.ts';
import type { CallContext, Calls } from './call.ts';
import { SubsonicError } from './errors.ts';
import { parseArtistId } from './ids.ts';
import {
  findLength,
  loadItems,
  toAlbum,
  toAlbumFolder,
  toSong,
  type Album,
  type TrackItem,
} from './track-items.ts';
import { listPlaying, type AlbumOrder } from './queries.ts';
import type { Params } from './params.ts';

const MAX_OFFSET = 1_000_000;
const MAX_SIZE = 500;

export const readSlice = (
  params: Params,
  sizeName: string,
  offsetName: string,
  otherwise: number,
) => ({
  limit: params.number(sizeName, { otherwise, max: MAX_SIZE }),
  offset: params.number(offsetName, { otherwise: 0, max: MAX_OFFSET }),
});

const readYear = (params: Params, name: string, otherwise: number) =>
  params.number(name, { otherwise, max: 9999 });

const orders: Record<string, AlbumOrder> = {
  random: { order: 'random' },
  newest: { order: 'newest' },
  // Nobody rates mixes here, so the best are those that are played most.
  highest: { order: 'plays' },
  frequent: { order: 'plays' },
  // Years are in the lists that show the whole library in order. Elsewhere they would show every mix twice.
  alphabeticalByName: { order: 'name', withYears: true },
  alphabeticalByArtist: { order: 'name', withYears: true },
};

async function listAlbumsByType({ params, ...context }: CallContext): Promise<Album[]> {
  const type = params.get('type');
  const slice = readSlice(params, 'size', 'offset', 10);
  // Old apps collect the songs of all albums, and would show each mix twice.
  const hasYears = !isOldVersion(params.find('v'));
  if (type === 'recent') return listRecentAlbums(context, slice);
  if (type === 'starred') {
    const albums = await listStarredAlbums(context, await listStarred(context));
    return albums.slice(slice.offset, slice.offset + slice.limit);
  }
  if (type === 'byGenre')
    return listAlbums(context, { genre: params.get('genre') }, { order: 'newest', ...slice });
  if (type === 'byYear') {
    params.get('fromYear');
    params.get('toYear');
    const [from, to] = [readYear(params, 'fromYear', 0), readYear(params, 'toYear', 0)];
    const years = { from: Math.min(from, to), to: Math.max(from, to) };
    const order = from > to ? 'newest' : 'oldest';
    return listAlbums(context, { years }, { order, withYears: hasYears, ...slice });
  }
  const order = Object.hasOwn(orders, type) ? orders[type] : undefined;
  if (!order) throw new SubsonicError(10, 'The parameter type isn’t a known list.');
  const withYears = order.withYears === true && hasYears;
  return listAlbums(context, {}, { ...order, withYears, ...slice });
}

const toSongs = (context: CallContext, items: readonly TrackItem[]): Part[] =>
  items.map((item) => toSong(context, item));

async function listRandom({ params, ...context }: CallContext) {
  const { limit } = readSlice(params, 'size', 'offset', 10);
  const genre = params.find('genre') || undefined;
  const [from, to] = [readYear(params, 'fromYear', 0), readYear(params, 'toYear', 9999)];
  const choice = { years: { from, to }, genre };
  return listItems(context, choice, { order: 'random', limit, offset: 0 });
}

/** Mixes of the same genre, for an app that wants to go on. */
async function listSimilar(context: CallContext): Promise<TrackItem[]> {
  const { params } = context;
  const [item] = await listItemsOf(context, params.id());
  if (!item) throw new SubsonicError(70);
  const { limit } = readSlice(params, 'count', 'offset', 50);
  const genre = item.track.genre ?? undefined;
  const similar = await listItems(
    context,
    { genre },
    { order: 'random', limit: limit + 1, offset: 0 },
  );
  return similar.filter(({ track }) => track.id !== item.track.id).slice(0, limit);
}

async function listTop(context: CallContext): Promise<TrackItem[]> {
  const { params } = context;
  const id = params.find('id');
  const name = id ? '' : params.get('artist').toLowerCase();
  const artist = id
    ? await getSubsonicArtist(context, id)
    : (await listSubsonicArtists(context)).find((known) => known.name.toLowerCase() === name);
  if (!artist) return [];
  const { limit } = readSlice(params, 'count', 'offset', 50);
  const { artistId } = parseArtistId(artist.id);
  return listItems(context, { artistId }, { order: 'plays', limit, offset: 0 });
}

const MINUTE_MS = 60_000;

/** Only the user's own apps: what others play is private. */
async function getNowPlaying(context: CallContext): Promise<Part> {
  const { deps, viewer } = context;
  const now = deps.clock.now();
  const rows = await listPlaying(deps.database.db, viewer.user.id);
  const latest = [...new Map(rows.toReversed().map((row) => [row.app_password_id, row])).values()];
  const items = await loadItems(
    context,
    latest.map((row) => row.track_id),
  );
  const entry = latest.flatMap((row, index) => {
    const item = items.find(({ track }) => track.id === row.track_id);
    const ms = now - (row.playing_since ?? 0);
    if (!item || ms > findLength(item) * 1000) return [];
    const player = { playerId: index + 1, playerName: row.last_client ?? row.name };
    const minutesAgo = Math.floor(Math.max(0, ms) / MINUTE_MS);
    return [{ ...toSong(context, item), username: viewer.user.username, minutesAgo, ...player }];
  });
  return { nowPlaying: { entry } };
}

/** Albums and artists can't be starred: a week counts as starred when all of its mixes are. */
async function getStarred(context: CallContext, toPart: typeof toAlbum) {
  const starred = await listStarred(context);
  const albums = await listStarredAlbums(context, starred);
  return {
    artist: [],
    album: albums.map((album) => toPart(context, album)),
    song: toSongs(context, starred),
  };
}

export const listCalls: Calls = {
  getAlbumList: async (context) => ({
    albumList: {
      album: (await listAlbumsByType(context)).map((album) => toAlbumFolder(context, album)),
    },
  }),
  getAlbumList2: async (context) => ({
    albumList2: {
      album: (await listAlbumsByType(context)).map((album) => toAlbum(context, album)),
    },
  }),
  getRandomSongs: async (context) => ({
    randomSongs: { song: toSongs(context, await listRandom(context)) },
  }),
  getSongsByGenre: async (context) => {
    const { params } = context;
    const slice = readSlice(params, 'count', 'offset', 10);
    const genre = params.get('genre');
    const items = await listItems(context, { genre }, { order: 'newest', ...slice });
    return { songsByGenre: { song: toSongs(context, items) } };
  },
  getSimilarSongs: async (context) => ({
    similarSongs: { song: toSongs(context, await listSimilar(context)) },
  }),
  getSimilarSongs2: async (context) => ({
    similarSongs2: { song: toSongs(context, await listSimilar(context)) },
  }),
  getTopSongs: async (context) => ({
    topSongs: { song: toSongs(context, await listTop(context)) },
  }),
  getNowPlaying,
  getStarred: async (context) => ({ starred: await getStarred(context, toAlbumFolder) }),
  getStarred2: async (context) => ({ starred2: await getStarred(context, toAlbum) }),
};
