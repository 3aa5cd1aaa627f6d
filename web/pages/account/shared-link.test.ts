import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR } from '#contract/rules/time.ts';
import { renderPage, transport } from '#web/boot/render-page.tsx';
import { startHydration } from '#web/lib/format/now.ts';
import { boot } from '#web/lib/store/boot.ts';
import { buildPreview } from '#web/testing/build-track.ts';
import { describeRest } from '#web/features/sharing/describe-rest.ts';

const track = buildPreview('t1', {
  title: 'Golden Hour Pressure',
  weekNumber: 46,
  description: 'Log drums at walking pace.',
  previewStart: 23,
  duration: 3567,
});
const detail = {
  ...track,
  chapters: [{ at: 0, title: 'Stoep Talk', artist: 'The Queue Marshals' }],
  formats: [],
  sizes: {},
};
const teaser = {
  name: 'Road to Muizenberg',
  trackCount: 12,
  sleeves: [{ id: 't1', weekNumber: 46, coverUrl: null }],
  first: track,
};
const plans = { currency: 'ZAR', monthly: { amount: 7900 }, annual: { amount: 79_000 } };

/** Everything else isn't there. */
const found: Record<string, unknown> = {
  '/api/tracks/t1': detail,
  '/api/tracks/t1/peaks': { peaks: [0.2, 0.4] },
  '/api/artists/a1/teaser': teaser,
  '/api/shared-playlists/abc/teaser': teaser,
  '/api/shared-playlists/empty/teaser': { ...teaser, trackCount: 0, sleeves: [], first: null },
  '/api/plans': { ...plans, trialDays: 0 },
};
/** What there is, but not for visitors. */
const refused: Record<string, [number, string]> = {
  '/api/auth/me': [401, 'unauthenticated'],
  '/api/tracks/premium': [403, 'subscribers_only'],
};

const real = transport.fetch;
let asked: string[];
beforeEach(() => {
  asked = [];
  transport.fetch = async (url) => {
    asked.push(url);
    const [status, code] = refused[url] ?? [found[url] ? 200 : 404, 'not_found'];
    const body = status === 200 ? found[url] : { code, message: code };
    return {
      ok: status === 200,
      status,
      blob: async () => new Blob(),
      text: async () => JSON.stringify(body),
      json: async () => body,
    };
  };
});
afterEach(() => {
  transport.fetch = real;
  startHydration(undefined);
});

const now = Date.UTC(2026, 10, 19);
const open = (address: string) => {
  const [path = '', query] = address.split('?', 2);
  const url = { path, search: query === undefined ? '' : `?${query}` };
  return renderPage(url, boot, { at: now, today: '2026-11-19', dayEndsAt: now + HOUR });
};
const textOf = (html: string) =>
  html
    .replaceAll('<!-- -->', '')
    .replaceAll(/<svg.*?<\/svg>|<[^>]+>/gs, ' ')
    .replaceAll(/\s+/g, ' ');
const heading = (html: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1];

describe('a visitor who opens a link', () => {
  it('to a mix hears it on the login page, rendered at the address they opened', async () => {
    const { html, redirectedTo, isMissing } = await open('/track/t1');
    expect(redirectedTo).toBe('/login?next=%2Ftrack%2Ft1');
    expect(isMissing).toBe(false);
    expect(heading(html)).toBe('Golden Hour Pressure');
    const text = textOf(html);
    for (const words of [
      'Week 46, 2026',
      'Log drums at walking pace.',
      'Play 20 seconds',
      'In it: Stoep Talk, The Queue Marshals',
      'These 20 seconds are 0:23 to 0:43 of 59:27.',
      'Hear the other 59 minutes',
      'Create a free account',
      'Premium, R79 a month',
      'Already a member? Log in',
    ])
      expect(text).toContain(words);
    expect(html).toContain('aria-label="Play preview"');
    expect(html).toContain('href="/register?next=%2Ftrack%2Ft1"');
    expect(html).toContain(
      'href="/register?next=%2Fpricing%3Fplan%3Dmonthly%26checkout%3Dstart%26next%3D%252Ftrack%252Ft1"',
    );
    expect(asked.toSorted()).toEqual([
      '/api/auth/me',
      '/api/plans',
      '/api/tracks/t1',
      '/api/tracks/t1/peaks',
    ]);
  });

  it('to a second of it reads where that is', async () => {
    const inside = textOf((await open('/track/t1?t=30')).html);
    expect(inside).toContain('Play from 0:30');
    const outside = await open('/login?next=%2Ftrack%2Ft1%3Ft%3D12%3A34');
    expect(outside.redirectedTo).toBeUndefined();
    expect(textOf(outside.html)).toContain(
      'The link starts at 12:34: with Premium you hear it from there.',
    );
    const hostile = textOf((await open('/track/t1?t=<script>')).html);
    expect(hostile).toContain('Play 20 seconds');
  });

  it.each([
    ['/artist/a1', 'Artist'],
    ['/shared/abc', 'Playlist'],
  ])('to a list (%s) sees its name, its size and one mix to hear', async (path, kind) => {
    const { html, redirectedTo } = await open(path);
    expect(redirectedTo).toBe(`/login?next=${encodeURIComponent(path)}`);
    expect(heading(html)).toBe('Road to Muizenberg');
    const text = textOf(html);
    expect(text).toContain(`${kind} · 12 mixes`);
    expect(text).toContain('Golden Hour Pressure, week 46. Free');
    expect(text).toContain('Hear all 12 mixes');
    expect(asked).toHaveLength(4);
  });

  it.each([
    '/track/unknown',
    '/track/premium',
    '/track/%00',
    '/artist/unknown',
    '/shared/unknown',
    '/shared/empty',
    '/library',
    '/login?next=%2Ftrack%2Funknown',
    '/login?next=%2F%2Fevil.example%2Ftrack%2Ft1',
    '/login?next=https%3A%2F%2Fevil.example%2Ftrack%2Ft1',
    '/login?next=%2F%5Cevil.example%2Ftrack%2Ft1',
    '/login?next=%2Ftrack%2Ft1%2Fmore',
    '/login?next=%2Flogin%3Fnext%3D%2Ftrack%2Ft1',
    '/login?next=%2Ftrack%2F%25E0%25A4',
  ])('to %s sees the login page and nothing about it', async (address) => {
    const { html, isMissing } = await open(address);
    expect(heading(html)).toBe('Login');
    expect(html).toContain('Pick up where you left off.');
    expect(isMissing).toBe(false);
    expect(html).not.toContain('Golden Hour');
  });

  it('and then registers keeps seeing it', async () => {
    const { html } = await open('/register?next=%2Ftrack%2Ft1');
    expect(heading(html)).toBe('Register');
    expect(html).toMatch(/<h2 id="shared-title"[^>]*>Golden Hour Pressure<\/h2>/);
  });
});

it.each([
  [3547, 'the other 59 minutes'],
  [119, 'the other 1 minute'],
  [50.4, 'the other 50 seconds'],
  [0, 'every mix in full'],
  [-8, 'every mix in full'],
])('after a preview, %d seconds are %s', (seconds, words) => {
  expect(describeRest(seconds)).toBe(words);
});
