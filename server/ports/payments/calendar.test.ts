import { describe, expect, it } from 'vitest';
import { createCalendar } from './calendar.ts';
import { DAY } from '#contract/rules/time.ts';

describe('the calendar', () => {
  const { addPeriod, addDays } = createCalendar();

  it.each([
    ['2026-11-15T12:00:00Z', 'monthly', '2026-12-15T12:00:00Z'],
    ['2026-12-31T23:59:59Z', 'monthly', '2027-01-31T23:59:59Z'],
    ['2027-01-31T08:00:00Z', 'monthly', '2027-02-28T08:00:00Z'],
    ['2028-01-30T08:00:00Z', 'monthly', '2028-02-29T08:00:00Z'],
    ['2028-02-29T08:00:00Z', 'annual', '2029-02-28T08:00:00Z'],
    ['2026-11-15T12:00:00Z', 'annual', '2027-11-15T12:00:00Z'],
  ] as const)('ends a period from %s (%s) at %s', (from, plan, end) => {
    expect(addPeriod(Date.parse(from), plan)).toBe(Date.parse(end));
  });

  it('has days of 24 hours', () => {
    expect(addDays(1000, 3)).toBe(1000 + 3 * DAY);
  });
});

it('can shorten months to seconds, and days with them', () => {
  const { addPeriod, addDays } = createCalendar(3000);
  expect(addPeriod(0, 'monthly')).toBe(3000);
  expect(addPeriod(0, 'annual')).toBe(36_000);
  expect(addDays(0, 3)).toBe(300);
});
