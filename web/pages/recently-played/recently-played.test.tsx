import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boot } from '#web/lib/store/boot.ts';
import { formatPlayedAt, formatPlayedHeading, NothingPlayed } from './recently-played.tsx';

const siteZone = boot.timeZone;
beforeAll(() => void (boot.timeZone = 'Africa/Johannesburg'));
afterAll(() => void (boot.timeZone = siteZone));

const now = Date.UTC(2026, 10, 15, 8);

describe('a played track is grouped under', () => {
  it.each([
    ['Today', Date.UTC(2026, 10, 14, 22)],
    ['Yesterday', Date.UTC(2026, 10, 14, 21, 59)],
    ['Last seven days', Date.UTC(2026, 10, 9)],
    ['November 2026', Date.UTC(2026, 10, 1)],
    ['October 2026', Date.UTC(2026, 9, 31, 12)],
  ])('%s, in the site’s time zone', (heading, listenedAt) => {
    expect(formatPlayedHeading(listenedAt, now)).toBe(heading);
  });
});

it('shows the time for the last two days and the date before that', () => {
  expect(formatPlayedAt(Date.UTC(2026, 10, 15, 7, 5), now)).toBe('09:05');
  expect(formatPlayedAt(Date.UTC(2026, 10, 14, 12), now)).toBe('14:00');
  expect(formatPlayedAt(Date.UTC(2026, 10, 6, 12), now)).toBe('Fri 6 Nov');
});

it('offers who has played nothing the library, not a mix that may not be out', () => {
  const page = renderToStaticMarkup(
    <Router ssrPath="/recently-played">
      <NothingPlayed />
    </Router>,
  );
  expect(page).toContain('href="/library"');
  expect(page).not.toContain('this week');
});
