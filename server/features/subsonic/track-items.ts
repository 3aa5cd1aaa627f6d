import { findListeningState } from '#contract/rules/progress.ts';
import { playableSeconds } from '#contract/rules/preview.ts';
import { weekDays } from '#contract/rules/weeks.ts';
import type { Track } from '#contract/tracks.ts';
import type { RenditionsTable } from '../../db/types/tables.ts';
import { findExtension, withoutParameters } from '../../http/send/attachment.ts';
import { listFavoriteTimes } from '../favorites/service.ts';
import { addOwnStates, openCatalogue } from '../tracks/service.ts';
import type { Part } from './answer.ts';
import { toIsoTime, type Reader } from './call.ts';
import { SITE_ARTIST, toArtistId, toWeekId } from './ids.ts';

/** A track as the viewer gets it, with the file that they would hear. */
export type TrackItem = {
  track: Track;
  file: RenditionsTable | undefined;
  starredAt: number | null;
};

/** Those of these tracks that the viewer may see, in the given order. */
export async function loadItems(
  { deps, viewer }: Reader,
  ids: readonly string[],
): Promise<TrackItem[]> {
  if (ids.length === 0) return [];
  const { db } = deps.database;
  const catalogue = await openCatalogue(deps, viewer.user, viewer.facts);
  const found = await catalogue.readAny(ids);
  const factsOf = new Map(found.map((track) => [track.row.id, track]));
  const shown = await catalogue.present(found);
  const tracks = await addOwnStates(deps, viewer, shown);
  const favorites = tracks.filter(({ isFavorite }) => isFavorite).map(({ id }) => id);
  const times = await listFavoriteTimes(db, viewer.user.id, favorites);
  return tracks.map((track) => ({
    track,
    file: factsOf.get(track.id)?.findFile(track.access === 'full' ? 'stream' : 'preview'),
    starredAt: times.get(track.id) ?? null,
  }));
}

type ArtistPart = { id: string; name: string };

/** Who a track is by: the artists it names, or the site. */
export function listArtistParts({ deps }: Reader, { artists = [] }: Track): ArtistPart[] {
  if (artists.length === 0) return [{ id: SITE_ARTIST, name: deps.config.siteName }];
  return artists.map(({ id, name }) => ({ id: toArtistId(id), name }));
}

const joinNames = (artists: readonly ArtistPart[]): string =>
  artists.map(({ name }) => name).join(', ');

/** The parts that songs and albums have in common. */
function toNames(artists: readonly ArtistPart[]) {
  const displayArtist = joinNames(artists);
  return {
    artist: displayArtist,
    artistId: artists[0]?.id,
    artists: artists.map(({ id, name }) => ({ id, name })),
    displayArtist,
  };
}

export const nameWeek = ({ year, weekNumber }: Pick<Track, 'year' | 'weekNumber'>): string =>
  `Week ${weekNumber}, ${year}`;

/** Seconds of the file that the viewer gets. */
export const findLength = ({ track }: TrackItem): number =>
  playableSeconds(track.duration, track.access === 'full');

/** In kilobits per second. */
const findBitRate = (size: number, seconds: number): number | undefined =>
  seconds > 0 ? Math.round((size * 8) / seconds / 1000) : undefined;

/** Someone who only gets the preview must see why the mix is so short. */
const findTitle = ({ title, access }: Track): string =>
  access === 'full' ? title : `${title} (preview)`;

/** Where the user stopped, in milliseconds. */
function findPosition(track: Track): number | undefined {
  const isStarted = track.access === 'full' && findListeningState(track) === 'started';
  return isStarted ? Math.round((track.progress?.position ?? 0) * 1000) : undefined;
}

export function toSong(reader: Reader, item: TrackItem): Part {
  const { track, file, starredAt } = item;
  const artists = listArtistParts(reader, track);
  const names = toNames(artists);
  const album = nameWeek(track);
  const albumId = toWeekId({ year: track.year, week: track.weekNumber });
  const contentType = withoutParameters(file?.media_type ?? 'audio/mpeg');
  const suffix = findExtension(contentType);
  const seconds = findLength(item);
  const title = findTitle(track);
  const fileName = `${String(track.weekNumber).padStart(2, '0')} - ${title}`.replaceAll('/', '_');
  return {
    id: track.id,
    parent: albumId,
    isDir: false,
    title,
    album,
    albumId,
    ...names,
    albumArtists: names.artists,
    displayAlbumArtist: names.displayArtist,
    track: track.weekNumber,
    // Apps that group by disc expect one.
    discNumber: 1,
    year: track.year,
    genre: track.genre ?? undefined,
    genres: track.genre === null ? [] : [{ name: track.genre }],
    coverArt: track.id,
    size: file?.size,
    contentType,
    suffix,
    duration: Math.round(seconds),
    bitRate: file && findBitRate(file.size, seconds),
    path: `${names.displayArtist.replaceAll('/', '_')}/${track.year}/${fileName}.${suffix}`,
    isVideo: false,
    playCount: track.plays,
    created: toIsoTime(track.publishedAt),
    starred: starredAt === null ? undefined : toIsoTime(starredAt),
    played: track.progress ? toIsoTime(track.progress.listenedAt) : undefined,
    bookmarkPosition: findPosition(track),
    bpm: track.bpm ?? undefined,
    comment: track.description,
    sortName: title,
    type: 'music',
    mediaType: 'song',
    explicitStatus: '',
  };
}

/** The mixes of a week, or of a year, as an album. */
export type Album = { id: string; isYear: boolean; items: [TrackItem, ...TrackItem[]] };

export function toAlbum(reader: Reader, { id, isYear, items }: Album): Part {
  const [first] = items;
  const { year, weekNumber } = first.track;
  const tracks = items.map(({ track }) => track);
  const artists = new Map(
    tracks.flatMap((track) => listArtistParts(reader, track)).map((artist) => [artist.id, artist]),
  );
  const genres = [...new Set(tracks.flatMap(({ genre }) => genre ?? []))];
  const published = Math.min(...tracks.map(({ publishedAt }) => publishedAt));
  const played = Math.max(...tracks.map(({ progress }) => progress?.listenedAt ?? 0));
  // An album is a favorite when all of its mixes are.
  const starred = items.map(({ starredAt }) => starredAt);
  const isStarred = starred.every((at) => at !== null);
  const monday = new Date(weekDays({ year, week: weekNumber }).monday);
  return {
    id,
    name: isYear ? String(year) : nameWeek(first.track),
    ...toNames([...artists.values()]),
    coverArt: id,
    songCount: items.length,
    duration: Math.round(items.reduce((sum, item) => sum + findLength(item), 0)),
    playCount: tracks.reduce((sum, { plays }) => sum + plays, 0),
    created: toIsoTime(published),
    starred: isStarred ? toIsoTime(Math.max(...starred.map((at) => at ?? 0))) : undefined,
    played: played > 0 ? toIsoTime(played) : undefined,
    year,
    genre: genres[0],
    genres: genres.map((name) => ({ name })),
    releaseDate: isYear
      ? { year }
      : {
          year: monday.getUTCFullYear(),
          month: monday.getUTCMonth() + 1,
          day: monday.getUTCDate(),
        },
    sortName: isYear ? String(year) : `${year} ${String(weekNumber).padStart(2, '0')}`,
    isCompilation: false,
  };
}

/** The same album for apps that browse folders. */
export function toAlbumFolder(reader: Reader, folderOf: Album): Part {
  const {
    name,
    songCount: _songs,
    sortName: _sort,
    isCompilation: _is,
    ...album
  } = toAlbum(reader, folderOf);
  const { releaseDate: _date, ...folder } = album;
  return { ...folder, title: name, album: name, isDir: true, mediaType: 'album' };
}
