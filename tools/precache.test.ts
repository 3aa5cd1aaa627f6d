import { expect, it } from 'vitest';
import { listPrecached } from './precache.ts';

it('keeps every part of the app, and leaves out what few ever open', () => {
  const manifest = {
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
  expect(listPrecached(manifest)).toEqual([
    '/assets/anybody-latin-standard-1.woff2',
    '/assets/index-1.css',
    '/assets/index-1.js',
    '/assets/react-1.js',
    '/assets/track-1.js',
    '/assets/wave-1.js',
  ]);
});
