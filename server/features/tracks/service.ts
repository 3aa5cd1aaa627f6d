import type { Page, PageQuery } from '#contract/paging.ts';
import { hasFullAccess } from '#contract/rules/access.ts';
import { weekOf } from '#contract/rules/weeks.ts';
import type {
  EarlyRelease,
  LibraryState,
  Neighbour,
  Track,
  TrackDetail,
} from '#contract/tracks.ts';
import { openFacts, type CatalogueFacts } from '../../db/catalogue-facts.ts';
import type { Db } from '../../db/connect.ts';
import type { TracksTable } from '../../db/types/tables.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import {
  findEarlyRelease,
  findNeighbours,
  listGenres,
  listSeries,
  listTracks,
  listYears,
  type TrackFilter,
  findPeaks,
  listViewerStates,
  type TrackRow,
  type Visibility,
} from './queries.ts';
import {
  addState,
  presentTrack,
  presentTrackDetail,
  type TrackFacts,
  type ViewerContext,
} from './present-track.ts';
import {
  asOfLastRelease,
  isVisibleTo,
  loadUnreleased,
  readFactFor,
  readPlayCounts,
  readTrack,
  readTrackList,
  visibilityOf,
} from './public-tracks.ts';

export { isVisible } from './queries.ts';
export {
  listDownloadFiles,
  listFiles,
  openFileOfOwner,
  openFileOfSession,
  openTrackFile,
  parseFirstByte,
} from './track-files.ts';
export { buildSleevePicture, sleevePictures } from './sleeve-picture.ts';
export type { TrackFacts, Visibility };
export {
  asOfLastRelease,
  findEdition,
  findVisibleTrack,
  readFactFor,
  readNewestTracks,
  readPublicFact,
  readTrackList,
} from './public-tracks.ts';

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
  return (await getVisibleFacts(deps, await openFacts(deps.database.db), viewer, id)).row;
}

async function getVisibleFacts(
  { database: { db }, clock }: Deps,
  facts: CatalogueFacts,
  viewer: Viewer | null,
  id: string,
): Promise<TrackFacts> {
  const visibility = visibilityFor(viewer, clock.now());
  const track = await findTrackFor(facts, db, { ...visibility, includesSubscriberOnly: true }, id);
  if (!track && viewer?.user.is_admin) {
    const unreleased = await loadUnreleased(db, id);
    if (unreleased) return unreleased;
  }
  if (!track) throw new AppError('not_found');
  if (track.row.is_subscriber_only && !visibility.includesSubscriberOnly)
    throw new AppError('subscribers_only');
  return track;
}

async function findTrackFor(
  facts: CatalogueFacts,
  db: Db,
  visibility: Visibility,
  id: string,
): Promise<TrackFacts | undefined> {
  const track = await readTrack(facts, db, id);
  return track && isVisibleTo(track.row, visibility) ? track : undefined;
}

/** Only the date of the next early release: the track itself is not public yet. */
export async function getEarlyRelease(deps: Deps): Promise<{ release: EarlyRelease | null }> {
  const now = deps.clock.now();
  const { early_ms: earlyMs } = await readAccessPolicy(deps);
  const row = await findEarlyRelease(deps.database.db, { now, earlyMs });
  if (!row) return { release: null };
  return {
    release: { year: row.year, weekNumber: row.week, publishedAt: row.publish_at ?? 0 },
  };
}

export async function getTeaser(
  { database: { db }, clock }: Deps,
  viewer: Viewer | null,
  id: string,
): Promise<{ year: number; weekNumber: number }> {
  const visibility = { ...visibilityFor(viewer, clock.now()), includesSubscriberOnly: true };
  const track = await findTrackFor(await openFacts(db), db, visibility, id);
  if (!track) throw new AppError('not_found');
  return { year: track.row.year, weekNumber: track.row.week };
}

type ListInput = Omit<TrackFilter, 'mine'> & PageQuery & { state?: LibraryState | undefined };

async function loadViewerContext(
  { database: { db }, clock }: Deps,
  viewer: Viewer | null,
  facts: CatalogueFacts,
  tracks: readonly TrackFacts[],
): Promise<ViewerContext> {
  const plays = await readPlayCounts(facts, db, tracks);
  return { plays, hasFullAccess: hasFullAccess(viewer?.user ?? null, clock.now()) };
}

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
  const now = deps.clock.now();
  const visibility = visibilityFor(viewer, now);
  const mine = state &&
    viewer && {
      userId: viewer.user.id,
      state,
      thisWeek: weekOf(now, deps.config.timeZone),
      hasFullAccess: hasFullAccess(viewer.user, now),
    };
  const { db } = deps.database;
  const facts = viewer?.facts ?? (await openFacts(db));
  const { ids, nextCursor } = mine
    ? await listIds(db, visibility, { ...filter, mine }, { cursor, limit })
    : await readList(facts, db, visibility, filter, { cursor, limit });
  const tracks = await readTrackList(facts, db, ids);
  return { items: await presentTracks(deps, viewer, facts, tracks), nextCursor };
}

type IdPage = { ids: string[]; nextCursor: string | null };

async function listIds(
  db: Db,
  visibility: Visibility,
  filter: TrackFilter,
  page: PageQuery,
): Promise<IdPage> {
  const { rows, nextCursor } = await listTracks(db, visibility, filter, page);
  return { ids: rows.map(({ id }) => id), nextCursor };
}

/** A page of the list that every viewer with this visibility gets. */
async function readList(
  facts: CatalogueFacts,
  db: Db,
  visibility: Visibility,
  filter: Omit<TrackFilter, 'mine'>,
  page: PageQuery,
): Promise<IdPage> {
  const settled = await asOfLastRelease(facts, db, visibility);
  return facts.read(`list:${JSON.stringify([settled, filter, page])}`, () =>
    listIds(db, settled, filter, page),
  );
}

/** Those that this viewer may see, in the given order, without what the viewer has done with them. */
export async function presentTracks(
  deps: Deps,
  viewer: Viewer | null,
  facts: CatalogueFacts,
  tracks: readonly TrackFacts[],
): Promise<Track[]> {
  const visibility = visibilityFor(viewer, deps.clock.now());
  const visible = tracks.filter(({ row }) => isVisibleTo(row, visibility));
  if (visible.length === 0) return [];
  const context = await loadViewerContext(deps, viewer, facts, visible);
  return visible.map((track) => presentTrack(track, context));
}

export function getFacets(
  deps: Deps,
  viewer: Viewer | null,
): Promise<{ years: number[]; genres: string[]; series?: string[] }> {
  const { db } = deps.database;
  return readFactFor(deps, viewer?.user ?? null, 'facets', async (visibility) => {
    const [years, genres, series] = await Promise.all([
      listYears(db, visibility),
      listGenres(db, visibility),
      listSeries(db, visibility),
    ]);
    return { years, genres, ...(series.length > 0 && { series }) };
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
  const { db } = deps.database;
  const facts = await openFacts(db);
  const tracks = await presentTracks(deps, viewer, facts, await readTrackList(facts, db, ids));
  return viewer ? addOwnStates(deps, viewer, tracks) : tracks;
}

export async function getTrackDetail(
  deps: Deps,
  viewer: Viewer | null,
  id: string,
): Promise<TrackDetail> {
  const facts = viewer?.facts ?? (await openFacts(deps.database.db));
  const track = await getVisibleFacts(deps, facts, viewer, id);
  const detail = presentTrackDetail(track, await loadViewerContext(deps, viewer, facts, [track]));
  const { publish_at } = track.row;
  if (publish_at === null) return { ...detail, unreleased: 'draft' };
  const { publishedBy } = visibilityFor(viewer, deps.clock.now());
  return publish_at > publishedBy ? { ...detail, unreleased: 'scheduled' } : detail;
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
  const { db } = deps.database;
  const { early_ms } = await readAccessPolicy(deps);
  const publishedBy = deps.clock.now() + early_ms;
  const visibility = { publishedBy, includesSubscriberOnly: true };
  // PostgreSQL can't compare a text that contains a NUL.
  const track = id.includes('\0')
    ? undefined
    : await findTrackFor(await openFacts(db), db, visibility, id);
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
