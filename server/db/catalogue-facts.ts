import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Db } from './connect.ts';
import { fromQuestions, prepareBatch, prepareQuery } from './prepare-query.ts';

/** Of each kind. A fact is a track with its files, or a page of ids: a few kilobytes. */
const MAX_FACTS = 3000;

/** Made when the first one is known: each change of the catalogue begins anew, and most ask for none. */
type Kept = {
  facts?: LRUCache<string, Promise<unknown>>;
  tracks?: LRUCache<string, object>;
  /** See `findLastRelease`. */
  intervals: Interval[];
};

/**
 * What everybody may see, kept in memory for one version of the catalogue. What one viewer may see or
 * has done never belongs here.
 */
export class CatalogueFacts {
  readonly version: string | undefined;
  /** Another one after every counted play. */
  readonly playVersion: string | undefined;
  readonly #kept: Kept;

  /** With `same`, the facts that are known of another state of the same version. */
  constructor(row: VersionRow | undefined, same?: CatalogueFacts) {
    this.version = row?.version;
    this.playVersion = row?.plays;
    this.#kept = same ? same.#kept : { intervals: [] };
  }

  get intervals(): Interval[] {
    return this.#kept.intervals;
  }

  /** Loads a fact once, however many ask for it at the same time. */
  read<T>(key: string, load: () => Promise<T>): Promise<T> {
    const facts = (this.#kept.facts ??= new LRUCache({ max: MAX_FACTS }));
    const known = facts.get(key) as Promise<T> | undefined;
    if (known) return known;
    const loading = load();
    facts.set(key, loading);
    loading.catch(() => facts.delete(key));
    return loading;
  }

  /** The tracks with these ids that exist. Only those not yet known are loaded. */
  async readTracks<T extends object>(
    ids: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> {
    const tracks = (this.#kept.tracks ??= new LRUCache({ max: MAX_FACTS }));
    const found = new Map<string, T>();
    const missing: string[] = [];
    for (const id of ids) {
      const track = tracks.get(id) as T | undefined;
      if (track === undefined) missing.push(id);
      else found.set(id, track);
    }
    if (missing.length === 0) return found;
    for (const [id, track] of await load(missing)) {
      tracks.set(id, track);
      found.set(id, track);
    }
    return found;
  }
}

export type VersionRow = { version: string; plays: string };

const readVersion = prepareBatch((db, questions) => ({
  compile: () =>
    sql<VersionRow & { asked: number }>`
      select asked, version, plays from ${fromQuestions(db, questions, [])} as questions
      cross join catalogue_version where id = 1`.compile(db),
}));

const current = new WeakMap<Db, CatalogueFacts>();

/**
 * Reads the version first, so the facts are at least as new as every change that was committed before
 * the call, in any process. Without a version nothing is kept.
 */
export async function openFacts(db: Db): Promise<CatalogueFacts> {
  const [row] = await readVersion(db, 'version');
  return openFactsOf(db, row);
}

/**
 * For a caller that has just read the version together with something else. Returns the same object
 * as long as neither the catalogue nor a play count changes.
 */
export function openFactsOf(db: Db, row: VersionRow | undefined): CatalogueFacts {
  const known = current.get(db);
  const isSame = known !== undefined && row !== undefined && known.version === row.version;
  if (isSame && known.playVersion === row.plays) return known;
  const facts = new CatalogueFacts(row, isSame ? known : undefined);
  current.set(db, facts);
  return facts;
}

/** The release at or before a time, and the next one. */
const findReleasesAround = prepareQuery(
  (db, until: number, after: number) => ({
    compile: () =>
      sql<{ previous: number | null; next: number | null }>`
        select
          (select max(publish_at) from tracks
            where status = 'ready' and publish_at <= ${until}) as previous,
          (select min(publish_at) from tracks
            where status = 'ready' and publish_at > ${after}) as next`.compile(db),
  }),
  2,
);

/** Between two releases everybody sees the same tracks. */
type Interval = { from: number; until: number };

/** Times asked for: now, and the end of early access. */
const MAX_INTERVALS = 8;

/** The last release at or before a time; 0 if there was none. Not a promise if it is known already. */
export function findLastRelease(
  facts: CatalogueFacts,
  db: Db,
  moment: number,
): number | Promise<number> {
  const known = facts.intervals.find(({ from, until }) => from <= moment && moment < until);
  return known ? known.from : loadLastRelease(facts, db, moment);
}

async function loadLastRelease(facts: CatalogueFacts, db: Db, moment: number): Promise<number> {
  const [row] = await findReleasesAround(db, moment, moment);
  const interval = { from: row?.previous ?? 0, until: row?.next ?? Infinity };
  facts.intervals.push(interval);
  if (facts.intervals.length > MAX_INTERVALS) facts.intervals.shift();
  return interval.from;
}
