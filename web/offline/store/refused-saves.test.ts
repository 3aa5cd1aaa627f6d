import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryCaches } from '#web/offline/testing/memory-caches.ts';
import { createSessionAnswers } from '#web/offline/worker/session-answers.ts';
import { hasRemoved, removeRefusedSaves, takeRemoved } from './refused-saves.ts';
import { isSavedCache, savedCacheName } from './saved-file.ts';

let storage: CacheStorage;
beforeEach(() => {
  storage = createMemoryCaches();
});

const save = (...ids: string[]) =>
  Promise.all(ids.map((id) => storage.open(savedCacheName('sipho', id))));
const listSaved = async () => (await storage.keys()).filter((name) => isSavedCache(name));

/** A server that lets the browser keep these. */
function createServer(allowed: readonly string[], status = 200) {
  const asked: string[][] = [];
  const fetchFile = (async (url: string) => {
    const ids = new URL(url, 'http://site').searchParams.get('ids')?.split(',') ?? [];
    asked.push(ids);
    const answer = { ids: ids.filter((id) => allowed.includes(id)) };
    return Response.json(answer, { status });
  }) as typeof fetch;
  return { asked, fetchFile };
}

describe('saved copies', () => {
  it('that may not be kept go, and the listener is told once', async () => {
    await save('a', 'b');
    const { fetchFile } = createServer(['a']);
    expect(await removeRefusedSaves(storage, 'sipho', fetchFile)).toBe(true);
    expect(await listSaved()).toEqual([savedCacheName('sipho', 'a')]);
    expect(await hasRemoved(storage)).toBe(true);
    expect([await takeRemoved(storage), await takeRemoved(storage)]).toEqual([true, false]);
  });

  it('stay where the server doesn’t say, and nothing is asked without any', async () => {
    const none = createServer([]);
    expect(await removeRefusedSaves(storage, 'sipho', none.fetchFile)).toBe(false);
    expect(none.asked).toEqual([]);
    await save('a');
    for (const status of [401, 404, 503])
      await removeRefusedSaves(storage, 'sipho', createServer([], status).fetchFile);
    expect(await listSaved()).toHaveLength(1);
    expect(await takeRemoved(storage)).toBe(false);
  });

  it('are asked about fifty at a time', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `mix-${index}`);
    await save(...ids);
    const { asked, fetchFile } = createServer(ids.slice(1));
    await removeRefusedSaves(storage, 'sipho', fetchFile);
    expect(asked.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(await listSaved()).toHaveLength(119);
  });

  it('of another account are none of its business', async () => {
    await storage.open(savedCacheName('naledi', 'a'));
    await removeRefusedSaves(storage, 'sipho', createServer([]).fetchFile);
    expect(await listSaved()).toHaveLength(1);
  });

  it.each([
    ['a subscriber, who is told why', true, true],
    ['someone without access, who knows why', false, false],
  ])('go when a check says that nothing can be saved: %s', async (_who, isSubscriber, isTold) => {
    await save('a');
    const answers = createSessionAnswers(storage);
    await answers.check(async () =>
      Response.json({ id: 'sipho', offlineUntil: null, isSubscriber }),
    );
    expect(await listSaved()).toEqual([]);
    expect(await takeRemoved(storage)).toBe(isTold);
  });
});
