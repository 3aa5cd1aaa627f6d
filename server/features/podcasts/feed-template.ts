import { hash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findOffers } from '#contract/rules/allowed-files.ts';
import type { ViewerAccess } from '#contract/rules/access.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';
import { readSettings } from '../../db/settings.ts';
import type { Deps } from '../../deps.ts';
import { readAccessPolicy } from '../../http/route/access-policy.ts';
import { AppError } from '../../http/route/app-error.ts';
import { isUnchanged, toHttpDate } from '../../http/send/send-file.ts';
import { compressBrotli, compressGzip } from '../../background/compress.ts';
import { acceptsBrotli, acceptsGzip } from '../../http/send/send-json.ts';
import { openCatalogue } from '../tracks/service.ts';
import { artworkPath } from './artwork.ts';
import { buildFeed, type FeedSource, type Item, type Marks } from './build-feed.ts';
import { findLastChange } from './queries.ts';

/** Nearly ten years of weeks: a feed doesn't grow without bound. */
export const MAX_EPISODES = 500;

/** Random, so that nothing in a title can stand for them. */
const newMark = () => `mark-${randomBytes(16).toString('hex')}`;
const marks: Marks = { token: newMark(), endedAt: newMark(), endedDate: newMark() };

/** Of a page, so that the whole stays below a megabyte with the frame and a subscriber's own parts. */
const PAGE_BYTES = 950_000;

/** A page of a feed before a subscriber's own parts are filled in. */
export type FeedTemplate = {
  text: string;
  /** The same in every process: it doesn't depend on the marks. */
  version: string;
  modifiedAt: number;
};

/** XML has no way to write these. */
// eslint-disable-next-line no-control-regex -- exactly the ones that XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** feedsmith writes “no”, as was usual once; Apple’s rule is “true” or “false”. */
const EXPLICIT = /^(\s*<itunes:explicit>)no(<\/itunes:explicit>)$/gm;

/** Writing so many items takes a few milliseconds; then others have their turn. */
const ITEMS_AT_ONCE = 20;

const toXml = (text: string): string =>
  text.toWellFormed().replace(FORBIDDEN, '').replace(EXPLICIT, '$1false$2');

/** The texts of the items, as many for each page as it has room for. */
async function writeItems(items: readonly Item[]): Promise<string[]> {
  const { generateRssFeed } = await import('feedsmith');
  const pages: string[] = [];
  let page = '';
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_AT_ONCE === 0) await setImmediate();
    const whole = toXml(generateRssFeed({ title: 'Part', items: [item] }));
    const text = whole.slice(whole.indexOf('<item>'), whole.lastIndexOf('</channel>'));
    const size = Buffer.byteLength(text);
    if (page !== '' && bytes + size > PAGE_BYTES) {
      pages.push(page);
      page = '';
      bytes = 0;
    }
    page += text;
    bytes += size;
  }
  return [...pages, page];
}

const pageUrl = (url: string, page: number): string => (page === 1 ? url : `${url}?page=${page}`);

/** How apps find the other pages: https://www.rfc-editor.org/rfc/rfc5005#section-3 */
function linkPages(url: string, page: number, count: number) {
  const link = (rel: string, to: number) => ({
    href: pageUrl(url, to),
    rel,
    type: 'application/rss+xml',
  });
  if (count === 1) return [link('self', 1)];
  return [
    link('self', page),
    link('first', 1),
    ...(page > 1 ? [link('previous', page - 1)] : []),
    ...(page < count ? [link('next', page + 1)] : []),
    link('last', count),
  ];
}

/** The pages of a feed, the newest mixes first. Nearly always there is one. */
async function writeFeed({ url, channel, items }: ReturnType<typeof buildFeed>): Promise<string[]> {
  const { generateRssFeed } = await import('feedsmith');
  const pages = await writeItems(items);
  return pages.map((text, index) => {
    const links = linkPages(url, index + 1, pages.length);
    const frame = toXml(generateRssFeed({ ...channel, atom: { links } }));
    const end = frame.lastIndexOf('</channel>');
    return frame.slice(0, end) + text + frame.slice(end);
  });
}

const withoutMarks = (text: string): string =>
  Object.values(marks).reduce((rest, mark) => rest.replaceAll(mark, ''), text);

export type FeedAsked = Pick<FeedSource, 'kind' | 'isDataSaver'> & { page: number };

/** Kept until the catalogue changes, for everyone with the same access. */
export async function readTemplate(
  deps: Deps,
  { kind, isDataSaver, page }: FeedAsked,
  access: ViewerAccess,
): Promise<FeedTemplate> {
  const { database, site, config } = deps;
  const { db } = database;
  const { siteName, look } = config;
  const { sentence } = look;
  const artwork = artworkPath(look);
  const { early_ms: earlyMs } = await readAccessPolicy(deps);
  const catalogue = await openCatalogue(deps, access);
  const { mp3 } = findOffers(catalogue.rules.ends, catalogue.rules.now);
  const key = `podcast:${JSON.stringify([mp3, kind, isDataSaver, site.origin, siteName, sentence, artwork, earlyMs, PREVIEW_SECONDS])}`;
  const pages = await catalogue.readFact(key, async (visibility) => {
    const tracks = await catalogue.readNewest(visibility, MAX_EPISODES);
    const headStart = kind === 'full' ? earlyMs : 0;
    const released = tracks.map(({ row }) => (row.publish_at ?? 0) - headStart);
    const modifiedAt = Math.max(await findLastChange(db), ...released);
    const { sellerEmail: ownerEmail } = await readSettings(db, deps.clock.now());
    const kept = new Set(
      tracks.filter((track) => catalogue.findAllowed(track).mp3).map(({ row }) => row.id),
    );
    const source = {
      kind,
      isDataSaver,
      origin: site.origin,
      siteName,
      sentence,
      artwork,
      tracks,
      kept,
      modifiedAt,
      earlyMs,
      ownerEmail,
    };
    const texts = await writeFeed(buildFeed(source, marks));
    return texts.map((text): FeedTemplate => {
      const version = hash('sha256', withoutMarks(text), 'base64url').slice(0, 22);
      return { text, version, modifiedAt };
    });
  });
  const template = pages[page - 1];
  if (!template) throw new AppError('not_found', { message: 'This feed has no such page.' });
  return template;
}

/** The text is only filled in for a client that doesn't have it. */
export type FilledFeed = { fill: () => string; etag: string; modifiedAt: number };

/** The address of a feed of full mixes, and when access to them ended. */
export type Filling = { token: string; endedAt: number | null };

export function fillTemplate(template: FeedTemplate, { token, endedAt }: Filling): FilledFeed {
  const { text, version, modifiedAt } = template;
  const fill = () => text.replaceAll(marks.token, token);
  if (endedAt === null) return { fill, etag: `"${version}"`, modifiedAt };
  return {
    fill: () =>
      fill()
        .replaceAll(marks.endedAt, String(endedAt))
        .replaceAll(marks.endedDate, toHttpDate(endedAt)),
    etag: `"${version}-${endedAt}"`,
    // The same date must not stand for both the full feed and this one.
    modifiedAt: Math.max(modifiedAt, endedAt) + 1000,
  };
}

const BROTLI_QUALITY = 5;

type Encoding = 'br' | 'gzip';
const compressors: Record<Encoding, (text: string) => Promise<Buffer>> = {
  br: (text) => compressBrotli(text, BROTLI_QUALITY),
  gzip: compressGzip,
};

/** The public feed is compressed once. Subscribers' feeds differ, and most of their requests get a 304. */
const compressed = new WeakMap<FeedTemplate, Map<Encoding, Promise<Buffer>>>();

export function compressOnce(template: FeedTemplate, encoding: Encoding): Promise<Buffer> {
  const known = compressed.get(template) ?? new Map<Encoding, Promise<Buffer>>();
  compressed.set(template, known);
  const bytes = known.get(encoding) ?? compressors[encoding](template.text);
  known.set(encoding, bytes);
  return bytes;
}

export async function sendFeed(
  request: FastifyRequest,
  reply: FastifyReply,
  { fill, etag, modifiedAt }: FilledFeed,
  options: { cacheControl: string; compress?: (encoding: Encoding) => Promise<Buffer> },
): Promise<FastifyReply> {
  reply.headers({
    // Weak, because it is the same however the text is compressed.
    etag: `W/${etag}`,
    'last-modified': toHttpDate(modifiedAt),
    'cache-control': options.cacheControl,
  });
  if (isUnchanged(request, etag, modifiedAt)) return reply.code(304).send();
  reply.type('application/rss+xml; charset=utf-8');
  const accepted = request.headers['accept-encoding']?.toString();
  const encoding = acceptsBrotli(accepted) ? 'br' : acceptsGzip(accepted) ? 'gzip' : null;
  if (!encoding) return reply.send(fill());
  const compress = options.compress ?? ((name: Encoding) => compressors[name](fill()));
  return reply.header('content-encoding', encoding).send(await compress(encoding));
}
