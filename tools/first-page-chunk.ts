import { join } from 'node:path';

type ModuleGraph = { getModuleInfo: (id: string) => { importedIds: string[] } | null };

const web = join(import.meta.dirname, '..', 'web');
const ENTRY = join(web, 'app', 'main.tsx');
const PAGE = join(web, 'app', 'pages', 'home.tsx');

/** Small, and shared by many pages: as files of their own they cost the entry more than they weigh. */
const PARTS = new Set(
  [
    'web/ui/field.tsx',
    'web/ui/notice.tsx',
    'web/ui/select.tsx',
    'web/ui/switch.tsx',
    'web/ui/tag.tsx',
    'web/lib/live.ts',
    'contract/route.ts',
    'contract/rules/file-size.ts',
    'contract/rules/money.ts',
    'web/app/pages/use-page-title.ts',
    'web/features/player/crossfade-choices.ts',
    'web/features/player/find-chapter.ts',
    'web/features/playlists/count-mixes.ts',
    'web/lib/library-queries.ts',
    'web/lib/parse-form.ts',
    'web/ui/empty-state.tsx',
    'web/ui/overlay.ts',
    'web/ui/page-head.tsx',
    'web/ui/segmented.tsx',
  ].map((path) => join(import.meta.dirname, '..', path)),
);

/** All that the modules need before they can run, themselves included. */
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

/**
 * One file for what the first page cannot do without. Left alone, every module that another page
 * shares with it becomes a file of its own: two dozen of them, which compress badly and which the
 * entry has to list.
 */
export function nameFirstPageChunk(): (id: string, graph: ModuleGraph) => string | null {
  let needed: Set<string> | undefined;
  return (id, graph) => {
    needed ??= findStaticImports([ENTRY, PAGE], graph);
    // These two keep files of their own: it is what the manifest knows them by.
    const isNamed = id === ENTRY || id === PAGE;
    if (needed.has(id)) return isNamed ? null : 'first-page';
    return PARTS.has(id) ? 'page-parts' : null;
  };
}
