import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { clockOf, dayOf, startOfDay } from './days.ts';

describe('the start of a day', () => {
  it.each([
    ['2026-11-16', 'Africa/Johannesburg', '2026-11-15T22:00:00Z'],
    ['2026-11-16', 'UTC', '2026-11-16T00:00:00Z'],
    ['2026-11-16', 'Pacific/Kiritimati', '2026-11-15T10:00:00Z'],
    ['2026-11-16', 'Pacific/Niue', '2026-11-16T11:00:00Z'],
    // The clocks change at midnight: the day starts at 1 a.m.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00Z'],
  ])('%s in %s is %s', (day, timeZone, start) => {
    expect(new Date(startOfDay(day, timeZone)).toISOString()).toBe(start.replace('Z', '.000Z'));
  });

  it('is the first millisecond of that day', () => {
    const zones = fc.constantFrom('Africa/Johannesburg', 'America/New_York', 'Asia/Kathmandu');
    const times = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
    fc.assert(
      fc.property(zones, times, (timeZone, at) => {
        const day = dayOf(at, timeZone);
        const start = startOfDay(day, timeZone);
        expect(dayOf(start, timeZone)).toBe(day);
        expect(dayOf(start - 1, timeZone)).not.toBe(day);
      }),
    );
  });
});

it('a day and a clock don’t depend on how a browser writes a date', () => {
  // WebKitGTK writes this in `en-CA`, where Node and Chromium write `2026-11-15`.
  const formats: { format: object } = Intl.DateTimeFormat.prototype;
  const format = vi.spyOn(formats, 'format', 'get');
  format.mockReturnValue(() => '11/15/26');
  const at = Date.UTC(2026, 10, 15, 22, 5, 9);
  expect([dayOf(at, 'UTC'), dayOf(at, 'Africa/Johannesburg')]).toEqual([
    '2026-11-15',
    '2026-11-16',
  ]);
  expect(clockOf(at, 'Africa/Johannesburg')).toBe('2026-11-16T00:05:09');
  format.mockRestore();
});
