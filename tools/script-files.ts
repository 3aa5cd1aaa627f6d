import { join, relative, sep } from 'node:path';

type ModuleInfo = {
  importedIds: string[];
  dynamicallyImportedIds?: string[];
  code?: string | null;
};
export type ModuleGraph = { getModuleInfo: (id: string) => ModuleInfo | null };

const web = join(import.meta.dirname, '..', 'web');
const ENTRY = join(web, 'boot', 'main.tsx');
const ICON_LIST = join(web, 'ui', 'icons.ts');

/**
 * The files that our scripts are bundled into. A module that is imported dynamically goes into the
 * first file that lists it, together with everything it imports statically. The lazy parts of a page
 * are in the page's own file, so they cost no request.
 */
const FILES: readonly (readonly [file: string, modules: RegExp])[] = [
  ['dialogs', /^pages\/(?:top-20|playlists)\/.*-dialog\./],
  ['home', /^pages\/home\//],
  ['top-20', /^pages\/top-20\//],
  ['track', /^pages\/track\//],
  ['landing', /^pages\/(?:landing|pricing)\//],
  ['settings', /^(?:pages\/(?:settings|profile)\/|features\/accounts\/.*-dialog\.)/],
  ['casting', /^player\/view\/cast-button\./],
  ['passkeys', /^features\/accounts\/use-passkey\./],
  ['tracklists', /^admin\/tracks\/editor\/read-tracklist-file\./],
  ['account-rules', /^(?:features\/accounts\/account-rules|pages\/gift\/gift-rules)\./],
  [
    'forms',
    /^(?:router\/rare-routes\.|pages\/(?:account|legal|not-found|achievements|loading-demo)\/|features\/accounts\/api\.)/,
  ],
  ['paying', /^pages\/(?:subscription|gift)\//],
  ['admin', /^admin\//],
  ['playlists', /^pages\/playlists\//],
  ['lists', /^(?:pages\/|features\/tracks\/rows-in-view\.)/],
  ['app', /^\.\.\/contract\//],
  ['analytics', /^features\/analytics\/mixpanel-client\./],
  ['sleeves', /^ui\/art\/paint-sleeve\./],
  ['menus', /(?:-menu|mobile-sheet|-popup|\/toast(?:-queue)?)\.tsx?$/],
  ['dialogs', /(?:-dialog|-sheet|-help|\/expanded-player)\.tsx$/],
  ['later', /^/],
];

/**
 * What one of these shares with another is in `app`, so that none of them waits for another. What
 * all others share is in `common`, so that a page loads no dialog and no other page.
 */
const INDEPENDENT = [
  'home',
  'top-20',
  'track',
  'landing',
  'forms',
  'account-rules',
  'lists',
  'later',
  'menus',
];

/** The file that a module is in when all of these need it. */
export function chooseFile(users: ReadonlySet<string>): string {
  const [only = 'app'] = users;
  if (users.size <= 1) return only;
  const [first, ...others] = INDEPENDENT.filter((file) => users.has(file));
  if (users.has('app') || others.length > 0) return 'app';
  return first ?? 'common';
}

/** The file of a module that is imported dynamically; its path is that below `web/`. */
export const findFile = (path: string): string =>
  FILES.find(([, modules]) => modules.test(path))?.[0] ?? 'later';

const toPath = (id: string): string => relative(web, id).split(sep).join('/');

/** The icons that a module imports. The list that it imports them from contains every icon. */
export function findIcons(code: string, iconList: string): string[] {
  const names = [...code.matchAll(/import {([^}]*)} from ['"][^'"]*\/icons\.ts['"]/g)]
    .flatMap(([, imports = '']) => imports.split(','))
    .map((name) => name.trim().split(' ')[0]);
  return names.flatMap((name) => {
    const line = new RegExp(`default as ${name}\\b[^}]*} from ['"](.*?)['"]`).exec(iconList);
    return line?.[1] ?? [];
  });
}

/** Which file each module is in. */
export function assignFiles(entry: string, graph: ModuleGraph): Map<string, string> {
  const iconList = graph.getModuleInfo(ICON_LIST)?.code ?? '';
  const users = new Map<string, Set<string>>();
  const starts = new Map([[entry, 'app']]);
  // Grows while it is iterated.
  for (const [start, file] of starts) {
    const pending = [start];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const known = users.get(id) ?? new Set();
      if (known.has(file)) continue;
      users.set(id, known.add(file));
      const info = graph.getModuleInfo(id);
      if (!info || id === ICON_LIST) continue;
      pending.push(...info.importedIds, ...findIcons(info.code ?? '', iconList));
      for (const lazy of info.dynamicallyImportedIds ?? [])
        if (!starts.has(lazy)) starts.set(lazy, findFile(toPath(lazy)));
    }
  }
  return new Map([...users].map(([id, files]) => [id, splitApp(id, chooseFile(files))]));
}

/** The libraries of every page run in a task of their own, before our code. */
const splitApp = (id: string, file: string): string =>
  file === 'app' && /[\\/](?:node_modules[\\/]|react-root\.ts$)/.test(id) ? 'libraries' : file;

/** For the bundler: the name of the file that a module belongs to. */
export function nameScriptFiles(): (id: string, graph: ModuleGraph) => string | null {
  let files: Map<string, string> | undefined;
  return (id, graph) => {
    files ??= assignFiles(ENTRY, graph);
    return files.get(id) ?? null;
  };
}
