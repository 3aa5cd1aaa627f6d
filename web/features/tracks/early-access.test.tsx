import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { startHydration } from '#web/lib/format/now.ts';
import { boot } from '#web/lib/store/boot.ts';
import { buildPreview } from '#web/testing/build-track.ts';
import { EarlyAccess, formatPublicHour } from './early-access.tsx';

const tuesday = Date.UTC(2026, 10, 17, 11, 42);
const siteZone = boot.timeZone;
beforeAll(() => {
  boot.timeZone = 'Africa/Johannesburg';
  // Without a page that was rendered at another time.
  startHydration(undefined);
});
afterAll(() => void (boot.timeZone = siteZone));

describe('the hour when a mix becomes public', () => {
  it('is a weekday and a time in the site’s time zone', () => {
    expect(formatPublicHour(tuesday, tuesday - DAY)).toBe('Tuesday 13:42');
  });

  it('has a date if the weekday could be mistaken for today’s', () => {
    expect(formatPublicHour(tuesday, tuesday - 6 * DAY)).toBe('Tuesday 17 November 13:42');
    expect(formatPublicHour(tuesday, tuesday - 6 * DAY + MINUTE)).toBe('Tuesday 13:42');
  });
});

describe('early access', () => {
  const render = (publishedAt: number) =>
    renderToStaticMarkup(<EarlyAccess track={buildPreview('a', { publishedAt })} />).replace(
      /<[^>]+>/g,
      '',
    );

  it('shows until the mix is public', () => {
    expect(render(Date.now() + HOUR)).toMatch(/Early access · public \w+day \d/);
    expect(render(Date.now() - 1)).toBe('');
  });
});
