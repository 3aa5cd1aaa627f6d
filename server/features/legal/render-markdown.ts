import createMarkdownIt from 'markdown-it';
import { escapeHtml } from '../../http/send/escape-html.ts';

/** Only these: no scripts, no data, no other schemes. Relative addresses must stay on this site. */
const isSafeLink = (url: string): boolean =>
  /^(?:https?:\/\/[^\s/]|mailto:[^\s/]|\/(?![/\\]|%5c)|\/$)/i.test(url);

function createRenderer() {
  const markdown = createMarkdownIt('commonmark', { html: false, linkify: false, maxNesting: 20 });
  // An image could report each reader to another site.
  markdown.disable(['image', 'html_block', 'html_inline']);
  markdown.validateLink = isSafeLink;
  const { rules } = markdown.renderer;
  // The page’s own heading is the only h1.
  const shift = (tag: string) => `h${Math.min(4, Math.max(2, Number(tag.slice(1)) || 2))}`;
  rules.heading_open = (tokens, index) => `<${shift(tokens[index]?.tag ?? 'h2')}>`;
  rules.heading_close = (tokens, index) => `</${shift(tokens[index]?.tag ?? 'h2')}>\n`;
  // Without titles or classes: nothing of the text becomes an attribute except the address.
  rules.link_open = (tokens, index) => {
    const href = String(tokens[index]?.attrGet('href') ?? '');
    const rel = /^https?:/i.test(href) ? ' rel="noopener noreferrer nofollow"' : '';
    return `<a href="${escapeHtml(href)}"${rel}>`;
  };
  rules.fence = (tokens, index) =>
    `<pre><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`;
  return markdown;
}

const renderer = createRenderer();

const ALLOWED_TAG =
  /^<(?:\/?(?:h[2-4]|p|ul|ol|li|strong|em|code|pre|blockquote|a)|[bh]r ?\/?|ol start="\d{1,9}"|a href="[^"<>]*"(?: rel="noopener noreferrer nofollow")?)>/;

/** Whether every tag is one that we produce: a second look, whatever the library does. */
export function isSafeHtml(html: string): boolean {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1))
    if (!ALLOWED_TAG.test(html.slice(at, at + 4000))) return false;
  return true;
}

/** HTML that can be inserted into a page, whatever the text contains. */
export function renderMarkdown(text: string): string {
  const html = renderer.render(text);
  return isSafeHtml(html) ? html : `<pre><code>${escapeHtml(text)}</code></pre>\n`;
}
