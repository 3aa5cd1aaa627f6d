import { join, relative, sep } from 'node:path';

type ModuleInfo = {
  importedIds: string[];
  dynamicallyImportedIds?: string[];
  code?: string | null;
};
type ModuleGraph = { getModuleInfo: (id: string) => ModuleInfo | null };

const web = join(import.meta.dirname, '..', 'web');
const ENTRY = join(web, 'boot', 'main.tsx');
const ICON_LIST = join(web, 'ui', 'icons.ts');

/**
 * The files of the pages that most visits start with, and of what follows on every page. A module
 * that is imported dynamically is in the file that lists it, with everything that only it imports.
 * What Home or every page shares with others is in `app`, which starts the app. Everything else is
 * left to the bundler.
 */
const FILES: readonly (readonly [file: string, modules: RegExp])[] = [
  ['home', /^pages\/home\//],
  ['top-20', /^pages\/top-20\/top-20\./],
  ['track', /^pages\/track\//],
  ['landing', /^pages\/(?:landing|pricing)\//],
  ['forms', /^(?:pages\/account\/|features\/accounts\/api\.)/],
  [
    'later',
    /^(?:boot\/|shell\/player\.|player\/(?:session|view)\/(?:media-session|offer-put-back)\.)/,
  ],
];

/** The file of a module that is imported dynamically; its path is that below `web/`. */
export const findFile = (path: string): string | undefined =>
  FILES.find(([, modules]) => modules.test(path))?.[0];

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

/** The file of a module that these need, or undefined if the bundler decides. */
export function chooseFile(users: ReadonlySet<string>): string | undefined {
  const [file, ...others] = FILES.map(([name]) => name).filter((name) => users.has(name));
  const isShared = users.size > 1;
  // What follows on every page shares nothing that another page would have to load all of it for.
  const isOnHome = users.has('home') || users.has('later');
  if (users.has('app') || (others.length > 0 && isOnHome) || (isShared && file === 'later'))
    return 'app';
  return isShared ? undefined : file;
}

/** Which of these files each module is in; the bundler decides about those that are missing. */
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
        if (!starts.has(lazy)) starts.set(lazy, findFile(toPath(lazy)) ?? lazy);
    }
  }
  const files = new Map<string, string>();
  for (const [id, names] of users) {
    const file = chooseFile(names);
    if (file) files.set(id, splitApp(id, file));
  }
  return files;
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
