import { hasFullAccess, visibleUntil } from '#contract/rules/access.ts';
import { findLastRelease, openFacts, type CatalogueFacts } from '../db/catalogue-facts.ts';
import type { Db } from '../db/connect.ts';
import type { Deps } from '../deps.ts';
import type { Viewer } from './guards.ts';
import type { EncodedAnswer } from './send-json.ts';

const MAX_BYTES = 8 * 1024 * 1024;
/** What an answer takes in memory besides its address, its bytes and about as much as an object. */
const OVERHEAD = 512;

/** An answer before a member's own part is added. */
export type SharedAnswer = EncodedAnswer & { readonly answer: unknown };

/** Answers by URL: those last asked for. */
export class SharedAnswers {
  readonly #answers = new Map<string, SharedAnswer>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  find(url: string): SharedAnswer | undefined {
    const answer = this.#answers.get(url);
    if (!answer) return undefined;
    this.#answers.delete(url);
    this.#answers.set(url, answer);
    return answer;
  }

  keep(url: string, answer: SharedAnswer): void {
    this.#remove(url);
    this.#answers.set(url, answer);
    this.#bytes += sizeOf(url, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(url: string): void {
    const answer = this.#answers.get(url);
    if (!answer) return;
    this.#answers.delete(url);
    this.#bytes -= sizeOf(url, answer);
  }
}

const sizeOf = (url: string, { bytes }: EncodedAnswer): number =>
  url.length + 2 * bytes.length + OVERHEAD;

/** What everyone with the same access gets until the catalogue, a play count or the last release changes. */
type Edition = { facts: CatalogueFacts; release: number; answers: SharedAnswers };

const editions = {
  full: new WeakMap<Db, Edition>(),
  preview: new WeakMap<Db, Edition>(),
};

/**
 * The version is read before an answer is built, so an answer is at least as new as every change that
 * was committed before the request, in any process. Undefined if nothing can be kept.
 */
export async function openSharedAnswers(
  { database: { db }, clock }: Deps,
  viewer: Viewer | null,
): Promise<SharedAnswers | undefined> {
  const user = viewer?.user ?? null;
  // Administrators also see what isn't released.
  if (user?.is_admin) return undefined;
  const facts = viewer?.facts ?? (await openFacts(db));
  if (facts.version === undefined) return undefined;
  const now = clock.now();
  const current = editions[hasFullAccess(user, now) ? 'full' : 'preview'];
  const release = await findLastRelease(facts, db, visibleUntil(user, now));
  const known = current.get(db);
  if (known?.facts === facts && known.release === release) return known.answers;
  const answers = new SharedAnswers();
  current.set(db, { facts, release, answers });
  return answers;
}
