import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#contract/rules/time.ts';
import { boot } from '#web/lib/store/boot.ts';
import { describeNextRelease } from './next-release.ts';

const siteZone = boot.timeZone;
beforeAll(() => void (boot.timeZone = 'Africa/Johannesburg'));
afterAll(() => void (boot.timeZone = siteZone));

/** A Friday at 06:00. */
const at = Date.parse('2026-11-20T04:00:00Z');
const describeAt = (time: number, isSubscriber: boolean, earlyAt: number | null = at - 2 * DAY) =>
  describeNextRelease({ year: 2026, weekNumber: 47, at, earlyAt }, { isSubscriber, time });

describe('the next release', () => {
  it('says when each listener hears it', () => {
    const monday = at - 4 * DAY;
    expect(describeAt(monday, false)).toEqual({
      text: 'Out Friday at 06:00, in 4 days. Premium hears it on Wednesday.',
      hour: 'out Friday at 06:00',
    });
    expect(describeAt(monday, true)).toEqual({
      text: 'You can hear it Wednesday at 06:00, in 2 days. Everyone else hears it on Friday.',
      hour: 'you can hear it Wednesday at 06:00',
    });
    expect(describeAt(monday, true, null).text).toBe('Out Friday at 06:00, in 4 days.');
    expect(describeAt(at - DAY, false).text).toBe(
      'Out Friday at 06:00, in 1 day. Premium hears it already.',
    );
  });

  it('has the hour of both on one day, and the date if it is six days away', () => {
    expect(describeAt(at - DAY, false, at - HOUR).text).toBe(
      'Out Friday at 06:00, in 1 day. Premium hears it on Friday at 05:00.',
    );
    expect(describeAt(at - 8 * DAY - MINUTE, false, null).text).toBe(
      'Out Friday 20 November at 06:00, in 8 days.',
    );
  });
});
