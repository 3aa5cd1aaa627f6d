import { hasFullAccess, visibleUntil, type ViewerAccess } from '#contract/rules/access.ts';
import { findLastRelease, openFacts, type CatalogueFacts } from '../../db/catalogue-facts.ts';
import type { Db } from '../../db/connect.ts';
import { listArtistsOf, listTrackArtists } from '../../db/track-artists.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { TrackFacts } from './present-track.ts';
import {
  findReadyTrack,
  listFilesOf,
  listPlayCounts,
  listRows,
  listTracks,
  type TrackRow,
  type Visibility,
} from './queries.ts';

async function loadTracks(db: Db, ids: readonly string[]): Promise<Map<string, TrackFacts>> {
  const [rows, files, artists] = await Promise.all([
    listRows(db, ids),
    listFilesOf(db, ids),
    listTrackArtists(db, ids),
  ]);
  const filesOf = Map.groupBy(files, (file) => file.track_id);
  const published = rows.filter((row) => row.status === 'ready' && row.publish_at !== null);
  return new Map(
    published.map((row) => [
      row.id,
      new TrackFacts(row, filesOf.get(row.id) ?? [], artists.get(row.id)),
    ]),
  );
}

/** For administrators: a track without a release, which is never kept in memory. */
export async function loadUnreleased(db: Db, id: string): Promise<TrackFacts | undefined> {
  const row = await findReadyTrack(db, id);
  if (!row) return undefined;
  const [files, artists] = await Promise.all([listFilesOf(db, [id]), listArtistsOf(db, id)]);
  return new TrackFacts(row, files, artists);
}

/** Tracks with a release time, past or future: check `isVisibleTo` before showing one. */
const readTracks = (
  facts: CatalogueFacts,
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TrackFacts>> =>
  facts.readTracks(ids, (missing) => loadTracks(db, missing));

/** The same in the given order; those that don't exist are left out. */
export async function readTrackList(
  facts: CatalogueFacts,
  db: Db,
  ids: readonly string[],
): Promise<TrackFacts[]> {
  const tracks = await readTracks(facts, db, ids);
  return ids.flatMap((id) => tracks.get(id) ?? []);
}

export const readTrack = async (
  facts: CatalogueFacts,
  db: Db,
  id: string,
): Promise<TrackFacts | undefined> => (await readTracks(facts, db, [id])).get(id);

/** The play counts of these tracks by id. They are read again after a play was counted. */
export async function readPlayCounts(
  { playVersion }: CatalogueFacts,
  db: Db,
  tracks: readonly TrackFacts[],
): Promise<ReadonlyMap<string, number>> {
  const plays = new Map<string, number>();
  const missing = new Map<string, TrackFacts>();
  for (const track of tracks) {
    const count = track.playsAt(playVersion);
    if (count === undefined) missing.set(track.row.id, track);
    else plays.set(track.row.id, count);
  }
  if (missing.size === 0) return plays;
  for (const row of await listPlayCounts(db, JSON.stringify([...missing.keys()]))) {
    plays.set(row.id, row.play_count);
    if (playVersion !== undefined) missing.get(row.id)?.keepPlays(playVersion, row.play_count);
  }
  return plays;
}

export const isVisibleTo = (
  {
    status,
    publish_at,
    is_subscriber_only,
  }: Pick<TrackRow, 'status' | 'publish_at' | 'is_subscriber_only'>,
  { publishedBy, includesSubscriberOnly }: Visibility,
): boolean =>
  status === 'ready' &&
  publish_at !== null &&
  publish_at <= publishedBy &&
  (includesSubscriberOnly || is_subscriber_only === 0);

/**
 * The same visibility as of the last release: it stays the same until the next one, so it can be part
 * of the key of a fact.
 */
export async function asOfLastRelease(
  facts: CatalogueFacts,
  db: Db,
  visibility: Visibility,
): Promise<Visibility> {
  return { ...visibility, publishedBy: await findLastRelease(facts, db, visibility.publishedBy) };
}

/** What someone with this access may see. */
export const visibilityOf = (access: ViewerAccess, now: number): Visibility => ({
  publishedBy: visibleUntil(access, now),
  includesSubscriberOnly: hasFullAccess(access, now),
});

/** A track that someone with this access may see. */
export async function findVisibleTrack(
  { database: { db }, clock }: Deps,
  access: ViewerAccess,
  id: string,
): Promise<TrackFacts | undefined> {
  const track = await readTrack(await openFacts(db), db, id);
  return track && isVisibleTo(track.row, visibilityOf(access, clock.now())) ? track : undefined;
}

/** What follows from the tracks that everyone with this access sees, until these change. */
export async function readFactFor<T>(
  { database: { db }, clock }: Deps,
  access: ViewerAccess,
  key: string,
  load: (visibility: Visibility, facts: CatalogueFacts) => Promise<T>,
): Promise<T> {
  const facts = await openFacts(db);
  const visibility = await asOfLastRelease(facts, db, visibilityOf(access, clock.now()));
  return facts.read(`${key}:${JSON.stringify(visibility)}`, () => load(visibility, facts));
}

/** The same for visitors. */
export const readPublicFact = <T>(
  deps: Deps,
  key: string,
  load: (visibility: Visibility) => Promise<T>,
): Promise<T> => readFactFor(deps, null, key, load);

/** The newest weeks first. */
export async function readNewestTracks(
  facts: CatalogueFacts,
  db: Db,
  visibility: Visibility,
  limit: number,
): Promise<TrackFacts[]> {
  const { rows } = await listTracks(db, visibility, {}, { limit });
  const tracks = await readTrackList(
    facts,
    db,
    rows.map(({ id }) => id),
  );
  // The facts may be older than the list.
  return tracks.filter(({ row }) => isVisibleTo(row, visibility));
}

/** Changes with everything that visitors see, except for play counts. */
export async function findEdition(deps: Deps): Promise<string | undefined> {
  const { db } = deps.database;
  const facts = await openFacts(db);
  if (facts.version === undefined) return undefined;
  const now = deps.clock.now();
  const { early_ms: earlyMs } = await readAccessPolicy(deps);
  const released = await findLastRelease(facts, db, now);
  // Visitors see that subscribers can already hear the next release.
  const early = await findLastRelease(facts, db, now + earlyMs);
  return [facts.version, released, early].join();
}
