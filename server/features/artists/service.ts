import type { Artist } from '#contract/artists/artists.ts';
import { isStaff } from '#contract/rules/access.ts';
import type { ListTeaser } from '#contract/shared-links.ts';
import type { ArtistRow } from './queries.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { toCoverUrl } from '../catalogue/service.ts';
import { buildTeaser, listVisibleTracks, readFactFor, visibilityFor } from '../tracks/service.ts';
import { findArtist, findArtistOfAlias, findVisibleTrack, listVisible } from './queries.ts';

export const presentArtist = (row: ArtistRow): Artist => ({
  id: row.id,
  name: row.name,
  about: row.about,
  links: JSON.parse(row.links) as string[],
  pictureUrl: toCoverUrl(row.picture_key),
});

/**
 * An artist is as visible as their tracks: with one that the viewer may see there is a page, with only
 * subscribers-only ones it says so, and otherwise only administrators find it. An artist that was
 * merged into another one leads there.
 */
export async function getArtist(
  { database: { db }, clock }: Deps,
  viewer: Viewer | null,
  id: string,
): Promise<Artist> {
  const artist = (await findArtist(db, id)) ?? (await findArtistOfAlias(db, id));
  if (!artist) throw new AppError('not_found');
  const visibility = visibilityFor(viewer, clock.now());
  const isOpen =
    (viewer && isStaff(viewer.user)) || (await findVisibleTrack(db, artist.id, visibility));
  if (isOpen) return presentArtist(artist);
  const forSubscribers = { ...visibility, includesSubscriberOnly: true };
  const isReserved = await findVisibleTrack(db, artist.id, forSubscribers);
  throw new AppError(isReserved ? 'subscribers_only' : 'not_found');
}

/** What everyone sees of an artist. */
export async function getArtistTeaser(deps: Deps, id: string): Promise<ListTeaser> {
  const artist = await getArtist(deps, null, id);
  const [{ items }, artists] = await Promise.all([
    listVisibleTracks(deps, null, { artist: artist.id, limit: 4 }),
    listVisibleArtists(deps, null),
  ]);
  const trackCount = artists.find((each) => each.id === artist.id)?.tracks ?? items.length;
  return buildTeaser(artist.name, trackCount, items);
}

/** More than a weekly site names in decades. */
const MAX_LISTED = 5000;

export type VisibleArtist = {
  id: string;
  name: string;
  pictureUrl: string | null;
  /** How many of their tracks the viewer may see. */
  tracks: number;
};

/** For other features: the artists of tracks that this viewer may see, by name. */
export async function listVisibleArtists(
  deps: Deps,
  viewer: Viewer | null,
): Promise<VisibleArtist[]> {
  return readFactFor(deps, viewer?.user ?? null, 'artists', async (visibility) => {
    const rows = await listVisible(deps.database.db, visibility, MAX_LISTED);
    return rows.map(({ picture_key, ...artist }) => ({
      ...artist,
      pictureUrl: toCoverUrl(picture_key),
    }));
  });
}
