import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatZoned, parseZoned } from './zoned-time.ts';

describe('a local time in a time zone', () => {
  it.each([
    ['2026-11-20T06:00', 'Africa/Johannesburg', Date.UTC(2026, 10, 20, 4)],
    ['2026-07-01T00:30', 'Europe/Berlin', Date.UTC(2026, 5, 30, 22, 30)],
    // Skipped when clocks go forward: that much later.
    ['2026-03-29T02:30', 'Europe/Berlin', Date.UTC(2026, 2, 29, 1, 30)],
    // Comes twice when clocks go back: the first.
    ['2026-10-25T02:30', 'Europe/Berlin', Date.UTC(2026, 9, 25, 0, 30)],
  ])('%s in %s', (text, zone, at) => {
    expect(parseZoned(text, zone)).toBe(at);
  });

  it.each(['', 'tomorrow', '2026-13-01T00:00', '2026-11-20'])('%j is invalid', (text) => {
    expect(parseZoned(text, 'UTC')).toBeNull();
  });

  it('is parsed back as it was written', () => {
    const zones = fc.constantFrom(
      'Africa/Johannesburg',
      'America/New_York',
      'Asia/Kathmandu',
      'Pacific/Auckland',
    );
    const minutes = fc.integer({ min: 0, max: 60 * 24 * 365 * 60 });
    fc.assert(
      fc.property(zones, minutes, (zone, minute) => {
        const text = formatZoned(minute * 60_000, zone);
        expect(formatZoned(parseZoned(text, zone) ?? 0, zone)).toBe(text);
      }),
    );
  });
});
