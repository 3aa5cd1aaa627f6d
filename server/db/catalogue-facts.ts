import { sql } from 'kysely';
import type { Db } from './connect.ts';
import { prepareQuery } from './prepare-query.ts';

/** A fact is a track with its files, or a page of ids: a few kilobytes. */
const MAX_FACTS = 3000;

/**
 * What everybody may see, kept in memory for one version of the catalogue. What one viewer may see or
 * has done never belongs here.
 */
export class CatalogueFacts {
  readonly version: string | undefined;
  readonly #facts = new Map<string, unknown>();
  /** See `findLastRelease`. */
  readonly intervals: Interval[] = [];

  constructor(version: string | undefined) {
    this.version = version;
  }

  #find(key: string): unknown {
    const fact = this.#facts.get(key);
    if (fact === undefined) return undefined;
    this.#facts.delete(key);
    this.#facts.set(key, fact);
    return fact;
  }

  #keep(key: string, fact: unknown) {
    this.#facts.set(key, fact);
    const [oldest] = this.#facts.size > MAX_FACTS ? this.#facts.keys() : [];
    if (oldest !== undefined) this.#facts.delete(oldest);
  }

  /** Loads a fact once, however many ask for it at the same time. */
  read<T>(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.#find(key) as Promise<T> | undefined;
    if (known) return known;
    const loading = load();
    this.#keep(key, loading);
    loading.catch(() => this.#facts.delete(key));
    return loading;
  }

  /** The facts with these ids that exist. Only those not yet known are loaded. */
  async readMany<T>(
    kind: string,
    ids: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> {
    const found = new Map<string, T>();
    const missing: string[] = [];
    for (const id of ids) {
      const fact = this.#find(`${kind}:${id}`) as T | undefined;
      if (fact === undefined) missing.push(id);
      else found.set(id, fact);
    }
    if (missing.length === 0) return found;
    for (const [id, fact] of await load(missing)) {
      this.#keep(`${kind}:${id}`, fact);
      found.set(id, fact);
    }
    return found;
  }
}

const readVersion = prepareQuery(
  (db) => db.selectFrom('catalogue_version').select(['version', 'plays']).where('id', '=', 1),
  0,
);

const current = new WeakMap<Db, CatalogueFacts>();

/**
 * Reads the version first, so the facts are at least as new as every change that was committed before
 * the call, in any process. Without a version nothing is kept.
 */
export const openFacts = async (db: Db): Promise<CatalogueFacts> =>
  (await openFactsAndPlays(db)).facts;

type FactsAndPlays = {
  facts: CatalogueFacts;
  /** Another one after every counted play. */
  playVersion: string | undefined;
};

async function openFactsAndPlays(db: Db): Promise<FactsAndPlays> {
  const [row] = await readVersion(db);
  const known = current.get(db);
  if (known && row && known.version === row.version)
    return { facts: known, playVersion: row.plays };
  const facts = new CatalogueFacts(row?.version);
  current.set(db, facts);
  return { facts, playVersion: row?.plays };
}

/** The release at or before a moment, and the next one. */
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

/** Moments asked for: now, and the end of early access. */
const MAX_INTERVALS = 8;

/** The last release at or before a moment; 0 if there was none. */
export async function findLastRelease(
  facts: CatalogueFacts,
  db: Db,
  moment: number,
): Promise<number> {
  const known = facts.intervals.find(({ from, until }) => from <= moment && moment < until);
  if (known) return known.from;
  const [row] = await findReleasesAround(db, moment, moment);
  const interval = { from: row?.previous ?? 0, until: row?.next ?? Infinity };
  facts.intervals.push(interval);
  if (facts.intervals.length > MAX_INTERVALS) facts.intervals.shift();
  return interval.from;
}

/**
 * Changes with everything that visitors see of the catalogue: its version, the last release and play
 * counts. Undefined if that isn't known.
 */
export async function findVisitorEdition(db: Db, now: number): Promise<string | undefined> {
  const { facts, playVersion } = await openFactsAndPlays(db);
  if (facts.version === undefined) return undefined;
  return `${facts.version} ${playVersion} ${await findLastRelease(facts, db, now)}`;
}
