import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { boot } from '#web/lib/boot.ts';
import { buildPreview } from '#web/testing/build-track.ts';
import { EarlyAccess, formatPublicHour } from './early-access.tsx';

const tuesday = Date.UTC(2026, 10, 17, 11, 42);
const johannesburg = { locale: 'en-GB', timeZone: 'Africa/Johannesburg' };

describe('the hour when a mix becomes public', () => {
  it('is a weekday and a time on the listener’s own clock', () => {
    const now = tuesday - DAY;
    expect(formatPublicHour(tuesday, now, johannesburg)).toBe('Tuesday 13:42');
    const auckland = { locale: 'en-GB', timeZone: 'Pacific/Auckland' };
    expect(formatPublicHour(tuesday, now, auckland)).toBe('Wednesday 00:42');
    const newYork = { locale: 'en-US', timeZone: 'America/New_York' };
    expect(formatPublicHour(tuesday, now, newYork)).toMatch(/^Tuesday 6:42\sAM$/);
  });

  it('has a date if the weekday could be mistaken for today’s', () => {
    expect(formatPublicHour(tuesday, tuesday - 6 * DAY, johannesburg)).toBe(
      'Tuesday 17 November 13:42',
    );
    expect(formatPublicHour(tuesday, tuesday - 6 * DAY + MINUTE, johannesburg)).toBe(
      'Tuesday 13:42',
    );
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

  it('arrives in the site’s time zone, because the server doesn’t know the browser’s', () => {
    const siteZone = boot.timeZone;
    boot.timeZone = 'Pacific/Auckland';
    const at = Date.now() + HOUR;
    const hour = formatPublicHour(at, Date.now(), { locale: 'en-ZA', timeZone: boot.timeZone });
    expect(render(at)).toContain(hour);
    boot.timeZone = siteZone;
  });
});
