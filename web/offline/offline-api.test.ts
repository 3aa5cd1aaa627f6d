import { expect, it } from 'vitest';
import { isOfflineApi } from './offline-api.ts';

const isKept = (path: string) => isOfflineApi(new URL(path, 'https://site.invalid'));

it('keeps lists and tracks for when there is no network', () => {
  for (const path of ['/api/tracks?limit=20', '/api/tracks/a1', '/api/tracks/a1/peaks'])
    expect([path, isKept(path)]).toEqual([path, true]);
});

it('keeps no searches, and no answer that says what time it is', () => {
  for (const path of ['/api/tracks/search?q=a', '/api/tracks/suggest?q=a', '/api/tracks/early'])
    expect([path, isKept(path)]).toEqual([path, false]);
});
