/** The parts of Vite's manifest that say which files belong together. */
export type Manifest = Record<
  string,
  {
    file: string;
    /** Of a script: the name that `tools/script-files.ts` gave it. */
    name?: string;
    imports?: string[];
    dynamicImports?: string[];
    css?: string[];
    assets?: string[];
  }
>;

/** What `/` may load for a visitor until nothing more comes, as it is sent: compressed. */
export const WEIGHT_LIMITS = { requests: 25, script: 150 * 1024, total: 320 * 1024 };

/** The script that starts the app, and those that follow it on every page. */
const ENTRY = 'app';
const FOLLOWING = ['later', 'analytics'];

function findKey(manifest: Manifest, name: string): string {
  const key = Object.keys(manifest).find((candidate) => manifest[candidate]?.name === name);
  if (key === undefined) throw new Error(`Vite's manifest has no script "${name}".`);
  return key;
}

/** These scripts and all that they import statically, each once. */
function listScripts(manifest: Manifest, names: readonly string[]): string[] {
  const keys = new Set(names.map((name) => findKey(manifest, name)));
  // Grows while it is iterated.
  for (const key of keys) for (const imported of manifest[key]?.imports ?? []) keys.add(imported);
  return [...keys].map((key) => manifest[key]?.file ?? '').toSorted();
}

/** All scripts that `/` loads by itself. */
export const listHomeScripts = (manifest: Manifest): string[] =>
  listScripts(manifest, [ENTRY, 'home', ...FOLLOWING]);

export type ScriptSize = { file: string; size: number };

const inKb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;

export function reportScripts(sizes: readonly ScriptSize[], limit: number = WEIGHT_LIMITS.script) {
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  const isWithinLimit = total <= limit;
  const summary = `Scripts of /: ${inKb(total)} in ${sizes.length} files, at most ${inKb(limit)}`;
  if (isWithinLimit) return { isWithinLimit, text: summary };
  const lines = sizes
    .toSorted((a, b) => b.size - a.size)
    .map(({ file, size }) => `  ${inKb(size).padStart(9)}  ${file}`);
  const verdict = `Too much by ${inKb(total - limit)}. Move what Home doesn’t need into another file: see tools/script-files.ts.`;
  return { isWithinLimit, text: [summary, ...lines, verdict].join('\n') };
}

export type PageRoute = { path: string; module: string };

/** The routes that a module's source lists, with the path of each page's module below `web/`. */
export function findRoutes(source: string): PageRoute[] {
  const calls = source.matchAll(
    /\broute\(\s*['`](\S+?)['`](?:(?!\broute\()[^])*?\bimport\('#web\/(\S+?)'\)/g,
  );
  return [...calls].map(([, path = '', module = '']) => ({
    path: path.replaceAll(/\$\{(\w+)\}/g, ':$1'),
    module,
  }));
}

/** By route, in the order in which they match: the scripts that its page needs besides the first. */
export function listPageFiles(
  manifest: Manifest,
  routes: readonly PageRoute[],
  fileOf: (module: string) => string,
): [path: string, files: string[]][] {
  const first = listScripts(manifest, [ENTRY]);
  return routes.map(({ path, module }) => {
    const files = listScripts(manifest, [fileOf(module)]);
    return [path, files.filter((file) => !first.includes(file))];
  });
}

/**
 * Rarely opened pages load when someone opens them. The analytics client is useless offline, and
 * people who opt out never download it.
 */
const LEFT_OUT = new Set(['admin', 'landing', 'analytics']);

/** Alphabets that only a mix's title can contain. */
const RARE_FONT = /-(?:latin-ext|vietnamese|cyrillic|greek)[\w-]*\.woff2$/;

/**
 * Every built file of the app, once each. With all of them cached the app works offline, and keeps
 * working until the next reload after the server was updated.
 */
export function listPrecached(manifest: Manifest): string[] {
  const keys = new Set([findKey(manifest, ENTRY)]);
  const files = new Set<string>();
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk) continue;
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])])
      if (!RARE_FONT.test(file)) files.add(`/${file}`);
    for (const needed of chunk.imports ?? []) keys.add(needed);
    for (const lazy of chunk.dynamicImports ?? [])
      if (!LEFT_OUT.has(manifest[lazy]?.name ?? '')) keys.add(lazy);
  }
  return [...files].toSorted();
}
