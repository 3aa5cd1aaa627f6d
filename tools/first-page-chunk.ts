import { join } from 'node:path';

type ModuleInfo = { importedIds: string[]; code?: string | null };
type ModuleGraph = { getModuleInfo: (id: string) => ModuleInfo | null };

const web = join(import.meta.dirname, '..', 'web');
const ENTRY = join(web, 'app', 'main.tsx');
const PAGE = join(web, 'app', 'pages', 'home', 'home.tsx');

/** Small modules that many pages share: separate files would cost the entry more than they save. */
const PARTS = new Set(
  [
    'web/ui/forms/field.tsx',
    'web/ui/notice.tsx',
    'web/ui/forms/select.tsx',
    'web/ui/forms/switch.tsx',
    'web/ui/tag.tsx',
    'web/lib/live.ts',
    'contract/route.ts',
    'contract/rules/format.ts',
    'web/app/use-page-title.ts',
    'web/features/player/current-chapter.ts',
    'web/lib/format.ts',
    'web/lib/parse-form.ts',
    'web/ui/empty-state.tsx',
    'web/ui/overlays/overlay.ts',
    'web/ui/page-head.tsx',
    'web/ui/forms/segmented.tsx',
    'web/features/billing/checkout-path.ts',
    'web/features/tracks/list-end.tsx',
    'web/features/tracks/share-track.ts',
    'web/features/tracks/use-cache-favorites.ts',
    'web/features/player/use-waveform-source.ts',
    'web/features/search/recent-searches.ts',
    'web/lib/analytics-choice.ts',
    'web/lib/api-query.ts',
    'web/lib/copy-link.ts',
    'web/ui/art/equaliser.tsx',
  ].map((path) => join(import.meta.dirname, '..', path)),
);

/** The first page imports the package by name, but only other pages need these parts of it. */
const LATER =
  /\/@tanstack\/.*\/(?:infiniteQuery(?:Observer|Options)|useInfiniteQuery|mutation(?:Observer|Options)|useMutation|useIsFetching)\.js$/;

/** These modules and everything they import statically. */
export function findStaticImports(starts: readonly string[], graph: ModuleGraph): Set<string> {
  const found = new Set<string>();
  const pending = [...starts];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    pending.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}

const ICON = /^virtual:icons\/([\w-]+)$/;
const ICON_LIST = /web\/ui\/icons\.ts$/;

/** The icons that these modules import; the list that they import them from contains every icon. */
export function findNamedIcons(modules: Iterable<string>, graph: ModuleGraph): Set<string> {
  const fileOf = new Map<string, string>();
  const named = new Set<string>();
  for (const id of modules) {
    const code = graph.getModuleInfo(id)?.code ?? '';
    if (ICON_LIST.test(id))
      for (const [, names = '', file = ''] of code.matchAll(
        /export {([^}]*)} from ['"]virtual:icons\/(.*?)['"]/g,
      ))
        for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) fileOf.set(name, file);
    for (const [, names = ''] of code.matchAll(/import {([^}]*)} from ['"][^'"]*\/icons\.ts['"]/g))
      for (const [name] of names.matchAll(/\w+(?=\s*(,|$|as ))/g)) named.add(name);
  }
  return new Set([...named].flatMap((name) => fileOf.get(name) ?? []));
}

/**
 * Bundles what the first page needs into one file. Otherwise every module that it shares with another
 * page would become its own file: two dozen of them, which compress badly and which the entry lists.
 */
export function nameFirstPageChunk(): (id: string, graph: ModuleGraph) => string | null {
  let needed: Set<string> | undefined;
  let icons: Set<string> | undefined;
  return (id, graph) => {
    needed ??= findStaticImports([ENTRY, PAGE], graph);
    icons ??= findNamedIcons(needed, graph);
    if (LATER.test(id)) return 'page-parts';
    const icon = ICON.exec(id)?.[1];
    if (icon) return icons.has(icon) ? 'first-page' : 'page-parts';
    // The manifest looks these two up by name, so they stay separate.
    const isNamed = id === ENTRY || id === PAGE;
    if (needed.has(id)) return isNamed ? null : 'first-page';
    return PARTS.has(id) ? 'page-parts' : null;
  };
}
