/** By the viewer’s own settings, or as the page around it looks. */
export const EMBED_THEMES = ['auto', 'light', 'dark'] as const;
export type EmbedTheme = (typeof EMBED_THEMES)[number];

/** An embed looks good at 320 to 1200 pixels by 120 to 200; this is its usual size. */
export const EMBED_SIZE = { width: 600, maxWidth: 1200, height: 160 };

/** A small player of a track's preview that any site may show in a frame. */
export const embedPath = (trackId: string, theme: EmbedTheme = 'auto'): string =>
  `/embed/track/${encodeURIComponent(trackId)}${theme === 'auto' ? '' : `?theme=${theme}`}`;

const toAttribute = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

type EmbedCode = { theme?: EmbedTheme; width: number | '100%'; height: number };

/** The HTML that other sites put into their pages. */
export function buildEmbedCode(
  origin: string,
  { id, title }: { id: string; title: string },
  { theme, width, height }: EmbedCode,
): string {
  const attributes = Object.entries({
    src: `${origin}${embedPath(id, theme)}`,
    title: `${title}, preview`,
    width: String(width),
    height: String(height),
    style: `border:0;max-width:${width === '100%' ? `${EMBED_SIZE.maxWidth}px` : '100%'}`,
    loading: 'lazy',
  });
  return `<iframe ${attributes.map(([name, value]) => `${name}="${toAttribute(value)}"`).join(' ')}></iframe>`;
}
