/** The parts of Vite's manifest that list each chunk's imports. */
export type Manifest = Record<
  string,
  { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }
>;

/** What the first page needs besides the entry: its page module, and the shell if it is a chunk. */
const FIRST_PAGE = 'app/pages/home/home.tsx';
const SHELL = 'app/shell/shell.tsx';

export const INITIAL_JS_LIMIT = 110 * 1024;

/** The scripts that `/` loads before it works, each once. */
export function initialChunks(manifest: Manifest): string[] {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  if (entries.length === 0) throw new Error("Vite's manifest names no entry.");
  if (!manifest[FIRST_PAGE]) {
    throw new Error(
      `Vite's manifest has no chunk for ${FIRST_PAGE}: load it lazily, or change FIRST_PAGE in tools/build-manifest.ts.`,
    );
  }
  const needed = new Set<string>();
  const pending = [...entries, FIRST_PAGE, SHELL];
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    const chunk = manifest[key];
    if (needed.has(key) || !chunk) continue;
    needed.add(key);
    pending.push(...(chunk.imports ?? []));
  }
  const files = [...needed].map((key) => manifest[key]?.file ?? '');
  return [...new Set(files)].filter((file) => file.endsWith('.js')).toSorted();
}

export type ChunkSize = { file: string; gzip: number };
export type SizeReport = { total: number; isWithinLimit: boolean; text: string };

const inKb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;

export function reportInitialJs(sizes: ChunkSize[], limit: number = INITIAL_JS_LIMIT): SizeReport {
  const total = sizes.reduce((sum, { gzip }) => sum + gzip, 0);
  const isWithinLimit = total <= limit;
  const summary = `Initial JavaScript for /: ${inKb(total)} gzip in ${sizes.length} files, at most ${inKb(limit)}`;
  if (isWithinLimit) return { total, isWithinLimit, text: summary };
  const lines = sizes
    .toSorted((a, b) => b.gzip - a.gzip)
    .map(({ file, gzip }) => `  ${inKb(gzip).padStart(9)}  ${file}`);
  const verdict = `Too much by ${inKb(total - limit)}. Lazy-load whatever the first page doesn’t need.`;
  return { total, isWithinLimit, text: [summary, ...lines, verdict].join('\n') };
}

type Chunk = Manifest[string] & { css?: string[]; assets?: string[] };

/**
 * Rarely opened pages load when someone opens them. The analytics client is useless offline, and
 * people who opt out never download it.
 */
const LEFT_OUT = /^(?:app\/pages\/(?:admin\/|landing|loading-demo)|features\/analytics\/mixpanel)/;

/** Alphabets that only a mix's title can contain. */
const RARE_FONT = /-(?:latin-ext|vietnamese|cyrillic|greek)[\w-]*\.woff2$/;

/**
 * Every built file of the app, once each. With all of them cached the app works offline, and keeps
 * working until the next reload after the server was updated.
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
