import { describe, expect, it } from 'vitest';
import { findWeekWarning, releaseTimeOf, suggestRelease } from './release-time.ts';
import { HOUR } from '../rules/time.ts';
import { weeksInYear } from '../rules/weeks.ts';
import { parseZoned } from '../rules/zoned-time.ts';

const JOBURG = 'Africa/Johannesburg';
const BERLIN = 'Europe/Berlin';
const friday = { releaseDay: 4, releaseHour: 6, timeZone: JOBURG };

describe('the release time of a week', () => {
  it.each([
    [{ year: 2026, week: 47 }, 4, '2026-11-20T06:00'],
    [{ year: 2026, week: 47 }, 0, '2026-11-16T06:00'],
    [{ year: 2026, week: 47 }, 6, '2026-11-22T06:00'],
    [{ year: 2026, week: 1 }, 0, '2025-12-29T06:00'],
    [{ year: 2026, week: 53 }, 4, '2027-01-01T06:00'],
    [{ year: 2025, week: 1 }, 4, '2025-01-03T06:00'],
  ])('of %j on weekday %i is %s', (week, releaseDay, time) => {
    expect(releaseTimeOf(week, { ...friday, releaseDay })).toBe(time);
  });

  it('is inside the week on every day of several years, with and without summer time', () => {
    for (const timeZone of [JOBURG, BERLIN, 'America/New_York', 'Pacific/Auckland'])
      for (let year = 2020; year <= 2028; year++)
        for (let week = 1; week <= weeksInYear(year); week++)
          for (const [releaseDay, releaseHour] of [
            [0, 0],
            [0, 2],
            [6, 2],
            [6, 23],
          ] as const) {
            const field = releaseTimeOf({ year, week }, { releaseDay, releaseHour, timeZone });
            const at = parseZoned(field, timeZone) ?? 0;
            expect(findWeekWarning({ year, week }, at, timeZone)).toBeNull();
          }
  });
});

describe('the proposed release', () => {
  const noon = Date.UTC(2026, 10, 18, 10);
  it('is the release time of the week, however far ahead', () => {
    expect(suggestRelease({ year: 2026, week: 47 }, friday, noon)).toBe('2026-11-20T06:00');
    expect(suggestRelease({ year: 2027, week: 2 }, friday, noon)).toBe('2027-01-15T06:00');
  });

  it('is the next release hour once that of the week has passed', () => {
    const monday = { ...friday, releaseDay: 0 };
    expect(suggestRelease({ year: 2026, week: 47 }, monday, noon)).toBe('2026-11-19T06:00');
    const evening = { ...monday, releaseHour: 18 };
    expect(suggestRelease({ year: 2026, week: 46 }, evening, noon)).toBe('2026-11-18T18:00');
    const onTheHour = Date.UTC(2026, 10, 20, 4);
    expect(suggestRelease({ year: 2026, week: 47 }, friday, onTheHour)).toBe('2026-11-21T06:00');
  });

  it('goes by the clock of the site, also on the days it changes', () => {
    const berlin = { releaseDay: 6, releaseHour: 2, timeZone: BERLIN };
    const before = Date.UTC(2026, 2, 28, 12);
    const field = suggestRelease({ year: 2026, week: 13 }, berlin, before);
    expect(field).toBe('2026-03-29T02:00');
    // At 02:00 the clocks go to 03:00.
    expect(parseZoned(field, BERLIN)).toBe(Date.UTC(2026, 2, 29, 1));
    const night = Date.UTC(2026, 9, 24, 22) + HOUR / 2;
    expect(suggestRelease({ year: 2026, week: 40 }, berlin, night)).toBe('2026-10-25T02:00');
  });
});

describe('the warning of a release outside its week', () => {
  const warn = (week: number, year: number, field: string, timeZone = JOBURG) =>
    findWeekWarning({ year, week }, parseZoned(field, timeZone) ?? 0, timeZone);

  it('names both weeks, and the year where it differs', () => {
    expect(warn(47, 2026, '2026-11-23T00:00')).toBe(
      'Week 47 is 16–22 November, and this is in week 48.',
    );
    expect(warn(53, 2026, '2027-01-04T06:00')).toBe(
      'Week 53 is 28 December – 3 January, and this is in week 1 of 2027.',
    );
  });

  it('starts and ends with the week in the zone of the site', () => {
    expect(warn(47, 2026, '2026-11-16T00:00')).toBeNull();
    expect(warn(47, 2026, '2026-11-22T23:59')).toBeNull();
    expect(warn(47, 2026, '2026-11-15T23:59')).toContain('in week 46');
    expect(warn(53, 2026, '2027-01-01T06:00')).toBeNull();
    expect(warn(13, 2026, '2026-03-29T23:30', BERLIN)).toBeNull();
  });
});
