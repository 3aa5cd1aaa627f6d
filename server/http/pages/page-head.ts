import type { SiteLook } from '#contract/look.ts';
import { CARD_SHAPES } from '#contract/art/card-shapes.ts';
import { escapeHtml } from '../send/escape-html.ts';

/** The site as search engines and shared links name it. Never taken from a request. */
export type Site = SiteLook & { origin: string };

/** The size of a picture that link previews show. */
export const CARD_SIZE = CARD_SHAPES.wide;

/** A picture of the page in the size of link previews. */
export type CardLink = { path: string; alt: string };

/** The same in another format, for programs that look for it. */
type Alternate = { type: string; path: string; title: string };

/** What search engines and link previews see of a page. */
export type PageHead = {
  title: string;
  /** The canonical URL. */
  url: string;
  /** By name; names with a colon are Open Graph properties. */
  tags: Record<string, string>;
  /** Where programs find the same in another format. */
  alternates?: Alternate[];
  /** JSON-LD. */
  data: object;
  /** HTML for browsers without scripts. */
  plain?: string;
};

export type PageDescription = {
  /** The canonical path. */
  path: string;
  /** Without the name of the site. */
  title: string;
  /** For link previews, if it says more than the title. */
  linkTitle?: string;
  description: string;
  card: CardLink;
  type?: string;
  /** Further tags. */
  tags?: Record<string, string>;
  alternates?: Alternate[];
  /** JSON-LD about what the page shows. */
  data: { '@type': string } & Record<string, unknown>;
  plain?: string;
};

const MAX_DESCRIPTION = 300;

/** One line that fits a link preview. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= MAX_DESCRIPTION) return line;
  return `${characters
    .slice(0, MAX_DESCRIPTION - 1)
    .join('')
    .trimEnd()}…`;
}

export function buildHead(
  { origin, siteName }: Pick<Site, 'origin' | 'siteName'>,
  page: PageDescription,
): PageHead {
  const url = `${origin}${page.path}`;
  const description = shorten(page.description);
  const title = `${page.title} · ${siteName}`;
  const image = `${origin}${page.card.path}`;
  return {
    title,
    url,
    tags: {
      description,
      'og:type': page.type ?? 'website',
      'og:site_name': siteName,
      'og:locale': 'en_ZA',
      'og:title': page.linkTitle ?? title,
      'og:description': description,
      'og:url': url,
      'og:image': image,
      'og:image:type': 'image/png',
      'og:image:width': String(CARD_SIZE.width),
      'og:image:height': String(CARD_SIZE.height),
      'og:image:alt': page.card.alt,
      'twitter:card': 'summary_large_image',
      ...page.tags,
    },
    data: { '@context': 'https://schema.org', url, description, image, ...page.data },
    alternates: [
      { type: 'application/rss+xml', path: '/feed.xml', title: `${siteName}: previews` },
      ...(page.alternates ?? []),
    ],
    ...(page.plain !== undefined && { plain: page.plain }),
  };
}

/** Inside a script element only `<` could end the data early. */
export const toInlineJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c');

/** The HTML with these tags and another title. */
const insert = (html: string, title: string, tags: readonly string[]): string =>
  html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace('</head>', () => `${tags.join('\n')}\n</head>`);

/** Escapes all text. The data block is not a script, so the content security policy stays the same. */
export function insertHead(html: string, head: PageHead): string {
  const tags = Object.entries(head.tags).map(([name, content]) => {
    const attribute = name.includes(':') && !name.startsWith('twitter:') ? 'property' : 'name';
    return `<meta ${attribute}="${escapeHtml(name)}" content="${escapeHtml(content)}" />`;
  });
  return insert(html, head.title, [
    ...tags,
    `<link rel="canonical" href="${escapeHtml(head.url)}" />`,
    ...(head.alternates ?? []).map(
      ({ type, path, title }) =>
        `<link rel="alternate" type="${type}" href="${escapeHtml(new URL(path, head.url).href)}" title="${escapeHtml(title)}" />`,
    ),
    `<script type="application/ld+json">${toInlineJson(head.data)}</script>`,
  ]);
}

/** For pages that search engines shouldn't list. */
export const hideFromSearch = (html: string, title: string): string =>
  insert(html, title, ['<meta name="robots" content="noindex" />']);
