import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api.ts';
import { findKeptAnswer, loadWithFallback } from './offline-fallback.ts';
import { createQueryClient } from './query-client.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const queryKey = ['/api/top-20'];

function ask({ known, initial }: { known?: string; initial?: string } = {}) {
  const client = createQueryClient();
  if (initial) client.setQueryData(queryKey, initial);
  const { promise, resolve: answer, reject: fail } = Promise.withResolvers<string>();
  let isOverdue = false;
  const observer = new QueryObserver(client, {
    queryKey,
    retry: false,
    queryFn: ({ signal }) =>
      loadWithFallback(
        {
          client,
          queryKey,
          signal,
          findFallback: () => Promise.resolve(known),
          onOverdue: () => (isOverdue = true),
        },
        () => promise,
      ),
  });
  observer.subscribe(() => {});
  const read = () => {
    const { data, dataUpdatedAt, isFetching } = observer.getCurrentResult();
    return { data, isConfirmed: dataUpdatedAt > 0, isFetching };
  };
  return { answer, fail, read, isOverdue: () => isOverdue };
}

describe('an answer that takes more than two seconds', () => {
  it('is replaced by what this device has kept, until it arrives', async () => {
    const { answer, read } = ask({ known: 'kept' });
    await vi.advanceTimersByTimeAsync(1_900);
    expect(read().data).toBeUndefined();
    await vi.advanceTimersByTimeAsync(100);
    expect(read()).toEqual({ data: 'kept', isConfirmed: false, isFetching: true });
    answer('fresh');
    await vi.advanceTimersByTimeAsync(0);
    expect(read()).toEqual({ data: 'fresh', isConfirmed: true, isFetching: false });
  });

  it('is reported as overdue if this device has kept nothing', async () => {
    const { isOverdue } = ask();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(isOverdue()).toBe(true);
  });

  it('leaves an earlier answer of the server in place', async () => {
    const { read } = ask({ known: 'kept', initial: 'answered' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(read().data).toBe('answered');
  });
});

describe('a request that fails', () => {
  it.each([
    ['without an answer', new TypeError('Failed to fetch'), 'kept'],
    ['with a server error', new ApiError(503, ''), 'kept'],
    ['with a refusal', new ApiError(403, ''), undefined],
  ])('%s shows what was kept, unless it was refused', async (_how, error, shown) => {
    const { fail, read } = ask({ known: 'kept' });
    fail(error);
    await vi.advanceTimersByTimeAsync(0);
    expect(read().data).toBe(shown);
  });
});

it('finds the answer that the service worker has kept, and nothing without its storage', async () => {
  vi.stubGlobal('caches', {
    match: (url: string) => Promise.resolve(url === '/kept' ? Response.json([1]) : undefined),
  });
  expect(await findKeptAnswer('/kept')).toEqual([1]);
  expect(await findKeptAnswer('/other')).toBeUndefined();
  vi.unstubAllGlobals();
  expect(await findKeptAnswer('/kept')).toBeUndefined();
});
