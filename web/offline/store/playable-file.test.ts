import { beforeEach, expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { createMemoryCaches } from '#web/offline/testing/memory-caches.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { saveUser } from './account.ts';
import { findReplacement, isPlayedFromDevice, mayReplace } from './playable-file.ts';
import { savedCacheName, saveRecord } from './saved-file.ts';

const best = '/media/tracks/a/stream?v=1234';
const small = '/media/tracks/a/dataSaver?v=1234';

it.each([
  [best, best, 'same'],
  [small, small, 'same'],
  // Data saver is on, and the better file is here.
  [best, small, 'better'],
  // Somebody wants the best quality, and the small file is here.
  [small, best, null],
  // The audio was replaced since.
  [best, '/media/tracks/a/dataSaver?v=5678', null],
  [best, '/media/tracks/b/dataSaver?v=1234', null],
])('a saved %s stands for %s: %s', (fileUrl, url, expected) => {
  expect(findReplacement({ fileUrl, isComplete: true }, url)).toBe(expected);
  expect(findReplacement({ fileUrl, isComplete: false }, url)).toBeNull();
});

let storage: CacheStorage;
beforeEach(() => {
  storage = createMemoryCaches();
});

it('is played from this device as long as the lease lasts', async () => {
  const now = Date.now();
  const cache = await storage.open(savedCacheName('sipho', 'a'));
  const track = { ...buildTrack('a'), chapters: [], formats: [], sizes: {} };
  const record = { track, peaks: { peaks: [] }, fileUrl: best, mediaType: '', size: 1, savedAt: 0 };
  await saveRecord(cache, { ...record, isComplete: true });
  expect(await isPlayedFromDevice(storage, 'a', small)).toBe(false);
  await saveUser(storage, { id: 'sipho', offlineUntil: now + DAY }, now);
  expect(await isPlayedFromDevice(storage, 'a', small)).toBe(true);
  expect(await isPlayedFromDevice(storage, 'b', small)).toBe(false);
  await saveUser(storage, { id: 'sipho', offlineUntil: now - 1 }, now);
  expect(await isPlayedFromDevice(storage, 'a', small)).toBe(false);
});

it.each([
  ['starts as Chrome asks for it', ['bytes=0-', 'bytes=10-19'], [true, true]],
  [
    'starts as Safari asks for it',
    ['bytes=0-1', 'bytes=0-99', 'bytes=100-109'],
    [true, true, true],
  ],
  ['goes on with the small file', ['bytes=100-', 'bytes=200-'], [false, false]],
])(
  'the better file replaces the small one only where playback starts: it %s',
  async (_, ranges, answers) => {
    const cache = await createMemoryCaches().open('saved');
    const given: boolean[] = [];
    for (const range of ranges) given.push(await mayReplace(range, cache, small));
    expect(given).toEqual(answers);
  },
);
