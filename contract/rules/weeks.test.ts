import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatWeekDays,
  formatWeekKey,
  parseWeekKey,
  weekDays,
  weekOf,
  weeksInYear,
} from './weeks.ts';
import { DAY, HOUR } from './time.ts';

const JOBURG = 'Africa/Johannesburg';

describe('the week of a day', () => {
  it.each([
    ['2026-11-15', 2026, 46],
    ['2026-01-01', 2026, 1],
    ['2025-12-29', 2026, 1],
    ['2025-12-28', 2025, 52],
    ['2024-12-30', 2025, 1],
    ['2021-01-03', 2020, 53],
    ['2021-01-04', 2021, 1],
    ['2020-12-31', 2020, 53],
    ['2026-12-31', 2026, 53],
    ['2027-01-03', 2026, 53],
    ['2027-01-04', 2027, 1],
    ['2023-01-01', 2022, 52],
  ])('%s is in %i week %i', (day, year, week) => {
    expect(weekOf(Date.parse(`${day}T12:00:00Z`), 'UTC')).toEqual({ year, week });
  });

  it("starts at midnight in the site's time zone, not in UTC", () => {
    const monday = Date.parse('2026-11-16T00:00:00+02:00');
    expect(weekOf(monday - 1, JOBURG).week).toBe(46);
    expect(weekOf(monday, JOBURG).week).toBe(47);
    expect(weekOf(monday, 'UTC').week).toBe(46);
    expect(weekOf(monday, 'America/New_York').week).toBe(46);
    expect(weekOf(monday - 11 * HOUR, 'Pacific/Auckland').week).toBe(47);
  });

  it('lies between its Monday and its Sunday', () => {
    const times = fc.integer({ min: Date.UTC(1971, 0, 1), max: Date.UTC(2199, 11, 31) });
    fc.assert(
      fc.property(times, (at) => {
        const { monday, sunday } = weekDays(weekOf(at, 'UTC'));
        expect(new Date(monday).getUTCDay()).toBe(1);
        expect(at).toBeGreaterThanOrEqual(monday);
        expect(at).toBeLessThan(sunday + DAY);
      }),
    );
  });

  it('is followed by the next number or by week 1', () => {
    const times = fc.integer({ min: Date.UTC(1971, 0, 1), max: Date.UTC(2199, 11, 31) });
    fc.assert(
      fc.property(times, (at) => {
        const { year, week } = weekOf(at, 'UTC');
        const next = weekOf(at + 7 * DAY, 'UTC');
        const expected =
          week === weeksInYear(year) ? { year: year + 1, week: 1 } : { year, week: week + 1 };
        expect(next).toEqual(expected);
      }),
    );
  });
});

it.each([
  [2015, 53],
  [2020, 53],
  [2026, 53],
  [2032, 53],
  [2024, 52],
  [2025, 52],
  [2027, 52],
])('%i has %i weeks', (year, weeks) => {
  expect(weeksInYear(year)).toBe(weeks);
});

it.each([
  [{ year: 2026, week: 46 }, '9–15 November'],
  [{ year: 2026, week: 1 }, '29 December – 4 January'],
  [{ year: 2026, week: 53 }, '28 December – 3 January'],
  [{ year: 2026, week: 9 }, '23 February – 1 March'],
])('%j is shown as %s', (week, shown) => {
  expect(formatWeekDays(week)).toBe(shown);
});

describe('the key of a week', () => {
  it('sorts by time and can be parsed back', () => {
    expect(formatWeekKey({ year: 2026, week: 6 })).toBe('2026-W06');
    expect(parseWeekKey('2026-W06')).toEqual({ year: 2026, week: 6 });
    expect(parseWeekKey('2026-W53')).toEqual({ year: 2026, week: 53 });
  });

  it.each(['2025-W53', '2026-W00', '2026-6', 'live', '2026-W066', ''])('is not "%s"', (text) => {
    expect(parseWeekKey(text)).toBeNull();
  });
});
