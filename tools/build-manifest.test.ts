import { describe, expect, test, it } from 'vitest';
import { initialChunks, reportInitialJs, type Manifest, listPrecached } from './build-manifest.ts';

const manifest: Manifest = {
  'index.html': {
    file: 'assets/index.js',
    isEntry: true,
    imports: ['_react.js'],
    dynamicImports: ['app/pages/home/home.tsx', 'app/pages/library.tsx', 'app/shell/shell.tsx'],
  },
  '_react.js': { file: 'assets/react.js' },
  '_sleeve.js': { file: 'assets/sleeve.js', imports: ['_react.js', '_hue.js'] },
  '_hue.js': { file: 'assets/hue.js' },
  '_plots.js': { file: 'assets/plots.js' },
  'app/pages/home/home.tsx': {
    file: 'assets/home.js',
    imports: ['_sleeve.js', 'index.html'],
    dynamicImports: ['app/dialog.tsx'],
  },
  'app/pages/library.tsx': { file: 'assets/library.js', imports: ['_plots.js'] },
  'app/dialog.tsx': { file: 'assets/dialog.js' },
  'app/shell/shell.tsx': { file: 'assets/shell.js', dynamicImports: ['app/shell/menu.tsx'] },
  'app/shell/menu.tsx': { file: 'assets/menu.js' },
  'styles/main.css': { file: 'assets/main.css', isEntry: true },
};

describe('the initial JavaScript', () => {
  test('is the entry, the home page, the shell and all they import statically, each once', () => {
    expect(initialChunks(manifest)).toEqual(
      [
        'assets/hue.js',
        'assets/home.js',
        'assets/index.js',
        'assets/react.js',
        'assets/shell.js',
        'assets/sleeve.js',
      ].toSorted(),
    );
  });

  test('does not need a separate shell', () => {
    const { 'app/shell/shell.tsx': _shell, ...rest } = manifest;
    expect(initialChunks(rest)).not.toContain('assets/shell.js');
  });

  test('cannot be determined without a home page', () => {
    const { 'app/pages/home/home.tsx': _home, ...rest } = manifest;
    expect(() => initialChunks(rest)).toThrow(
      /no chunk for app\/pages\/home\/home\.tsx.*build-manifest\.ts/,
    );
  });

  test('cannot be determined without an entry', () => {
    expect(() => initialChunks({ 'a.ts': { file: 'a.js' } })).toThrow(/names no entry/);
  });

  test('passes at the limit and fails one byte above it, naming the chunks', () => {
    const sizes = [
      { file: 'small.js', gzip: 1024 },
      { file: 'big.js', gzip: 3072 },
    ];
    expect(reportInitialJs(sizes, 4096)).toMatchObject({ total: 4096, isWithinLimit: true });
    const report = reportInitialJs(sizes, 4095);
    expect(report.isWithinLimit).toBe(false);
    expect(report.text).toMatch(
      /4\.0 KB gzip in 2 files[^]*3\.0 KB {2}big\.js[^]*1\.0 KB {2}small/,
    );
  });
});

it('precaches every part of the app except rarely opened pages', () => {
  const built = {
    'index.html': {
      file: 'assets/index-1.js',
      isEntry: true,
      imports: ['_react.js'],
      dynamicImports: [
        'app/pages/track.tsx',
        'app/pages/admin/reports.tsx',
        'features/analytics/mixpanel-client.ts',
      ],
      css: ['assets/index-1.css'],
      assets: [
        'assets/anybody-latin-standard-1.woff2',
        'assets/anybody-vietnamese-standard-1.woff2',
      ],
    },
    '_react.js': { file: 'assets/react-1.js' },
    'app/pages/track.tsx': { file: 'assets/track-1.js', imports: ['_react.js', '_wave.js'] },
    '_wave.js': { file: 'assets/wave-1.js', dynamicImports: ['app/pages/landing.tsx'] },
    'app/pages/landing.tsx': { file: 'assets/landing-1.js' },
    'app/pages/admin/reports.tsx': { file: 'assets/reports-1.js', imports: ['_plot.js'] },
    'features/analytics/mixpanel-client.ts': { file: 'assets/mixpanel-client-1.js' },
    '_plot.js': { file: 'assets/plot-1.js' },
  };
  expect(listPrecached(built)).toEqual([
    '/assets/anybody-latin-standard-1.woff2',
    '/assets/index-1.css',
    '/assets/index-1.js',
    '/assets/react-1.js',
    '/assets/track-1.js',
    '/assets/wave-1.js',
  ]);
});
