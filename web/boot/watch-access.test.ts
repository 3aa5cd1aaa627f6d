import { QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { delayUntil, findAccessChange, findPaidThrough, watchAccess } from './watch-access.ts';

vi.mock('#web/lib/api/live.ts', () => ({ watchSignals: () => () => undefined }));

const NOW = 1_800_000_000_000;
const user = (change: object = {}) => ({
  id: 'thandi',
  isSubscriber: false,
  isAdmin: false,
  ...change,
});
const paid = (paid_through: number) =>
  user({
    isSubscriber: true,
    paidThrough: paid_through,
  });

describe('findAccessChange', () => {
  it.each([
    ['the user has loaded', undefined, user(), 'user'],
    ['the user has logged out', user(), null, 'user'],
    ['another user has logged in', user(), user({ id: 'lerato' }), 'user'],
    ['the user has paid', user(), paid(NOW + HOUR), 'access'],
    ['access has ended', paid(NOW + HOUR), user(), 'access'],
    ['nothing relevant has changed', paid(NOW + HOUR), paid(NOW + 2 * HOUR), null],
  ])('notices that %s', (_, before, now, change) =>
    expect(findAccessChange(before, now)).toBe(change),
  );
});

describe('findPaidThrough', () => {
  it('finds the end of the paid period', () => {
    expect(findPaidThrough(paid(NOW + HOUR))).toBe(NOW + HOUR);
    expect(findPaidThrough(paid(NOW - HOUR))).toBe(NOW - HOUR);
  });

  it('finds nothing for free users and administrators', () => {
    expect(findPaidThrough(null)).toBeNull();
    expect(findPaidThrough(user())).toBeNull();
    expect(findPaidThrough({ ...paid(NOW + HOUR), isAdmin: true })).toBeNull();
  });
});

describe('a login in another tab', () => {
  afterEach(() => vi.unstubAllGlobals());
  const favorites = ['/api/favorites'];

  async function followLogin(as: string) {
    vi.stubGlobal('fetch', async () => Response.json(user({ id: as, username: as })));
    const client = createQueryClient();
    client.setQueryData(currentUserQuery.queryKey, user() as never);
    client.setQueryData(favorites, { items: ['a favorite of Thandi'] });
    const observer = new QueryObserver(client, { ...currentUserQuery, staleTime: Infinity });
    observer.subscribe(() => undefined);
    watchAccess(client);
    const otherTab = new BroadcastChannel('access');
    otherTab.postMessage('changed');
    await vi.waitFor(() =>
      expect(client.getQueryData(currentUserQuery.queryKey)).toMatchObject({ username: as }),
    );
    otherTab.close();
    return client;
  }

  it('as someone else drops everything this tab has loaded', async () => {
    const client = await followLogin('lerato');
    await vi.waitFor(() => expect(client.getQueryData(favorites)).toBeUndefined());
  });
});

it('delayUntil ends shortly after the given time, within its limits', () => {
  expect(delayUntil(NOW + HOUR, NOW)).toBe(HOUR + 500);
  expect(delayUntil(NOW + 365 * 24 * HOUR, NOW)).toBe(24 * HOUR);
  expect(delayUntil(NOW - HOUR, NOW)).toBe(5000);
});
