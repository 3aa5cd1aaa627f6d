import { findLastRelease, openFacts, type CatalogueFacts } from '../db/catalogue-facts.ts';
import type { Db } from '../db/connect.ts';
import type { EncodedAnswer } from './send-json.ts';

const MAX_BYTES = 8 * 1024 * 1024;
/** What an answer takes in memory besides its address and its bytes, roughly. */
const OVERHEAD = 512;

/** Answers that every visitor gets, by URL: those last asked for, until something in them changes. */
export class VisitorAnswers {
  readonly #answers = new Map<string, EncodedAnswer>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  find(url: string): EncodedAnswer | undefined {
    const answer = this.#answers.get(url);
    if (!answer) return undefined;
    this.#answers.delete(url);
    this.#answers.set(url, answer);
    return answer;
  }

  keep(url: string, answer: EncodedAnswer): void {
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
  url.length + bytes.length + OVERHEAD;

/** They change with everything that visitors see: the catalogue, its play counts, the last release. */
type Edition = { facts: CatalogueFacts; release: number; answers: VisitorAnswers };

const current = new WeakMap<Db, Edition>();

/**
 * The version is read before an answer is built, so an answer is at least as new as every change that
 * was committed before the request, in any process. Undefined if nothing can be kept.
 */
export async function openVisitorAnswers(db: Db, now: number): Promise<VisitorAnswers | undefined> {
  const facts = await openFacts(db);
  if (facts.version === undefined) return undefined;
  const release = await findLastRelease(facts, db, now);
  const known = current.get(db);
  if (known?.facts === facts && known.release === release) return known.answers;
  const answers = new VisitorAnswers();
  current.set(db, { facts, release, answers });
  return answers;
}
