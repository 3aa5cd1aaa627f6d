import { expect, it } from 'vitest';
import { monthOf } from '#web/player/view/month.ts';
import { describeUse } from './data-use.tsx';

it.each([
  [{ streamed: 0, saved: 0, unmetered: 0 }, 85_00, 'Nothing yet', ''],
  [
    { streamed: 282_000_000, saved: 58_000_000, unmetered: 0 },
    85_00,
    'About 340 MB, R28.90',
    '282 MB streamed, 58 MB saved. ',
  ],
  [
    { streamed: 282_000_000, saved: 58_000_000, unmetered: 58_000_000 },
    85_00,
    'About 340 MB, R24',
    '282 MB streamed, 58 MB saved, 58 MB of it on Wi-Fi. ',
  ],
  [{ streamed: 5_000_000, saved: 0, unmetered: 0 }, null, 'About 5 MB', '5 MB streamed. '],
])('says what %o costs at %s', (use, price, total, parts) => {
  expect(describeUse(use, price)).toEqual({ total, parts });
});

it('counts by the month of the site, not by that of the device', () => {
  const endOfMonth = Date.UTC(2026, 10, 30, 23);
  expect(monthOf(endOfMonth, 'UTC')).toBe('2026-11');
  expect(monthOf(endOfMonth, 'Africa/Johannesburg')).toBe('2026-12');
});
