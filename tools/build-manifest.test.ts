import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findRoutes,
  listHomeScripts,
  listPageFiles,
  listPrecached,
  reportScripts,
  type Manifest,
} from './build-manifest.ts';

const manifest: Manifest = {
  '_app.js': {
    name: 'app',
    file: 'assets/app.js',
    imports: ['_runtime.js'],
    dynamicImports: ['_home.js', '_forms.js', '_later.js', '_admin.js', '_landing.js'],
    css: ['assets/app.css'],
    assets: ['assets/anybody-latin-standard-1.woff2', 'assets/anybody-vietnamese-standard-1.woff2'],
  },
  '_runtime.js': { name: 'runtime', file: 'assets/runtime.js' },
  '_home.js': { name: 'home', file: 'assets/home.js', imports: ['_app.js', '_runtime.js'] },
  '_forms.js': { name: 'forms', file: 'assets/forms.js', imports: ['_app.js', '_texts.js'] },
  '_texts.js': { name: 'texts', file: 'assets/texts.js' },
  '_landing.js': { name: 'landing', file: 'assets/landing.js', imports: ['_texts.js'] },
  '_settings.js': { name: 'settings', file: 'assets/settings.js', imports: ['_forms.js'] },
  '_later.js': { name: 'later', file: 'assets/later.js', dynamicImports: ['_analytics.js'] },
  '_analytics.js': { name: 'analytics', file: 'assets/analytics.js', imports: ['_later.js'] },
  '_admin.js': { name: 'admin', file: 'assets/admin.js', imports: ['_plots.js'] },
  '_plots.js': { name: 'plots', file: 'assets/plots.js' },
};

describe('the scripts of the first page', () => {
  it('are those it needs and those that follow by themselves, each once', () => {
    const names = ['analytics', 'app', 'home', 'later', 'runtime'];
    expect(listHomeScripts(manifest)).toEqual(names.map((name) => `assets/${name}.js`));
  });

  it('cannot be listed when one of them has another name', () => {
    const { '_home.js': _home, ...rest } = manifest;
    expect(() => listHomeScripts(rest)).toThrow(/no script "home"/);
  });

  it('pass at the limit and fail one byte above it, naming the files', () => {
    const sizes = [
      { file: 'small.js', size: 1024 },
      { file: 'big.js', size: 3072 },
    ];
    expect(reportScripts(sizes, 4096).isWithinLimit).toBe(true);
    const report = reportScripts(sizes, 4095);
    expect(report.isWithinLimit).toBe(false);
    expect(report.text).toMatch(/4\.0 KB in 2 files[^]*3\.0 KB {2}big\.js[^]*1\.0 KB {2}small/);
  });
});

describe('the files of a page', () => {
  it('are found in the table of routes', () => {
    const table = `export const routes = [
  route('/', 'Home', 'stage', () => import('#web/pages/home.tsx')),
  route(
    '/track/:id',
    'Track',
    () => import('#web/pages/track.tsx'),
  ),
  ...NAMES.map((name) => route(\`/\${name}\`, titles[name], () => import('#web/pages/legal.tsx'))),
];`;
    expect(findRoutes(table)).toEqual([
      { path: '/', module: 'pages/home.tsx' },
      { path: '/track/:id', module: 'pages/track.tsx' },
      { path: '/:name', module: 'pages/legal.tsx' },
    ]);
  });

  it.each(['routes.ts', 'rare-routes.tsx'])('are known for every route in %s', (name) => {
    const source = readFileSync(join(import.meta.dirname, '../web/router', name), 'utf8');
    const imports = source.match(/\bimport\('/g) ?? [];
    expect(imports.length).toBeGreaterThan(5);
    expect(findRoutes(source)).toHaveLength(imports.length);
  });

  it('are all that it needs besides those of every page', () => {
    const routes = [
      { path: '/', module: 'home.tsx' },
      { path: '/settings', module: 'settings.tsx' },
    ];
    expect(listPageFiles(manifest, routes, (module) => module.replace('.tsx', ''))).toEqual([
      ['/', ['assets/home.js']],
      ['/settings', ['assets/forms.js', 'assets/settings.js', 'assets/texts.js']],
    ]);
  });
});

it('precaches every part of the app except rarely opened pages', () => {
  expect(listPrecached(manifest)).toEqual([
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
  const forms = { name: 'forms', file: 'assets/forms.js', imports: ['_landing.js'] };
  expect(listPrecached({ ...manifest, '_forms.js': forms })).toContain('/assets/landing.js');
});
