import { expect, it } from 'vitest';
import { describePace, findBulkInterval, formatEstimate } from './mail-pace.ts';
import { HOUR, MINUTE } from './time.ts';

it.each([
  [300, 270],
  [250, 225],
  [600, 540],
  [5, 4],
])('of %i mails an hour, those to many at once get %i', (mailsPerHour, bulk) => {
  expect(HOUR / findBulkInterval(mailsPerHour)).toBeLessThanOrEqual(bulk);
  expect(HOUR / findBulkInterval(mailsPerHour)).toBeGreaterThan(bulk * 0.999);
});

it('sends something even at one mail an hour, and waits for nothing without a limit', () => {
  expect(findBulkInterval(1)).toBe(2 * HOUR);
  expect(findBulkInterval(0)).toBe(0);
});

it.each([
  [40_000, 'less than a minute'],
  [MINUTE, 'about 1 minute'],
  [12 * MINUTE, 'about 12 minutes'],
  [52 * MINUTE, 'about 50 minutes'],
  [58 * MINUTE, 'about 1 hour'],
  [1.4 * HOUR, 'about 1.5 hours'],
  [2.8 * HOUR, 'about 3 hours'],
  [1000 * findBulkInterval(300), 'about 4 hours'],
  [35 * HOUR, 'about 35 hours'],
  [40 * HOUR, 'about 2 days'],
])('%i ms is %s', (ms, text) => {
  expect(formatEstimate(ms)).toBe(text);
});

it.each([
  [300, 1204, 0, '1,204 members: about 4 hours.'],
  [600, 1204, 0, '1,204 members: about 2 hours.'],
  [300, 1, 270, '1 member: about 1 hour, after 270 that wait already.'],
  [0, 1204, 5, '1,204 members: as fast as the mail server takes them.'],
])('at %i an hour, %i members with %i before them: %s', (mailsPerHour, members, waiting, text) => {
  expect(describePace(mailsPerHour, members, waiting)).toBe(text);
});
