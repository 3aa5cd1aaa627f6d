import { escapeHtml } from './escape-html.ts';

/** What a page says of itself to those who do not run it: search engines and link cards. */
export type PageHead = {
  title: string;
  /** Its one true address. */
  url: string;
  /** By name; those with a colon are properties, as Open Graph has them. */
  tags: Record<string, string>;
  /** JSON-LD. */
  data: object;
};

/** Inside a script element only a `<` could end the data early. */
export const toInlineJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c');

/** Every text comes from people and is escaped; the data block is no script, so no policy changes. */
export function writeHead(html: string, head: PageHead): string {
  const tags = Object.entries(head.tags).map(([name, content]) => {
    const attribute = name.includes(':') && !name.startsWith('twitter:') ? 'property' : 'name';
    return `<meta ${attribute}="${escapeHtml(name)}" content="${escapeHtml(content)}" />`;
  });
  const lines = [
    ...tags,
    `<link rel="canonical" href="${escapeHtml(head.url)}" />`,
    `<script type="application/ld+json">${toInlineJson(head.data)}</script>`,
  ];
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(head.title)}</title>`)
    .replace('</head>', () => `${lines.join('\n')}\n</head>`);
}
