import type { Page } from '#contract/paging.ts';
import type { WeekOfYear } from '#contract/rules/weeks.ts';
import { listFavoriteIds } from '../favorites/service.ts';
import { listHistory } from '../history/service.ts';
import { visibilityFor } from '../tracks/service.ts';
import type { Track } from '#contract/tracks.ts';
import type { Reader } from './call.ts';
import { toAlbumId, toWeekId, toYearId, WHOLE_YEAR } from './ids.ts';
import { loadItems, type Album, type TrackItem } from './track-items.ts';
import {
  listTrackIds,
  listWeeks,
  listWeekTracks,
  type AlbumOrder,
  type Order,
  type Slice,
  type TrackChoice,
} from './queries.ts';

export const visibilityOf = ({ deps, viewer }: Reader) => visibilityFor(viewer, deps.clock.now());

/**
 * The albums of these weeks and whole years, in the given order. Those without a mix that the viewer
 * sees are left out.
 */
export async function loadAlbums(reader: Reader, weeks: readonly WeekOfYear[]): Promise<Album[]> {
  const rows = await listWeekTracks(reader.deps.database.db, visibilityOf(reader), weeks);
  const items = await loadItems(
    reader,
    rows.map(({ id }) => id),
  );
  const byAlbum = new Map([
    ...Map.groupBy(items, ({ track }) => toYearId(track.year)),
    ...Map.groupBy(items, ({ track: { year, weekNumber: week } }) => toWeekId({ year, week })),
  ]);
  return weeks.flatMap((album): Album[] => {
    const id = toAlbumId(album);
    const [first, ...more] = byAlbum.get(id) ?? [];
    return first ? [{ id, isYear: album.week === WHOLE_YEAR, items: [first, ...more] }] : [];
  });
}

export const listAlbums = async (
  reader: Reader,
  choice: TrackChoice,
  slice: Slice & AlbumOrder,
): Promise<Album[]> =>
  loadAlbums(reader, await listWeeks(reader.deps.database.db, visibilityOf(reader), choice, slice));

export const listItems = async (
  reader: Reader,
  choice: TrackChoice,
  slice: Slice & { order: Order },
): Promise<TrackItem[]> =>
  loadItems(
    reader,
    await listTrackIds(reader.deps.database.db, visibilityOf(reader), choice, slice),
  );

const PAGE = 100;

/** The first items of a list that comes in pages. */
async function readPages<T>(
  readPage: (page: { limit: number; cursor?: string }) => Promise<Page<T>>,
  count: number,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const next: { limit: number; cursor?: string } = {
      limit: PAGE,
      ...(cursor !== null && { cursor }),
    };
    const page: Page<T> = await readPage(next);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < count);
  return items.slice(0, count);
}

/** More than anyone looks at, in a list of one user. */
const MAX_LISTED = 5000;

/** The newest favorite first. */
export const listStarred = async (reader: Reader): Promise<TrackItem[]> => {
  const { deps, viewer } = reader;
  const ids = await listFavoriteIds(deps.database.db, viewer.user.id, MAX_LISTED);
  return loadItems(reader, ids);
};

/** The weeks of these tracks, each once. */
export function listWeeksOf(tracks: readonly Track[]): WeekOfYear[] {
  const weeks = tracks.map(({ year, weekNumber: week }) => ({ year, week }));
  return [...new Map(weeks.map((week) => [toWeekId(week), week])).values()];
}

/** Albums whose mixes are all favorites. */
export async function listStarredAlbums(
  reader: Reader,
  starred: readonly TrackItem[],
): Promise<Album[]> {
  const albums = await loadAlbums(reader, listWeeksOf(starred.map(({ track }) => track)));
  return albums.filter(({ items }) => items.every(({ starredAt }) => starredAt !== null));
}

/** What the user played last. */
export async function listRecentAlbums(reader: Reader, { limit, offset }: Slice): Promise<Album[]> {
  const { deps, viewer } = reader;
  // A week can have several mixes.
  const wanted = Math.min(2 * (offset + limit), MAX_LISTED);
  const entries = await readPages((page) => listHistory(deps, viewer, page), wanted);
  const weeks = listWeeksOf(entries.map(({ track }) => track));
  return loadAlbums(reader, weeks.slice(offset, offset + limit));
}
