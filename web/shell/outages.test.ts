import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE } from '#contract/rules/time.ts';
import type { Health } from '#contract/system.ts';
import { call, request } from '#web/lib/api/api.ts';
import { outageStore, failedRequestStore } from '#web/lib/api/outage.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { createOutageWatch, watchOutages } from './outages.ts';

type Part = Health['components'][number]['name'];

const healthy = (...down: Part[]): Health => ({
  status: down.length > 0 ? 'error' : 'ok',
  components: (['database', 'migrations', 'storage', 'jobs'] as const).map((name) => ({
    name,
    status: down.includes(name) ? 'error' : 'ok',
  })),
});

afterEach(() => {
  outageStore.set(null);
  failedRequestStore.set(null);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('after a request that failed, the server', () => {
  const createWatch = () => {
    const server: { health: Health | null } = { health: healthy() };
    const waits: { ms: number; callback: () => void }[] = [];
    const watch = createOutageWatch({
      ask: () => Promise.resolve(server.health),
      wait: (ms, callback) => {
        waits.push({ ms, callback });
        return () => undefined;
      },
    });
    return { server, waits, watch };
  };

  it.each([
    ['can’t be reached', null, 'reaching', 'reaching'],
    ['has no database', healthy('database'), 'saving', 'reaching'],
    ['refused to save, and has no other problem', healthy(), 'saving', 'saving'],
    ['refused to save on its full disk', healthy('storage'), 'saving', 'saving'],
    ['has no files', healthy('storage'), 'playing', 'playing'],
    ['is well, and refused a request', healthy(), 'busy', 'busy'],
    ['refused a request, and has no files', healthy('storage'), 'busy', 'playing'],
    ['refused a request, and has no database', healthy('database'), 'busy', 'reaching'],
    ['is well, so that only this request failed', healthy(), 'reaching', null],
    ['is well, so that only this file failed', healthy(), 'playing', null],
  ] as const)('%s', async (_what, health, outage, expected) => {
    const { server, watch } = createWatch();
    server.health = health;
    await watch.reportFailedRequest({ outage });
    expect(outageStore.get()).toBe(expected);
  });

  it('is asked again when it said, until it is back, and then no more', async () => {
    const { server, waits, watch } = createWatch();
    server.health = null;
    await watch.reportFailedRequest({ outage: 'reaching', retryAfterMs: 7_000 });
    expect(waits.map(({ ms }) => ms)).toEqual([7_000]);
    waits[0]?.callback();
    await watch.checkNow();
    expect([outageStore.get(), waits.length]).toEqual(['reaching', 2]);
    server.health = healthy();
    await watch.checkNow();
    expect([outageStore.get(), waits.length]).toEqual([null, 2]);
  });

  it('keeps refusing to save: the note stays, and goes once nothing is refused', async () => {
    const { waits, watch } = createWatch();
    await watch.reportFailedRequest({ outage: 'saving' });
    await watch.reportFailedRequest({ outage: 'saving' });
    waits[0]?.callback();
    await watch.checkNow();
    expect(outageStore.get()).toBe('saving');
    waits[1]?.callback();
    await watch.checkNow();
    expect(outageStore.get()).toBeNull();
  });
});

describe('a request', () => {
  const answer = (status: number, code: string, headers = {}) =>
    vi.stubGlobal('fetch', () =>
      Promise.resolve(Response.json({ code, message: 'No.' }, { status, headers })),
    );
  const save = () => call('POST /api/tracks/:id/favorite', { params: { id: 't1' } });

  it.each([
    ['a write that is answered 503', 503, 'unavailable', save, 'saving'],
    ['a write on a full disk', 507, 'disk_full', save, 'saving'],
    ['a read that is answered 503', 503, 'unavailable', () => call('GET /api/plans'), 'busy'],
    ['a login that has to wait', 503, 'unavailable', () => call('POST /api/auth/logout'), 'busy'],
  ] as const)('is suspicious: %s', async (_what, status, code, send, outage) => {
    answer(status, code, { 'retry-after': '3' });
    await expect(send()).rejects.toThrow('No.');
    const retryAfterMs = status === 503 ? 3_000 : undefined;
    expect(failedRequestStore.get()).toEqual({ outage, retryAfterMs });
  });

  it.each([
    ['an error of ours', 500, 'internal'],
    ['a refusal', 403, 'forbidden'],
    ['a payment provider that is away', 503, 'provider_unavailable'],
  ])('is not: %s', async (_what, status, code) => {
    answer(status, code);
    await expect(save()).rejects.toThrow('No.');
    expect(failedRequestStore.get()).toBeNull();
  });

  it('is suspicious without an answer, unless the page gave it up', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(request('/api/plans', { signal: AbortSignal.abort() })).rejects.toThrow('fetch');
    expect(failedRequestStore.get()).toBeNull();
    await expect(request('/api/plans')).rejects.toThrow('fetch');
    expect(failedRequestStore.get()).toEqual({ outage: 'reaching' });
  });

  it('is repeated when the server said so', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    answer(503, 'unavailable', { 'retry-after': '4' });
    const fetching = vi.fn<typeof fetch>(fetch);
    vi.stubGlobal('fetch', fetching);
    const client = createQueryClient();
    const unsubscribe = new QueryObserver(client, { queryKey: ['/api/plans'] }).subscribe(
      () => undefined,
    );
    await vi.advanceTimersByTimeAsync(3_999);
    expect(fetching).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetching).toHaveBeenCalledTimes(2);
    unsubscribe();
    client.clear();
  });
});

it('a page that the server has refused twice asks again by itself until it is answered', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let refusals = 5;
  vi.stubGlobal('fetch', async (url: string) => {
    if (url === '/api/health') return Response.json(healthy());
    if (refusals-- <= 0) return Response.json(['monthly']);
    const body = { code: 'unavailable', message: 'Too many people.' };
    return Response.json(body, { status: 503, headers: { 'retry-after': '4' } });
  });
  const client = createQueryClient();
  const observer = new QueryObserver(client, { queryKey: ['/api/plans'] });
  const unsubscribe = observer.subscribe(() => undefined);
  const stop = watchOutages(client, { retryFailed: () => undefined });
  await vi.advanceTimersByTimeAsync(4_000);
  expect([observer.getCurrentResult().status, outageStore.get()]).toEqual(['error', 'busy']);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect([observer.getCurrentResult().data, outageStore.get()]).toEqual([['monthly'], null]);
  unsubscribe();
  stop();
  client.clear();
});

describe('when everything is back', () => {
  let retries = 0;
  beforeEach(() => {
    retries = 0;
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  const endOutageAfter = (ms: number, isBroken: boolean) => {
    const client = createQueryClient({ retry: false });
    const asked = vi.fn<() => Promise<string>>(() =>
      isBroken ? Promise.reject(new Error('Gone.')) : Promise.resolve('mixes'),
    );
    const observer = new QueryObserver(client, { queryKey: ['mixes'], queryFn: asked });
    const unsubscribe = observer.subscribe(() => undefined);
    const stop = watchOutages(client, { retryFailed: () => void (retries += 1) });
    return {
      asked,
      async run() {
        await vi.waitFor(() => expect(observer.getCurrentResult().isFetching).toBe(false));
        outageStore.set('reaching');
        vi.setSystemTime(Date.now() + ms);
        outageStore.set(null);
        unsubscribe();
        // Other tests of this process have requests that fail.
        stop();
      },
    };
  };

  it('loads what the page couldn’t, and lets the mix go on', async () => {
    const page = endOutageAfter(MINUTE, true);
    await page.run();
    expect(page.asked).toHaveBeenCalledTimes(2);
    expect(retries).toBe(1);
  });

  it('leaves what is there, and a mix that has been silent for long', async () => {
    const page = endOutageAfter(11 * MINUTE, false);
    await page.run();
    expect(page.asked).toHaveBeenCalledTimes(1);
    expect(retries).toBe(0);
  });
});
