import { readFactFor } from '../tracks/service.ts';
import type { Part } from './answer.ts';
import type { Reader } from './call.ts';
import { SubsonicError } from './errors.ts';
import { SITE_ARTIST, toArtistId } from './ids.ts';
import { countWeeksOfSite, listArtistRows } from './queries.ts';

/** An artist as apps know it: one that tracks name, or the site itself. */
export type SubsonicArtist = {
  id: string;
  name: string;
  /** The weeks with a mix of theirs. */
  weeks: number;
  about: string;
  pictureKey: string | null;
};

/** By name. The site is one of them unless every track names someone else. */
export function listSubsonicArtists({ deps, viewer }: Reader): Promise<SubsonicArtist[]> {
  const { db } = deps.database;
  const { siteName } = deps.config;
  return readFactFor(deps, viewer.user, `subsonic-artists:${siteName}`, async (visibility) => {
    const rows = await listArtistRows(db, visibility);
    const ofSite = await countWeeksOfSite(db, visibility);
    const artists = rows.map(({ id, name, about, picture_key, weeks }) => ({
      id: toArtistId(id),
      name,
      weeks,
      about,
      pictureKey: picture_key,
    }));
    const site = { id: SITE_ARTIST, name: siteName, weeks: ofSite, about: '', pictureKey: null };
    return (ofSite > 0 ? [site, ...artists] : artists).toSorted((a, b) =>
      a.name.localeCompare(b.name, 'en'),
    );
  });
}

export async function getSubsonicArtist(reader: Reader, id: string): Promise<SubsonicArtist> {
  const artist = (await listSubsonicArtists(reader)).find((known) => known.id === id);
  if (!artist) throw new SubsonicError(70);
  return artist;
}

export const toArtist = ({ id, name, weeks }: SubsonicArtist): Part => ({
  id,
  name,
  coverArt: id,
  albumCount: weeks,
  sortName: name,
  roles: ['artist', 'albumartist'],
});

export const toArtistFolder = ({ id, name }: SubsonicArtist): Part => ({ id, name });

const findLetter = (name: string): string => {
  const [letter = ''] = name.normalize('NFD');
  return /\p{L}/u.test(letter) ? letter.toUpperCase() : '#';
};

/** As apps show them, under their first letters. */
export const groupByLetter = (
  artists: readonly SubsonicArtist[],
  toPart: (artist: SubsonicArtist) => Part,
): Part[] =>
  [...Map.groupBy(artists, ({ name }) => findLetter(name))]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, group]) => ({ name, artist: group.map(toPart) }));
