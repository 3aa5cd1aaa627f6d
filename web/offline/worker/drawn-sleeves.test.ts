import { afterEach, expect, it, vi } from 'vitest';
import { coverArt } from '#contract/art/cover-art.ts';
import { DEFAULT_SLEEVE_STYLE as style } from '#contract/art/sleeve-style.ts';
import { sleeveName, sleevePath } from '#contract/art/sleeve-names.ts';
import { respondWithSleeve } from './drawn-sleeves.ts';

afterEach(() => void vi.unstubAllGlobals());

const ask = (path: string) => respondWithSleeve(new Request(`https://site.test${path}`), path);

it('sleeves are drawn on the device, also without a network', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  const answer = await ask(sleevePath(sleeveName(style, 46, 'track-1')));
  expect(answer.headers.get('content-type')).toBe('image/svg+xml');
  expect(await answer.text()).toBe(coverArt({ style, week: 46, trackId: 'track-1' }));
});

it('the server answers for every other name', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('from the server', { status: 404 })));
  expect((await ask('/media/sleeves/99.svg')).status).toBe(404);
});
