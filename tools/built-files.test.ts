import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createBuiltFiles,
  findIneffectiveImports,
  findRoutes,
  reportWeights,
  type Script,
} from './built-files.ts';

const script = (
  name: string,
  imports: string[] = [],
  dynamicImports: string[] = [],
  more: Partial<Script> = {},
): Script => ({
  fileName: `assets/${name}.js`,
  name,
  moduleIds: [`/web/${name}.tsx`],
  imports: imports.map((file) => `assets/${file}.js`),
  dynamicImports: dynamicImports.map((file) => `assets/${file}.js`),
  ...more,
});

const scripts = [
  script('app', ['runtime'], ['home', 'forms', 'later', 'admin-routes', 'landing'], {
    viteMetadata: {
      importedCss: new Set(['assets/app.css']),
      importedAssets: new Set([
        'assets/anybody-latin-standard-1.woff2',
        'assets/anybody-vietnamese-standard-1.woff2',
      ]),
    },
  }),
  script('runtime'),
  script('home', ['app', 'runtime']),
  script('forms', ['app', 'texts']),
  script('texts'),
  script('landing', ['texts']),
  script('settings', ['forms']),
  script('later', [], ['mixpanel-client']),
  script('mixpanel-client', ['later']),
  script('admin-routes', ['plots'], ['prices']),
  script('prices', ['plots']),
  script('plots'),
];
const build = (list: readonly Script[] = scripts) => createBuiltFiles(list, '/web');
const files = (...names: string[]) => names.map((name) => `assets/${name}.js`);

describe('the scripts of the first page', () => {
  it('are those it needs and those that follow by themselves, each once', () => {
    expect(build().listHomeScripts()).toEqual(
      files('app', 'home', 'later', 'mixpanel-client', 'runtime'),
    );
  });

  it('cannot be listed when one of them has another name', () => {
    const rest = scripts.filter(({ name }) => name !== 'home');
    expect(() => build(rest).listHomeScripts()).toThrow(/no script "home"/);
  });
});

describe('the files of a page', () => {
  it('are found in the table of routes', () => {
    const table = `export const routes = [
  route('/', 'Home', 'everyone', 'stage', () => import('#web/pages/home.tsx')),
  route(
    '/track/:id',
    'Track',
    () => import('#web/pages/track.tsx'),
  ),
  adminPage('/admin', 'Overview', Skeleton, () => import('#web/admin/overview.tsx'), { heading: 'x' }),
];`;
    expect(findRoutes(table)).toEqual([
      { path: '/', modules: ['pages/home.tsx'] },
      { path: '/track/:id', modules: ['pages/track.tsx'] },
      { path: '/admin', modules: ['admin/overview.tsx'] },
    ]);
  });

  it.each(['router/routes.ts', 'admin/admin-routes.tsx'])(
    'are known for every route in %s',
    (name) => {
      const source = readFileSync(join(import.meta.dirname, '../web', name), 'utf8');
      const imports = source.match(/\bimport\('/g) ?? [];
      expect(imports.length).toBeGreaterThan(20);
      expect(findRoutes(source)).toHaveLength(imports.length);
    },
  );

  it('are all that it and its table need besides those of every page', () => {
    const routes = [
      { path: '/admin/prices', modules: ['admin-routes.tsx', 'prices.tsx'] },
      { path: '/', modules: ['home.tsx'] },
      { path: '/settings', modules: ['settings.tsx'] },
    ];
    expect(build().listPageFiles(routes)).toEqual([
      ['/admin/prices', files('admin-routes', 'plots', 'prices')],
      ['/', files('home')],
      ['/settings', files('forms', 'settings', 'texts')],
    ]);
    expect(routes.map(build().listPageScripts)[1]).toEqual(files('app', 'home', 'runtime'));
  });

  it('cannot be listed when no script contains it', () => {
    const routes = [{ path: '/', modules: ['gone.tsx'] }];
    expect(() => build().listPageFiles(routes)).toThrow(
      /No script of the build contains gone\.tsx/,
    );
  });
});

it('a page passes at its limit and fails one byte above it, naming its files', () => {
  const sizeOf = (file: string) => (file === 'big.js' ? 3072 : 1024);
  const weigh = (limit: number) =>
    reportWeights(
      [
        { what: '/', files: ['small.js'], limit: 1024 },
        { what: '/settings', files: ['small.js', 'big.js'], limit },
      ],
      sizeOf,
    );
  expect(weigh(4096).isWithinLimit).toBe(true);
  const report = weigh(4095);
  expect(report.isWithinLimit).toBe(false);
  expect(report.text).toMatch(/1\.0 KB of 1\.0 KB {2}\/\n/);
  expect(report.text).toMatch(
    /4\.0 KB[^]*settings: too much[^]*3\.0 KB {2}big\.js[^]*1\.0 KB {2}small/,
  );
});

describe('an import() of what is already there', () => {
  const lazy: Record<string, string[]> = {
    '/web/home.tsx': ['/web/shelves.tsx', '/web/later.tsx'],
    '/web/settings.tsx': ['/web/texts.tsx'],
  };
  const find = (list: readonly Script[]) =>
    findIneffectiveImports(list, (id) => ({ dynamicallyImportedIds: lazy[id] ?? [] }));

  it('is found in the same file and in one that this file imports', () => {
    const home = script('home', [], [], { moduleIds: ['/web/home.tsx', '/web/shelves.tsx'] });
    expect(find([...scripts.filter(({ name }) => name !== 'home'), home])).toEqual([
      expect.stringContaining('settings.tsx imports /web/texts.tsx'),
      expect.stringContaining('home.tsx imports /web/shelves.tsx'),
    ]);
  });

  it('is not one that loads a file', () => {
    expect(find([script('home'), script('later'), script('shelves')])).toEqual([]);
  });
});

it('precaches every part of the app except rarely opened pages', () => {
  expect(build().listPrecached()).toEqual([
    '/assets/anybody-latin-standard-1.woff2',
    '/assets/app.css',
    '/assets/app.js',
    '/assets/forms.js',
    '/assets/home.js',
    '/assets/later.js',
    '/assets/runtime.js',
    '/assets/texts.js',
  ]);
});

it('precaches a rarely opened page that another part imports', () => {
  const others = scripts.filter(({ name }) => name !== 'forms');
  expect(build([...others, script('forms', ['landing'])]).listPrecached()).toContain(
    '/assets/landing.js',
  );
});
