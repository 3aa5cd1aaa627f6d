import { describe, expect, it } from 'vitest';
import { createCalendar } from './calendar.ts';
import { DAY } from '#contract/rules/time.ts';

describe('the calendar', () => {
  const { addMonths, addDays } = createCalendar();

  it.each([
    ['2026-11-15T12:00:00Z', 1, '2026-12-15T12:00:00Z'],
    ['2026-12-31T23:59:59Z', 1, '2027-01-31T23:59:59Z'],
    ['2027-01-31T08:00:00Z', 1, '2027-02-28T08:00:00Z'],
    ['2028-01-30T08:00:00Z', 1, '2028-02-29T08:00:00Z'],
    ['2028-02-29T08:00:00Z', 12, '2029-02-28T08:00:00Z'],
    ['2026-11-15T12:00:00Z', 12, '2027-11-15T12:00:00Z'],
  ] as const)('adds to %s %i months, which is %s', (from, months, end) => {
    expect(addMonths(Date.parse(from), months)).toBe(Date.parse(end));
  });

  it.each([
    // Half past midnight on the 1st, and when clocks change between two months.
    ['Africa/Johannesburg', '2027-02-28T22:30:00Z', 1, '2027-03-31T22:30:00Z'],
    ['Africa/Johannesburg', '2027-01-30T22:30:00Z', 1, '2027-02-27T22:30:00Z'],
    ['Europe/Berlin', '2027-02-28T23:30:00.250Z', 1, '2027-03-31T22:30:00.250Z'],
    ['America/New_York', '2027-10-31T03:30:00Z', 1, '2027-12-01T04:30:00Z'],
  ] as const)('in %s adds to %s %i month, which is %s', (timeZone, from, months, end) => {
    const local = createCalendar(() => timeZone);
    expect(local.addMonths(Date.parse(from), months)).toBe(Date.parse(end));
  });

  it('has days of 24 hours', () => {
    expect(addDays(1000, 3)).toBe(1000 + 3 * DAY);
  });
});

it('can shorten months to seconds, and days with them', () => {
  const { addMonths, addDays } = createCalendar(undefined, 3000);
  expect(addMonths(0, 1)).toBe(3000);
  expect(addMonths(0, 12)).toBe(36_000);
  expect(addDays(0, 3)).toBe(300);
});
