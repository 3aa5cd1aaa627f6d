/** The parts of a bundled script that say which files belong together. */
export type Script = {
  fileName: string;
  /** Of those in `tools/script-files.ts`; otherwise of the module that it begins with. */
  name: string;
  moduleIds: string[];
  imports: string[];
  dynamicImports: string[];
  viteMetadata?: { importedCss: ReadonlySet<string>; importedAssets: ReadonlySet<string> };
};

const KB = 1024;

/** What `/` may load for a visitor until nothing more comes, as it is sent: compressed. */
export const WEIGHT_LIMITS = { requests: 25, script: 150 * KB, total: 320 * KB };
/** What any page may load until it can render. */
export const PAGE_LIMIT = 190 * KB;

/** The script that starts the app, and those that follow it on every page. */
const ENTRY = 'app';
const FOLLOWING = ['later', 'mixpanel-client'];

export type PageRoute = {
  path: string;
  /** Its own, below `web/`, and those of the tables that it is in. */
  modules: string[];
};

/** The routes that a module's source lists. */
export function findRoutes(source: string): PageRoute[] {
  const calls = source.matchAll(
    /\b(?:route|adminPage)\(\s*'(\S+?)'(?:(?!\b(?:route|adminPage)\()[^])*?\bimport\('#web\/(\S+?)'\)/g,
  );
  return [...calls].map(([, path = '', module = '']) => ({ path, modules: [module] }));
}

/** The scripts of a build, and what they load. */
export function createBuiltFiles(scripts: readonly Script[], webRoot: string) {
  const byFile = new Map(scripts.map((script) => [script.fileName, script]));
  const byModule = new Map(
    scripts.flatMap((script) => script.moduleIds.map((id) => [id, script.fileName])),
  );

  /** These and all that they import statically, each once. */
  function close(files: readonly string[]): string[] {
    const all = new Set(files);
    // Grows while it is iterated.
    for (const file of all)
      for (const imported of byFile.get(file)?.imports ?? []) all.add(imported);
    return [...all].toSorted();
  }

  function findByName(name: string): string {
    const script = scripts.find((candidate) => candidate.name === name);
    if (!script) throw new Error(`The build has no script "${name}".`);
    return script.fileName;
  }

  function findByModule(module: string): string {
    const file = byModule.get(`${webRoot}/${module}`);
    if (file === undefined) throw new Error(`No script of the build contains ${module}.`);
    return file;
  }

  const first = close([findByName(ENTRY)]);

  return {
    /** All scripts that `/` loads by itself. */
    listHomeScripts: () => close([ENTRY, 'home', ...FOLLOWING].map(findByName)),

    /** All scripts that a page needs before it can render. */
    listPageScripts: ({ modules }: PageRoute) =>
      close([findByName(ENTRY), ...modules.map(findByModule)]),

    /** By route, in the order in which they match: the scripts that its page needs besides the first. */
    listPageFiles: (routes: readonly PageRoute[]): [path: string, files: string[]][] =>
      routes.map(({ path, modules }) => [
        path,
        close(modules.map(findByModule)).filter((file) => !first.includes(file)),
      ]),

    /**
     * Every built file of the app, once each. With all of them cached the app works offline, and keeps
     * working until the next reload after the server was updated.
     */
    listPrecached(): string[] {
      const pending = new Set([findByName(ENTRY)]);
      const files = new Set<string>();
      for (const file of pending) {
        const script = byFile.get(file);
        if (!script) continue;
        const { importedCss = [], importedAssets = [] } = script.viteMetadata ?? {};
        for (const needed of [file, ...importedCss, ...importedAssets])
          if (!RARE_FONT.test(needed)) files.add(`/${needed}`);
        for (const needed of script.imports) pending.add(needed);
        for (const lazy of script.dynamicImports)
          if (!LEFT_OUT.has(byFile.get(lazy)?.name ?? '')) pending.add(lazy);
      }
      return [...files].toSorted();
    },
  };
}

/**
 * Rarely opened pages load when someone opens them. The analytics client is useless offline, and
 * people who opt out never download it.
 */
const LEFT_OUT = new Set(['admin-routes', 'landing', 'mixpanel-client']);

/** Alphabets that only a mix's title can contain. */
const RARE_FONT = /-(?:latin-ext|vietnamese|cyrillic|greek)[\w-]*\.woff2$/;

const inKb = (bytes: number): string => `${(bytes / KB).toFixed(1)} KB`;

type Weight = { what: string; files: readonly string[]; limit: number };

/** What the first page and the heaviest other one load, and every page that loads too much, with its files. */
export function reportWeights(weights: readonly Weight[], sizeOf: (file: string) => number) {
  const weigh = ({ what, files, limit }: Weight) => {
    const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
    const line = `${inKb(total).padStart(9)} of ${inKb(limit)}  ${what}`;
    if (total <= limit) return { total, isWithinLimit: true, text: line };
    const list = files
      .toSorted((a, b) => sizeOf(b) - sizeOf(a))
      .map((file) => `    ${inKb(sizeOf(file)).padStart(9)}  ${file}`);
    return { total, isWithinLimit: false, text: [`${line}: too much`, ...list].join('\n') };
  };
  const [first, ...others] = weights.map(weigh);
  const heaviest = others.toSorted((a, b) => b.total - a.total);
  const shown = heaviest.filter(({ isWithinLimit }, i) => i === 0 || !isWithinLimit);
  const lines = first ? [first, ...shown] : [];
  return {
    isWithinLimit: lines.every(({ isWithinLimit }) => isWithinLimit),
    text: ['Scripts, as they are sent:', ...lines.map(({ text }) => text)].join('\n'),
  };
}

type FoundModule = { dynamicallyImportedIds?: readonly string[] } | null;

/** Every `import()` of a module that is there already, because it is in a file that its own needs. */
export function findIneffectiveImports(
  scripts: readonly Script[],
  getModuleInfo: (id: string) => FoundModule,
): string[] {
  const byFile = new Map(scripts.map((script) => [script.fileName, script]));
  return scripts.flatMap((script) => {
    const loaded = new Set([script.fileName]);
    for (const file of loaded)
      for (const imported of byFile.get(file)?.imports ?? []) loaded.add(imported);
    const isLoaded = (id: string) =>
      [...loaded].some((file) => byFile.get(file)?.moduleIds.includes(id));
    return script.moduleIds.flatMap((id) =>
      (getModuleInfo(id)?.dynamicallyImportedIds ?? [])
        .filter(isLoaded)
        .map((lazy) => `${id} imports ${lazy} dynamically, but it is already there.`),
    );
  });
}
