import { expect, it, describe, beforeEach } from 'vitest';
import { createMemoryCaches } from '#web/offline/testing/memory-caches.ts';
import { addDataUse, readDataUse } from './data-use.ts';

let storage: CacheStorage;
beforeEach(() => {
  storage = createMemoryCaches();
});

const add = (month: string, bytes: number, kind: 'streamed' | 'saved' = 'streamed') =>
  addDataUse(storage, { month, kind, bytes, isUnmetered: kind === 'saved' });

const NOTHING = { streamed: 0, saved: 0, unmetered: 0 };

describe('what a browser has used', () => {
  it('adds up by month, also from several places at once', async () => {
    await Promise.all([add('2026-11', 10), add('2026-11', 20), add('2026-11', 5, 'saved')]);
    await add('2026-12', 1);
    expect(await readDataUse(storage, '2026-11')).toEqual({ streamed: 30, saved: 5, unmetered: 5 });
    expect(await readDataUse(storage, '2026-12')).toEqual({ ...NOTHING, streamed: 1 });
    expect(await readDataUse(storage, '2027-01')).toEqual(NOTHING);
  });

  it('survives a clock that was a day ahead at the end of a month', async () => {
    await add('2026-11', 10);
    await add('2026-12', 1);
    // The clock is right again.
    await add('2026-11', 10);
    expect((await readDataUse(storage, '2026-11')).streamed).toBe(20);
    await add('2026-12', 4);
    expect((await readDataUse(storage, '2026-12')).streamed).toBe(5);
  });

  it('is counted also after a clock that was years ahead', async () => {
    for (let year = 2030; year < 2044; year += 1) await add(`${year}-01`, 1);
    await add('2026-11', 10);
    await add('2026-11', 10);
    expect((await readDataUse(storage, '2026-11')).streamed).toBe(20);
  });

  it.each(['no json', 'null', '[]', '{"2026-11":null}', '{"2026-11":{"streamed":"a lot"}}'])(
    'starts again where the store has %s',
    async (text) => {
      const cache = await storage.open('data-use');
      await cache.put('/offline/data-use', new Response(text));
      expect(await readDataUse(storage, '2026-11')).toEqual(NOTHING);
      await add('2026-11', 10);
      expect((await readDataUse(storage, '2026-11')).streamed).toBe(10);
    },
  );
});
