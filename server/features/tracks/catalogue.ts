import type { PageQuery } from '#contract/paging.ts';
import { hasFullAccess, visibleUntil, type ViewerAccess } from '#contract/rules/access.ts';
import type { Track } from '#contract/tracks.ts';
import { findAllowedFiles, findOffers, type AllowedFiles } from '#contract/rules/allowed-files.ts';
import { findLastRelease, openFacts, type CatalogueFacts } from '../../db/catalogue-facts.ts';
import type { Db } from '../../db/connect.ts';
import { listArtistsOf, listTrackArtists } from '../../db/track-artists.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { presentTrack, TrackFacts, type FileRules } from './present-track.ts';
import {
  findReadyTrack,
  listFilesOf,
  listPlayCounts,
  listRows,
  listTracks,
  type TrackFilter,
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

const isVisibleTo = (
  { status, publish_at, is_subscriber_only }: Readonly<TrackRow>,
  { publishedBy, includesSubscriberOnly }: Visibility,
): boolean =>
  status === 'ready' &&
  publish_at !== null &&
  publish_at <= publishedBy &&
  (includesSubscriberOnly || is_subscriber_only === 0);

/** What someone with this access may see. */
export const visibilityOf = (access: ViewerAccess, now: number): Visibility => ({
  publishedBy: visibleUntil(access, now),
  includesSubscriberOnly: hasFullAccess(access, now),
});

export type IdPage = { ids: string[]; nextCursor: string | null };

async function listIds(
  db: Db,
  visibility: Visibility,
  filter: TrackFilter,
  page: PageQuery,
): Promise<IdPage> {
  const { rows, nextCursor } = await listTracks(db, visibility, filter, page);
  return { ids: rows.map(({ id }) => id), nextCursor };
}

/** One version of the catalogue, as someone may see it at one moment. */
export class Catalogue {
  readonly facts: CatalogueFacts;
  readonly visibility: Visibility;
  readonly rules: FileRules;
  readonly #db: Db;

  constructor(db: Db, facts: CatalogueFacts, visibility: Visibility, rules: FileRules) {
    this.#db = db;
    this.facts = facts;
    this.visibility = visibility;
    this.rules = rules;
  }

  /** In the given order, without those that don't exist. Not all of them may be shown. */
  async readAny(ids: readonly string[]): Promise<TrackFacts[]> {
    const tracks = await this.facts.readTracks(ids, (missing) => loadTracks(this.#db, missing));
    return ids.flatMap((id) => tracks.get(id) ?? []);
  }

  /** In the given order, those that may be shown. */
  async read(ids: readonly string[]): Promise<TrackFacts[]> {
    return (await this.readAny(ids)).filter(({ row }) => isVisibleTo(row, this.visibility));
  }

  /** `reserved` also finds a track that only subscribers see. */
  async find(id: string, reserved?: 'reserved'): Promise<TrackFacts | undefined> {
    const [track] = await this.readAny([id]);
    const includesSubscriberOnly = this.visibility.includesSubscriberOnly || reserved !== undefined;
    const visibility = { ...this.visibility, includesSubscriberOnly };
    return track && isVisibleTo(track.row, visibility) ? track : undefined;
  }

  /** A page of the list; kept for all who see the same, unless it is somebody's own. */
  async list(filter: TrackFilter, page: PageQuery): Promise<IdPage> {
    if (filter.mine) return listIds(this.#db, this.visibility, filter, page);
    return this.readFact(`list:${JSON.stringify([filter, page])}`, (settled) =>
      listIds(this.#db, settled, filter, page),
    );
  }

  /** The newest weeks first. */
  async readNewest(visibility: Visibility, limit: number): Promise<TrackFacts[]> {
    const { ids } = await listIds(this.#db, visibility, {}, { limit });
    const tracks = await this.readAny(ids);
    // The facts may be older than the list.
    return tracks.filter(({ row }) => isVisibleTo(row, visibility));
  }

  /** Those that may be seen, without what the viewer has done with them. */
  async present(tracks: readonly TrackFacts[]): Promise<Track[]> {
    const visible = tracks.filter(({ row }) => isVisibleTo(row, this.visibility));
    const plays = await this.readPlayCounts(visible);
    return visible.map((track) =>
      presentTrack(track, this.visibility.includesSubscriberOnly, plays, this.rules),
    );
  }

  /** Which files of a track may be kept now. */
  findAllowed({ row }: TrackFacts): AllowedFiles {
    return findAllowedFiles(this.rules.ends, row, this.rules.now);
  }

  /** By id. They are read again after a play was counted. */
  async readPlayCounts(tracks: readonly TrackFacts[]): Promise<ReadonlyMap<string, number>> {
    const { playVersion } = this.facts;
    const plays = new Map<string, number>();
    const missing = new Map<string, TrackFacts>();
    for (const track of tracks) {
      const count = track.playsAt(playVersion);
      if (count === undefined) missing.set(track.row.id, track);
      else plays.set(track.row.id, count);
    }
    if (missing.size === 0) return plays;
    for (const row of await listPlayCounts(this.#db, JSON.stringify([...missing.keys()]))) {
      plays.set(row.id, row.play_count);
      if (playVersion !== undefined) missing.get(row.id)?.keepPlays(playVersion, row.play_count);
    }
    return plays;
  }

  /** As of the last release: it stays the same until the next one, so it can be part of a key. */
  async settleVisibility(): Promise<Visibility> {
    const { publishedBy, includesSubscriberOnly } = this.visibility;
    const release = await findLastRelease(this.facts, this.#db, publishedBy);
    return { publishedBy: release, includesSubscriberOnly };
  }

  /** What follows from the tracks that everyone with this access sees, until these change. */
  async readFact<T>(key: string, load: (visibility: Visibility) => Promise<T>): Promise<T> {
    const settled = await this.settleVisibility();
    return this.facts.read(`${key}:${JSON.stringify(settled)}`, () => load(settled));
  }
}

/** As of now, or of the start of a request with its facts. */
export async function openCatalogue(
  { database: { db }, clock }: Pick<Deps, 'database' | 'clock'>,
  access: ViewerAccess,
  facts?: CatalogueFacts,
): Promise<Catalogue> {
  const now = clock.now();
  const settings = readSettings(db, now);
  const ends = settings instanceof Promise ? await settings : settings;
  const known = facts ?? (await openFacts(db));
  return new Catalogue(db, known, visibilityOf(access, now), { ends, now });
}

/** See `Catalogue.readFact`. */
export const readFactFor = async <T>(
  deps: Deps,
  access: ViewerAccess,
  key: string,
  load: (visibility: Visibility) => Promise<T>,
): Promise<T> => (await openCatalogue(deps, access)).readFact(key, load);

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
  const offers = findOffers(await readSettings(db, now), now);
  return [facts.version, released, early, ...Object.values(offers)].join();
}
