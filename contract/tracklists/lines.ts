/** No program writes longer lines. */
export const MAX_TRACKLIST_LINE = 2000;

/** With single spaces, the work of the patterns below grows with the length of a line and no faster. */
export const collapseSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim();

const trim = (text: string): string => text.trim();

/** The lines that aren't blank, with their numbers. */
export function* listLines(
  text: string,
  clean = trim,
): Generator<{ line: number; content: string }> {
  let end = -1;
  for (let line = 1; end < text.length; line += 1) {
    const start = end + 1;
    end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const content = start < end ? clean(text.slice(start, end)) : '';
    if (content) yield { line, content };
  }
}

export const BETWEEN = /\s+[-‐‒–—―−－]\s+/;

/** `Artist - Title`, or a title alone. */
export function parseNames(text: string): { artist: string | null; title: string } {
  const at = text.search(BETWEEN);
  if (at <= 0) return { artist: null, title: text };
  const title = text.slice(at).replace(BETWEEN, '').trim();
  return title ? { artist: text.slice(0, at).trim(), title } : { artist: null, title: text };
}
