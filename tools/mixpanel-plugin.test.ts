import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import * as standIn from '#web/features/analytics/mixpanel-unused.ts';
import { slimMixpanel } from './mixpanel-plugin.ts';

const core = createRequire(import.meta.url).resolve(
  'mixpanel-browser/src/loaders/loader-module-core',
);
const source = join(dirname(core), '..');

type Resolve = (path: string, importer: string) => string | undefined;
const resolve = slimMixpanel().resolveId as unknown as Resolve;

it.each(['mixpanel-core.js', 'request-batcher.js', 'utils.js'])(
  'what Mixpanel’s %s imports from the parts that are left out is there',
  (file) => {
    const code = readFileSync(join(source, file), 'utf8');
    const imports = [...code.matchAll(/import\s*{([^}]*)}\s*from '([^']+)'/g)];
    const replaced = imports.filter(([, , path = '']) => resolve(path, join(source, file)));
    expect(replaced.length).toBeGreaterThan(0);
    expect(replaced.length).toBeLessThan(imports.length);
    const names = replaced.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
    expect(Object.keys(standIn)).toEqual(expect.arrayContaining(names));
  },
);

it('leaves imports of our own modules alone', () => {
  expect(resolve('./flags', join(import.meta.dirname, 'a.ts'))).toBeUndefined();
});

it('a page view is recorded only if the client is set up to do so, after it has started', () => {
  vi.useFakeTimers();
  const views: object[] = [];
  const create = (track_pageview: boolean) =>
    new standIn.Autocapture({
      get_config: (name) => name === 'track_pageview' && track_pageview,
      track_pageview: (fields) => views.push(fields),
    });
  create(false).init();
  vi.runAllTimers();
  expect(views).toEqual([]);
  create(true).init();
  expect(views).toEqual([]);
  vi.runAllTimers();
  expect(views).toEqual([{ $mp_autocapture: true }]);
  vi.useRealTimers();
});
