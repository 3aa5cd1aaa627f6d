import type { WeekOfYear } from '#contract/rules/weeks.ts';

/**
 * Apps know artists, albums and songs. A song is a track, with the track's id. An album is a week,
 * or a year with all of its tracks; an artist's year is a folder. Tracks that name nobody are by the
 * site.
 */
export const SITE_ARTIST = 'artist-site';
const ARTIST = 'artist-';

export const toArtistId = (id: string): string => `${ARTIST}${id}`;
export const toWeekId = ({ year, week }: WeekOfYear): string =>
  `week-${year}-${String(week).padStart(2, '0')}`;
export const toYearId = (year: number, artistId?: string): string =>
  artistId === undefined ? `year-${year}` : `year-${year}-${artistId}`;

/** In place of the number of a week, it stands for all weeks of the year. */
export const WHOLE_YEAR = 0;
export const toAlbumId = (album: WeekOfYear): string =>
  album.week === WHOLE_YEAR ? toYearId(album.year) : toWeekId(album);

/** All tracks of an artist; null for those that name nobody. */
export type ArtistRef = { kind: 'artist'; artistId: string | null };
export type ItemRef =
  | { kind: 'track'; trackId: string }
  | ({ kind: 'week' } & WeekOfYear)
  | { kind: 'year'; year: number; artist: ArtistRef | undefined }
  | ArtistRef;

export const parseArtistId = (id: string): ArtistRef => ({
  kind: 'artist',
  artistId: id === SITE_ARTIST ? null : id.slice(ARTIST.length),
});

export function parseId(id: string): ItemRef {
  const [, year = '', week = ''] = /^week-(\d{4})-(0[1-9]|[1-9]\d)$/.exec(id) ?? [];
  if (week !== '') return { kind: 'week', year: Number(year), week: Number(week) };
  const [, ofYear = '', artist] = /^year-(\d{4})(?:-(artist-.+))?$/.exec(id) ?? [];
  if (ofYear !== '')
    return {
      kind: 'year',
      year: Number(ofYear),
      artist: artist ? parseArtistId(artist) : undefined,
    };
  return id.startsWith(ARTIST) ? parseArtistId(id) : { kind: 'track', trackId: id };
}
