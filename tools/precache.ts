import type { Manifest } from './initial-js.ts';

type Chunk = Manifest[string] & { css?: string[]; assets?: string[] };

/**
 * Pages for few, or without a place in the app: what they need is fetched when somebody goes there.
 * The analytics client can do nothing without a network, and whoever says no never gets it.
 */
const LEFT_OUT = /^(?:app\/pages\/(?:admin\/|landing|loading-demo)|features\/analytics\/mixpanel)/;

/** Letters that the site itself does not use arrive when a title has them. */
const RARE_FONT = /-(?:latin-ext|vietnamese|cyrillic|greek)[\w-]*\.woff2$/;

/**
 * Every built file of the app, each once: kept whole, it works without a network and, until the
 * listener reloads, beside a server that has a newer one.
 */
export function listPrecached(manifest: Record<string, Chunk>): string[] {
  const pending = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const seen = new Set<string>();
  const files = new Set<string>();
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    const chunk = manifest[key];
    if (!chunk || seen.has(key) || LEFT_OUT.test(key)) continue;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])])
      if (!RARE_FONT.test(file)) files.add(`/${file}`);
    pending.push(...(chunk.imports ?? []), ...(chunk.dynamicImports ?? []));
  }
  return [...files].toSorted();
}
