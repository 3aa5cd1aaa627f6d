import { z } from 'zod';
import { hasFullAccess, isStaff, visibleUntil } from '#contract/rules/access.ts';
import { findOffers } from '#contract/rules/allowed-files.ts';
import { findLastRelease, openFacts, type CatalogueFacts } from '../../db/catalogue-facts.ts';
import type { Db } from '../../db/connect.ts';
import { readSettings } from '../../db/settings.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../deps.ts';
import type { Viewer } from './guards.ts';
import { sendJson, stringifyAnswer, type EncodedAnswer } from '../send/send-json.ts';

const MAX_BYTES = 8 * 1024 * 1024;
/** What an answer takes in memory besides its address, its bytes and about as much as an object. */
const OVERHEAD = 512;

/** An answer before a member's own part is added. */
export type SharedAnswer = EncodedAnswer & {
  /** Those of a list; an answer without a list is its only item. */
  readonly items: readonly unknown[];
  /** The same answer with as many other items, in their order. Only those that differ are written. */
  readonly replaceItems: (items: readonly unknown[]) => EncodedAnswer;
};

type Encode = (answer: unknown) => SharedAnswer;

/** Writes answers of a route, item by item, so that a member's own are all that is written anew. */
export function createEncoder(schema: z.ZodType): Encode {
  const list: unknown = schema instanceof z.ZodObject ? schema.shape.items : undefined;
  return schema instanceof z.ZodObject && list instanceof z.ZodArray
    ? createListEncoder(list.element as z.ZodType, schema.omit({ items: true }))
    : (answer) => encode(schema, [answer], { start: '', end: '' });
}

function createListEncoder(item: z.ZodType, rest: z.ZodType): Encode {
  return (answer) => {
    const others = stringifyAnswer(rest, answer);
    const end = others === '{}' ? ']}' : `],${others.slice(1)}`;
    return encode(item, (answer as { items: unknown[] }).items, { start: '{"items":[', end });
  };
}

function encode(
  schema: z.ZodType,
  items: readonly unknown[],
  { start, end }: { start: string; end: string },
): SharedAnswer {
  const texts = items.map((item) => stringifyAnswer(schema, item));
  const bytes = Buffer.from(`${start}${texts.join()}${end}`);
  let next = start.length;
  const places = texts.map((text) => {
    const place = { from: next, to: next + Buffer.byteLength(text) };
    next = place.to + 1;
    return place;
  });
  const replaceItems = (others: readonly unknown[]) => {
    const parts: Buffer[] = [];
    let copied = 0;
    for (const [index, { from, to }] of places.entries()) {
      if (others[index] === items[index]) continue;
      const text = stringifyAnswer(schema, others[index]);
      parts.push(bytes.subarray(copied, from), Buffer.from(text));
      copied = to;
    }
    return { bytes: Buffer.concat([...parts, bytes.subarray(copied)]) };
  };
  return { bytes, items, replaceItems };
}

type SharedAnswers = LRUCache<string, SharedAnswer>;

/** Answers by URL: those last asked for. */
export const keepAnswers = (maxBytes = MAX_BYTES): SharedAnswers =>
  new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, url) => url.length + 2 * bytes.length + OVERHEAD,
  });

/**
 * What everyone with the same access gets until the catalogue, a play count or the last release changes,
 * or the site stops giving files.
 */
type Edition = {
  facts: CatalogueFacts;
  release: number;
  offers: string;
  answers: SharedAnswers;
};

const editions = {
  full: new WeakMap<Db, Edition>(),
  preview: new WeakMap<Db, Edition>(),
};

/**
 * The version is read before an answer is built, so an answer is at least as new as every change that
 * was committed before the request, in any process. Undefined if nothing can be kept.
 */
async function openSharedAnswers(
  { database: { db }, clock }: Deps,
  viewer: Viewer | null,
): Promise<SharedAnswers | undefined> {
  const user = viewer?.user ?? null;
  // Administrators also see what isn't released.
  if (user && isStaff(user)) return undefined;
  const facts = viewer?.facts ?? (await openFacts(db));
  if (facts.version === undefined) return undefined;
  const now = clock.now();
  const current = editions[hasFullAccess(user, now) ? 'full' : 'preview'];
  const release = await findLastRelease(facts, db, visibleUntil(user, now));
  const settings = readSettings(db, now);
  const ends = settings instanceof Promise ? await settings : settings;
  const offers = Object.values(findOffers(ends, now)).join();
  const known = current.get(db);
  if (known?.facts === facts && known.release === release && known.offers === offers)
    return known.answers;
  const answers = keepAnswers();
  current.set(db, { facts, release, offers, answers });
  return answers;
}

/** What of a route's answers is the same for everyone with the same access, until the catalogue changes. */
export type Sharing<A, I> = {
  /** Whether this answer depends on nothing but its URL, the catalogue and the viewer's access. */
  isShared: (answer: A, request: FastifyRequest) => boolean;
  /**
   * Adds what a member has done, which the handler leaves out, to the items of a list, or to an answer
   * that is no list, as its only item. The same items where that is nothing.
   */
  addOwn?: (items: I[], viewer: Viewer) => Promise<I[]>;
};

/** The handler of a route that answers from memory what it has built for others with the same access. */
export function shareAnswers<A, I>(
  deps: Deps,
  schema: z.ZodType,
  { isShared, addOwn }: Sharing<A, I>,
  answer: (request: FastifyRequest, reply: FastifyReply) => Promise<A>,
) {
  const encodeAnswer = createEncoder(schema);

  async function build(
    answers: SharedAnswers | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SharedAnswer> {
    const built = await answer(request, reply);
    const encoded = encodeAnswer(built);
    if (!answers || !isShared(built, request)) return encoded;
    // Access may have ended, or a release may have come, while it was built.
    if ((await openSharedAnswers(deps, request.viewer)) === answers)
      answers.set(request.url, encoded);
    return encoded;
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { url, viewer } = request;
    const answers = await openSharedAnswers(deps, viewer);
    const shared = answers?.get(url) ?? (await build(answers, request, reply));
    const items = shared.items as I[];
    const own = addOwn && viewer ? await addOwn(items, viewer) : items;
    return sendJson(request, reply, own === items ? shared : shared.replaceItems(own));
  };
}
