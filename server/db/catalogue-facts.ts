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
  (db) => db.selectFrom('catalogue_version').select('version').where('id', '=', 1),
  0,
);

const current = new WeakMap<Db, CatalogueFacts>();

/**
 * Reads the version first, so the facts are at least as new as every change that was committed before
 * the call, in any process. Without a version nothing is kept.
 */
export async function openFacts(db: Db): Promise<CatalogueFacts> {
  const [row] = await readVersion(db);
  const known = current.get(db);
  if (known && row && known.version === row.version) return known;
  const facts = new CatalogueFacts(row?.version);
  current.set(db, facts);
  return facts;
}
