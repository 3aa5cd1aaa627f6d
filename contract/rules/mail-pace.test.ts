import { expect, it } from 'vitest';
import { findBulkInterval, formatEstimate } from './mail-pace.ts';
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
