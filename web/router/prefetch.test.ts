import { hashKey } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { DAY } from '#contract/rules/time.ts';
import { boot } from '#web/lib/store/boot.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { formatDate } from '#web/lib/format/format.ts';
import { startHydration } from '#web/lib/format/now.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { findPage } from './find-page.ts';
import { loadData, prefetchPage } from './prefetch.ts';
import { renderPage, renderWith, transport } from '#web/boot/render-page.tsx';

const free: User = {
  id: 'u1',
  username: 'thandi',
  email: 'thandi@example.com',
  avatarUrl: null,
  isSubscriber: false,
  isAdmin: false,
  offlineUntil: null,
};
const premium: User = { ...free, id: 'u2', isSubscriber: true };

const tracks = [buildTrack('t1', { isFavorite: true }), buildTrack('t2', { weekNumber: 45 })];
const listOf = (items: readonly unknown[]) => ({ items, nextCursor: null });
const chart = {
  asOf: 0,
  week: null,
  from: '2026-11-09',
  to: '2026-11-15',
  previousWeek: null,
  nextWeek: null,
};
const entry = { rank: 1, movement: null, previousRank: null, peak: 1, weeksOnChart: 1, recent: [] };

/** The first that matches answers. */
const answers: [RegExp, unknown][] = [
  [/^\/api\/tracks\/search/, { ...listOf(tracks), terms: [], popularGenres: [] }],
  [/^\/api\/tracks\/facets/, { years: [2026], weeks: [46], genres: ['Gqom'] }],
  [/^\/api\/tracks\/early/, { now: 0, release: null, upcoming: [] }],
  [/\/peaks$/, { peaks: [0.2, 0.4] }],
  [/\/neighbours$/, { previous: null, next: null }],
  [/\/favorite$/, { isFavorite: false }],
  [/^\/api\/tracks\/t1$/, { ...tracks[0], chapters: [], formats: [], sizes: {} }],
  [/^\/api\/(tracks|favorites)\b/, listOf(tracks)],
  [/^\/api\/top-20/, { ...chart, items: [{ ...entry, track: tracks[0] }] }],
  [/^\/api\/history/, listOf([{ track: tracks[0] }])],
  [/^\/api\/about$/, { sentence: 'Every Friday.', html: '', links: [], picture: null }],
  [
    /^\/api\/letters\/l1$/,
    { id: 'l1', subject: 'Hi', at: 0, html: '', picture: null, track: null },
  ],
  [/^\/api\/artists\/a1$/, { id: 'a1', name: 'Zola', about: '', links: [], pictureUrl: null }],
  [/^\/api\/achievements/, { items: [] }],
  [
    /^\/api\/years/,
    { year: 2026, years: [], title: '', tracks: [], bars: [], facts: [], share: null },
  ],
  [
    /^\/api\/plans/,
    { currency: 'ZAR', monthly: { amount: 7900 }, annual: { amount: 79_000 }, trialDays: 0 },
  ],
  [/^\/api\/subscription$/, { status: 'none', hasAccess: false, problem: null, renews: false }],
  [/^\/api\/playlists\/p1/, { id: 'p1', name: 'Road', description: '', trackCount: 0, tracks: [] }],
  [/^\/api\//, listOf([])],
];

let asked: string[];
let viewer: User | null;

function answer(url: string): Response {
  asked.push(url);
  if (url === '/api/auth/me')
    return viewer
      ? Response.json(viewer)
      : Response.json({ code: 'unauthenticated', message: '' }, { status: 401 });
  return Response.json(answers.find(([pattern]) => pattern.test(url))?.[1]);
}

beforeEach(() => {
  asked = [];
  viewer = null;
  vi.spyOn(transport, 'fetch').mockImplementation((url) => Promise.resolve(answer(url)));
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  startHydration(undefined);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What is in the cache after a link was hovered, without who is logged in. */
async function prefetch(path: string) {
  const client = createQueryClient({ retry: false });
  client.setQueryData(currentUserQuery.queryKey, viewer);
  const url = new URL(path, 'https://site.example');
  const found = await findPage(url);
  if (!found) throw new Error(`There is no page at ${path}.`);
  await loadData(client, url, found);
  const keys = client
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => hashKey(queryKey));
  return { client, url, found, keys: keys.filter((key) => !key.includes('/api/auth/me')) };
}

const members: [string, User][] = [
  ['a free user', free],
  ['a subscriber', premium],
];
const viewers: [string, User | null][] = [['a visitor', null], ...members];
const publicPages = [
  '/',
  '/?week=2026-W45',
  '/top-20',
  '/top-20?week=2026-W40',
  '/landing',
  '/letters',
  '/letters/l1',
];
const memberPages = [
  '/library',
  '/library?state=missed&genre=Gqom',
  '/search',
  '/search?q=gqom%20',
  '/track/t1',
  '/about',
  '/artist/a1',
  '/favorites',
  '/recently-played',
  '/downloads',
  '/playlists',
  '/playlist/p1',
  '/pricing',
  '/achievements',
];
const cases = [
  ...publicPages.flatMap((path) => viewers.map((who) => [path, ...who] as const)),
  ...memberPages.flatMap((path) => members.map((who) => [path, ...who] as const)),
];

const renderedAt = (at: number) => {
  const today = new Date(at).toISOString().slice(0, 10);
  return { at, today, dayEndsAt: at + DAY };
};
const rendered = renderedAt(Date.now());

it.each(['/', '/top-20', '/landing', '/login'])(
  '%s starts without a date format, which would take longer than the rest',
  async (path) => {
    viewer = null;
    const created = vi.spyOn(Intl, 'DateTimeFormat');
    const { html } = await renderPage({ path, search: '' }, boot, rendered);
    expect(html).not.toBe('');
    expect(created).not.toHaveBeenCalled();
    created.mockRestore();
  },
);

it('a page is rendered for its own time, while others are rendered for theirs', async () => {
  const days = ['2026-01-05', '2026-11-16'];
  const render = async (today: string) =>
    (await renderPage({ path: '/', search: '' }, boot, renderedAt(Date.parse(today)))).html;
  const alone = [];
  for (const day of days) alone.push(await render(day));
  expect(alone[0]).not.toBe(alone[1]);
  expect(await Promise.all(days.map(render))).toEqual(alone);
});

describe('a page whose link was hovered', () => {
  it.each(cases)('%s for %s has everything it asks for, and no more', async (path, _name, user) => {
    viewer = user;
    const { keys } = await prefetch(path);
    const [pathname = '', search = ''] = path.split('?');
    const page = await renderWith(
      createQueryClient({ retry: false }),
      { path: pathname, search: search && `?${search}` },
      rendered,
    );
    const needed = page.answers.map(([key]) => hashKey(key));
    expect(page.html).not.toBe('');
    expect(keys.toSorted()).toEqual(
      needed.filter((key) => !key.includes('/api/auth/me')).toSorted(),
    );
  });

  it('isn’t asked for again while its data is fresh', async () => {
    viewer = premium;
    const { client, url, found } = await prefetch('/track/t1');
    expect(asked.toSorted()).toEqual([
      '/api/tracks/t1',
      '/api/tracks/t1/favorite',
      '/api/tracks/t1/neighbours',
      '/api/tracks/t1/peaks',
    ]);
    await loadData(client, url, found);
    expect(asked).toHaveLength(4);
  });
});

it('a page whose link was hovered finds the format of its dates ready', async () => {
  const { timeZone } = boot;
  // A zone that no other test has prepared.
  boot.timeZone = 'Pacific/Chatham';
  try {
    const client = createQueryClient({ retry: false });
    await prefetchPage(client, new URL('https://site.example/top-20'));
    const create = vi.spyOn(Intl, 'DateTimeFormat');
    expect(formatDate(Date.UTC(2026, 10, 6))).toBe('6 November 2026');
    expect(create).not.toHaveBeenCalled();
  } finally {
    boot.timeZone = timeZone;
  }
});

describe('nothing is loaded ahead', () => {
  it.each(memberPages)('for a visitor, who would be sent away from %s', async (path) => {
    await prefetch(path);
    expect(asked).toEqual([]);
  });

  it.each([
    ['offline', { onLine: false }],
    ['with Save-Data', { onLine: true, connection: { saveData: true } }],
    ['on a slow line', { onLine: true, connection: { effectiveType: '2g' } }],
  ])('%s', async (_when, line) => {
    vi.stubGlobal('navigator', line);
    const client = createQueryClient({ retry: false });
    client.setQueryData(currentUserQuery.queryKey, viewer);
    await prefetchPage(client, new URL('https://site.example/top-20'));
    expect(asked).toEqual([]);
  });

  it('of a long list, which would load again as a whole', async () => {
    viewer = premium;
    const { client, url, found, keys } = await prefetch('/favorites');
    expect(keys).toHaveLength(1);
    const key = ['/api/favorites', 'pages', {}];
    const page = listOf([]);
    client.setQueryData(key, { pages: [page, page], pageParams: [null, 'c'] }, { updatedAt: 1 });
    asked = [];
    await loadData(client, url, found);
    expect(asked).toEqual([]);
  });
});
