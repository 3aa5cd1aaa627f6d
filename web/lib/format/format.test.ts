import { expect, it, vi } from 'vitest';
import {
  formatCompactNumber,
  formatCount,
  formatDate,
  formatDateTime,
  formatDay,
  formatDayAndTime,
  formatLongDate,
  formatLongMonth,
  formatMonth,
  formatShortDate,
  formatShortDay,
  formatTime,
  formatWeekday,
  formatWeekdayName,
} from './format.ts';

// Unit tests have no page, so the site's time zone is UTC.
const at = Date.UTC(2026, 10, 6, 7, 5);

it('writes dates in one convention', () => {
  expect(formatDay(at)).toBe('6 November');
  expect(formatShortDay(at)).toBe('6 Nov');
  expect(formatShortDay('2026-09-19')).toBe('19 Sep');
  expect(formatDate(at)).toBe('6 November 2026');
  expect(formatShortDate(at)).toBe('6 Nov 2026');
  expect(formatLongDate(at)).toBe('Friday 6 November 2026');
  expect(formatWeekday(at)).toBe('Fri 6 Nov');
  expect(formatWeekdayName(at)).toBe('Friday');
  expect(formatMonth('2026-11-01')).toBe('Nov 2026');
  expect(formatLongMonth(at)).toBe('November 2026');
  expect(formatTime(at)).toBe('07:05');
  expect(formatDateTime(at)).toBe('6 Nov 2026, 07:05');
  expect(formatDayAndTime(at)).toBe('Fri 6 Nov, 07:05');
});

it.each([
  [950, '950'],
  [9999, '9,999'],
  [38_412, '38.4k'],
  [999_949, '999.9k'],
  [999_950, '1m'],
  [-1_250_000, '-1.3m'],
])('shortens %i to %s where there is little room', (value, expected) => {
  expect(formatCompactNumber(value)).toBe(expected);
});

it('counts things in the singular and the plural', () => {
  expect([
    formatCount(1, 'play'),
    formatCount(0, 'play'),
    formatCount(1628, 'mix', 'mixes'),
  ]).toEqual(['1 play', '0 plays', '1,628 mixes']);
});

it('creates no date format before one is needed, because the first one delays every page', async () => {
  const created = vi.spyOn(Intl, 'DateTimeFormat');
  vi.resetModules();
  const { formatTime: format } = await import('./format.ts');
  expect(created).not.toHaveBeenCalled();
  expect(format(at)).toBe('07:05');
  expect(created).toHaveBeenCalled();
  created.mockRestore();
});
