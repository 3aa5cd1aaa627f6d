import type { Page, PageQuery } from '#contract/paging.ts';
import type { ListTeaser } from '#contract/shared-links.ts';
import { isStaff } from '#contract/rules/access.ts';
import type { UpcomingRelease } from '#contract/rules/next-release.ts';
import { MINUTE } from '#contract/rules/time.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type {
  EarlyRelease,
  LibraryState,
  Neighbour,
  Track,
  TrackDetail,
} from '#contract/tracks.ts';
import type { Db } from '../../db/connect.ts';
import { readSettings } from '../../db/settings.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { defineRateLimit, limitPerAddress } from '../../http/route/rate-limit.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import {
  countYears,
  findNextRelease,
  findNeighbours,
  listGenres,
  listSeries,
  listWeeks,
  listYears,
  type TrackFilter,
  findPeaks,
  listViewerStates,
  type TrackRow,
  type Visibility,
} from './queries.ts';
import {
  findEdition,
  loadUnreleased,
  openCatalogue,
  readFactFor,
  visibilityOf,
  type Catalogue,
} from './catalogue.ts';
import { addState, presentFiles, presentTrack, type TrackFacts } from './present-track.ts';

export { isVisible } from './queries.ts';
export {
  endWhenTakenDown,
  listDownloadFiles,
  listFiles,
  nameDownload,
  openFileOfOwner,
  openFileOfSession,
  openTrackFile,
  parseFirstByte,
} from './track-files.ts';
export { findMailPicture } from './mail-pictures.ts';
export { buildSleevePicture, sleevePictures } from './sleeve-picture.ts';
export type { TrackFacts, Visibility };
export { findEdition, loadUnreleased, openCatalogue, readFactFor, type Catalogue };

/** What this viewer may see. */
export const visibilityFor = (viewer: Viewer | null, now: number): Visibility =>
  visibilityOf(viewer?.user ?? null, now);

/**
 * Throws when the viewer may not see the track. A link to a subscribers-only track says so;
 * unpublished tracks are not found, except by administrators.
 */
export async function getVisibleTrack(
  deps: Deps,
  viewer: Viewer | null,
  id: string,
): Promise<Readonly<TrackRow>> {
  const catalogue = await openCatalogue(deps, viewer?.user ?? null);
  return (await getVisibleFacts(deps, catalogue, viewer, id)).row;
}

async function getVisibleFacts(
  { database: { db } }: Deps,
  catalogue: Catalogue,
  viewer: Viewer | null,
  id: string,
): Promise<TrackFacts> {
  const track = await catalogue.find(id, 'reserved');
  if (!track && viewer && isStaff(viewer.user)) {
    const unreleased = await loadUnreleased(db, id);
    if (unreleased) return unreleased;
  }
  if (!track) throw new AppError('not_found');
  if (track.row.is_subscriber_only && !catalogue.visibility.includesSubscriberOnly)
    throw new AppError('subscribers_only');
  return track;
}

/** Only its hours and week, and once subscribers hear it, its name: the track itself is not public yet. */
export async function getEarlyRelease(
  deps: Deps,
): Promise<{ now: number; release: EarlyRelease | null; upcoming: UpcomingRelease[] }> {
  const { db } = deps.database;
  const now = deps.clock.now();
  const { early_ms: earlyMs } = await readAccessPolicy(deps);
  const row = await findNextRelease(db, now);
  if (!row?.publish_at) return { now, release: null, upcoming: [] };
  const isEarly = row.publish_at <= now + earlyMs;
  const later = isEarly ? await findNextRelease(db, now + earlyMs) : undefined;
  const { title, year, week: weekNumber, publish_at: publishedAt } = row;
  const { isNextAnnounced } = await readSettings(db, now);
  return {
    now,
    release: isEarly ? { title, year, weekNumber, publishedAt } : null,
    upcoming: isNextAnnounced
      ? [row, ...(later ? [later] : [])].map((each) => presentUpcoming(each, earlyMs))
      : [],
  };
}

const presentUpcoming = (
  { year, week: weekNumber, publish_at }: Pick<TracksTable, 'year' | 'week' | 'publish_at'>,
  earlyMs: number,
): UpcomingRelease => {
  const at = publish_at ?? 0;
  return { year, weekNumber, at, earlyAt: earlyMs > 0 ? at - earlyMs : null };
};

export async function getTeaser(
  deps: Deps,
  viewer: Viewer | null,
  id: string,
): Promise<{ year: number; weekNumber: number }> {
  const catalogue = await openCatalogue(deps, viewer?.user ?? null);
  const track = await catalogue.find(id, 'reserved');
  if (!track) throw new AppError('not_found');
  return { year: track.row.year, weekNumber: track.row.week };
}

const TEASER_SLEEVES = 4;

/** For other features: a list of tracks as visitors see it. `tracks` are the first ones that they may open. */
export const buildTeaser = (
  name: string,
  trackCount: number,
  tracks: readonly Track[],
): ListTeaser => ({
  name,
  trackCount,
  sleeves: tracks
    .slice(0, TEASER_SLEEVES)
    .map(({ id, weekNumber, coverUrl }) => ({ id, weekNumber, coverUrl })),
  first: tracks[0] ?? null,
});

/** For other features: these tracks as visitors see them, without those that visitors can’t open. */
export async function getTeaserOf(
  deps: Deps,
  name: string,
  ids: readonly string[],
): Promise<ListTeaser> {
  const catalogue = await openCatalogue(deps, null);
  const tracks = await catalogue.read(ids);
  return buildTeaser(name, tracks.length, await catalogue.present(tracks.slice(0, TEASER_SLEEVES)));
}

/** For other features: everyone may ask for teasers, but not for all of them. */
export const limitTeasers = limitPerAddress(
  defineRateLimit({
    name: 'teaser-address',
    what: 'Shared playlists and artists opened by visitors from one address',
    limit: 300,
    periodMs: 10 * MINUTE,
  }),
);

type ListInput = Omit<TrackFilter, 'mine'> & PageQuery & { state?: LibraryState | undefined };

/**
 * Adds what the viewer has done with these tracks, in one query, however many there are. The same list
 * if that is nothing.
 */
export async function addOwnStates<T extends Track>(
  { database: { db } }: Deps,
  viewer: Viewer,
  tracks: T[],
): Promise<T[]> {
  if (tracks.length === 0) return tracks;
  const ids = tracks.map(({ id }) => id);
  const states = await listViewerStates(db, viewer.user.id, ids);
  if (states.length === 0) return tracks;
  const stateOf = new Map(states.map((state) => [state.id, state]));
  return tracks.map((track) => addState(track, stateOf.get(track.id)));
}

export async function listVisibleTracks(
  deps: Deps,
  viewer: Viewer | null,
  { cursor, limit, state, ...filter }: ListInput,
): Promise<Page<Track>> {
  if (state && !viewer) throw new AppError('unauthenticated');
  const catalogue = await openCatalogue(deps, viewer?.user ?? null, viewer?.facts);
  const mine = state &&
    viewer && {
      userId: viewer.user.id,
      state,
      thisWeek: weekOf(deps.clock.now(), deps.config.timeZone),
      hasFullAccess: catalogue.visibility.includesSubscriberOnly,
    };
  const { ids, nextCursor } = await catalogue.list(
    { ...filter, ...(mine && { mine }) },
    { cursor, limit },
  );
  return { items: await catalogue.present(await catalogue.readAny(ids)), nextCursor };
}

export function getFacets(
  deps: Deps,
  viewer: Viewer | null,
): Promise<{ years: number[]; weeks: number[]; genres: string[]; series?: string[] }> {
  const { db } = deps.database;
  const { year } = weekOf(deps.clock.now(), deps.config.timeZone);
  return readFactFor(deps, viewer?.user ?? null, `facets:${year}`, async (visibility) => {
    const [years, weeks, genres, series] = await Promise.all([
      listYears(db, visibility),
      listWeeks(db, visibility, year),
      listGenres(db, visibility),
      listSeries(db, visibility),
    ]);
    return { years, weeks, genres, ...(series.length > 0 && { series }) };
  });
}

type NeighbourRow = Pick<TrackRow, 'id' | 'title' | 'year' | 'week'>;
const presentNeighbour = (row: NeighbourRow | undefined): Neighbour | null =>
  row ? { id: row.id, title: row.title, year: row.year, weekNumber: row.week } : null;

export async function getNeighbours(
  deps: Deps,
  viewer: Viewer | null,
  id: string,
): Promise<{ previous: Neighbour | null; next: Neighbour | null }> {
  const { year, week, publish_at } = await getVisibleTrack(deps, viewer, id);
  const { previous, next } = await findNeighbours(
    deps.database.db,
    visibilityFor(viewer, deps.clock.now()),
    [year, week, publish_at ?? 0, id],
  );
  return { previous: presentNeighbour(previous), next: presentNeighbour(next) };
}

/** For other features: the tracks this viewer may see, in the given order, with the viewer's own state. */
export async function listTracksById(
  deps: Deps,
  viewer: Viewer | null,
  ids: readonly string[],
): Promise<Track[]> {
  const catalogue = await openCatalogue(deps, viewer?.user ?? null);
  const tracks = await catalogue.present(await catalogue.readAny(ids));
  return viewer ? addOwnStates(deps, viewer, tracks) : tracks;
}

export async function getTrackDetail(
  deps: Deps,
  viewer: Viewer | null,
  id: string,
): Promise<TrackDetail> {
  const catalogue = await openCatalogue(deps, viewer?.user ?? null, viewer?.facts);
  const { publishedBy, includesSubscriberOnly } = catalogue.visibility;
  const track = await getVisibleFacts(deps, catalogue, viewer, id);
  const plays = await catalogue.readPlayCounts([track]);
  const { rules } = catalogue;
  const detail = {
    ...presentTrack(track, includesSubscriberOnly, plays, rules),
    ...presentFiles(track, rules),
  };
  const { publish_at, taken_down_at } = track.row;
  if (taken_down_at !== null) return { ...detail, unreleased: 'takenDown' };
  if (publish_at === null) return { ...detail, unreleased: 'draft' };
  return publish_at > publishedBy ? { ...detail, unreleased: 'scheduled' } : detail;
}

/** How many mixes of each year are out, for those who hear all of them. */
export async function countPublished(deps: Deps): Promise<{ year: number; count: number }[]> {
  const subscriber = {
    is_admin: 0,
    is_helper: 0,
    paid_through: Infinity,
    grace_ms: 0,
    early_ms: 0,
  } as const;
  return readFactFor(deps, subscriber, 'counts', (visibility) =>
    countYears(deps.database.db, visibility),
  );
}

/** Those that a browser may keep saved: the viewer hears them in full, and nobody has turned saving off. */
export async function listSavable(
  deps: Deps,
  viewer: Viewer,
  ids: readonly string[],
): Promise<string[]> {
  const catalogue = await openCatalogue(deps, viewer.user);
  if (!catalogue.visibility.includesSubscriberOnly) return [];
  const tracks = await catalogue.read(ids);
  return tracks.filter((track) => catalogue.findAllowed(track).saving).map(({ row }) => row.id);
}

export async function getVisiblePeaks(
  deps: Deps,
  viewer: Viewer | null,
  id: string,
): Promise<{ peaks: number[] }> {
  await getVisibleTrack(deps, viewer, id);
  return getPeaks(deps, id);
}

/** For the catalogue, which shows every track. */
export async function getPeaks({ database }: Deps, id: string): Promise<{ peaks: number[] }> {
  const peaks = await findPeaks(database.db, id);
  // Two decimals are less than a pixel of a waveform, and pages bring 1,600 of these.
  return { peaks: peaks.map((peak) => Math.round((peak / 255) * 100) / 100) };
}

/** The drawn sleeve of a track that at least subscribers can see. It reveals nothing but the week. */
export async function findSleeve(
  deps: Deps,
  id: string,
): Promise<{ week: number; trackId: string } | null> {
  // PostgreSQL can't compare a text that contains a NUL.
  if (id.includes('\0')) return null;
  const { early_ms } = await readAccessPolicy(deps);
  const subscriber = {
    is_admin: 0,
    is_helper: 0,
    paid_through: Infinity,
    grace_ms: 0,
    early_ms,
  } as const;
  const track = await (await openCatalogue(deps, subscriber)).find(id);
  return track ? { week: track.row.week, trackId: track.row.id } : null;
}

export type TrackName = Pick<TracksTable, 'id' | 'title' | 'year' | 'week'>;

/** For other features: the names of any tracks, visible or not. */
export const listTrackNames = async (db: Db, ids: readonly string[]): Promise<TrackName[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom('tracks')
        .select(['id', 'title', 'year', 'week'])
        .where('id', 'in', ids)
        .execute();
