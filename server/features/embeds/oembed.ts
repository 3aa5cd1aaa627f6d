import { buildEmbedCode, EMBED_SIZE } from '#contract/rules/embed.ts';
import type { TrackDetail } from '#contract/tracks.ts';
import { AppError } from '../../http/route/app-error.ts';
import { escapeHtml } from '../../http/send/escape-html.ts';
import { CARD_SIZE, type Site } from '../../http/pages/page-head.ts';
import { findCardPath } from '../public-pages/service.ts';

const OEMBED_FORMATS = ['json', 'xml'] as const;
type OembedFormat = (typeof OEMBED_FORMATS)[number];

export type OembedQuery = {
  url: string;
  format: OembedFormat;
  maxWidth: number;
  maxHeight: number;
};

const MAX_URL = 2000;

const refuse = (field: string, message: string): AppError =>
  new AppError('validation_failed', { message, fields: { [field]: message } });

/** Nothing, an empty text and 0 are no limit. */
function parseLimit(name: string, value: unknown): number {
  if (value === undefined || value === '') return Infinity;
  if (typeof value !== 'string' || !/^\d{1,6}$/.test(value))
    throw refuse(name, `${name} has to be a number of pixels.`);
  return Number(value) || Infinity;
}

/** A parameter that is given twice arrives as a list. */
export function parseOembedQuery(query: Record<string, unknown>): OembedQuery {
  const { url, format = 'json' } = query;
  const known = OEMBED_FORMATS.find((name) => name === format);
  if (!known) throw new AppError('format_not_supported');
  if (typeof url !== 'string' || url === '' || url.length > MAX_URL)
    throw refuse('url', 'Pass the address of a mix as url.');
  const maxWidth = parseLimit('maxwidth', query.maxwidth);
  return { url, format: known, maxWidth, maxHeight: parseLimit('maxheight', query.maxheight) };
}

/** The id of the track that an address of this site is about. Throws for every other address. */
export function parseTrackUrl(origin: string, address: string): string {
  const url = URL.parse(address);
  const isOurs = url?.origin === new URL(origin).origin && !url.username && !url.password;
  if (!url || !isOurs) throw refuse('url', `Only addresses of ${origin} can be embedded.`);
  const [, encoded = ''] = /^\/(?:embed\/)?track\/([^/]+)\/?$/i.exec(url.pathname) ?? [];
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new AppError('not_found');
  }
}

/** The response of oEmbed 1.0 about a track, as visitors may hear it. */
export function buildOembed(
  track: TrackDetail,
  site: Site,
  { maxWidth, maxHeight }: Pick<OembedQuery, 'maxWidth' | 'maxHeight'>,
) {
  const { origin, siteName } = site;
  const isWidthGiven = maxWidth !== Infinity;
  const width = isWidthGiven ? Math.min(maxWidth, EMBED_SIZE.maxWidth) : EMBED_SIZE.width;
  const height = Math.min(maxHeight, EMBED_SIZE.height);
  const [artist, ...others] = track.artists ?? [];
  const hasThumbnail = CARD_SIZE.width <= maxWidth && CARD_SIZE.height <= maxHeight;
  return {
    version: '1.0',
    type: 'rich',
    title: track.title,
    ...(artist && { author_name: [artist, ...others].map(({ name }) => name).join(', ') }),
    ...(artist &&
      others.length === 0 && { author_url: `${origin}/artist/${encodeURIComponent(artist.id)}` }),
    provider_name: siteName,
    provider_url: `${origin}/`,
    cache_age: OEMBED_AGE_SECONDS,
    ...(hasThumbnail && {
      thumbnail_url: `${origin}${findCardPath(track, site)}`,
      thumbnail_width: CARD_SIZE.width,
      thumbnail_height: CARD_SIZE.height,
    }),
    html: buildEmbedCode(origin, track, { width, height }),
    width,
    height,
  };
}
export type Oembed = ReturnType<typeof buildOembed>;

export const OEMBED_AGE_SECONDS = 600;

/** XML forbids control characters, escaped or not. */
const toXmlText = (value: string | number): string =>
  escapeHtml(
    String(value)
      .toWellFormed()
      .replace(/[\p{Cc}\ufffe\uffff]/gu, ' '),
  );

export function formatOembedXml(oembed: Oembed): string {
  const lines = Object.entries(oembed).map(
    ([name, value]) => `<${name}>${toXmlText(value)}</${name}>`,
  );
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${lines.join('\n')}\n</oembed>\n`;
}
