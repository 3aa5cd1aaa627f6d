import { describe, expect, it } from 'vitest';
import { headHeard, nameHeard } from './format-played-at.ts';

const ZONE = 'Africa/Johannesburg';
const now = Date.UTC(2026, 10, 15, 8);

describe('what was heard stands under', () => {
  it.each([
    ['Today', Date.UTC(2026, 10, 14, 22)],
    ['Yesterday', Date.UTC(2026, 10, 14, 21, 59)],
    ['Last seven days', Date.UTC(2026, 10, 9)],
    ['November 2026', Date.UTC(2026, 10, 1)],
    ['October 2026', Date.UTC(2026, 9, 31, 12)],
  ])('%s, by the clock of the site', (heading, heardAt) => {
    expect(headHeard(heardAt, now, ZONE)).toBe(heading);
  });
});

it('the hour is told of the last two days, the day before that', () => {
  expect(nameHeard(Date.UTC(2026, 10, 15, 7, 5), now, ZONE)).toBe('09:05');
  expect(nameHeard(Date.UTC(2026, 10, 14, 12), now, ZONE)).toBe('14:00');
  expect(nameHeard(Date.UTC(2026, 10, 6, 12), now, ZONE)).toBe('Fri 6 Nov');
});
