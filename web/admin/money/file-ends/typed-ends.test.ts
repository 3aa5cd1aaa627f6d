import { describe, expect, it } from 'vitest';
import { NO_ENDS } from '#contract/rules/allowed-files.ts';
import { DAY } from '#contract/rules/time.ts';
import { parseTypedEnds, toTypedEnds } from './typed-ends.ts';

const ZONE = 'Africa/Johannesburg';
const NOW = Date.UTC(2026, 10, 19, 10);
/** 1 December, 00:00 in South Africa. */
const DECEMBER = Date.UTC(2026, 10, 30, 22);

const saved = { ...NO_ENDS, now: NOW };

describe('the ends that an administrator chooses', () => {
  it('are the beginning of a day of the site, on, or now: a time that has passed for any clock', () => {
    const typed = { downloadsEnd: '2026-12-01', losslessEnd: 'now', savingEnd: 'on', reason: ' ' };
    expect(parseTypedEnds(typed, saved, ZONE)).toEqual({
      data: { downloadsEnd: DECEMBER, losslessEnd: 0, savingEnd: null },
    });
  });

  it('stay exactly as they were saved unless they are touched, whatever the time zone is now', () => {
    const ends = { downloadsEnd: NOW - DAY, losslessEnd: NOW, savingEnd: DECEMBER };
    const state = { ...ends, now: NOW };
    for (const zone of [ZONE, 'Pacific/Auckland', 'America/New_York']) {
      const typed = toTypedEnds(state, zone);
      expect(typed).toMatchObject({ downloadsEnd: 'now', losslessEnd: 'now' });
      expect(parseTypedEnds({ ...typed, reason: 'So' }, state, zone)).toEqual({
        data: { ...ends, reason: 'So' },
      });
    }
  });

  it('are off at once by the server’s time, even where the browser’s clock is ahead', () => {
    const state = { ...saved, downloadsEnd: NOW + 1 };
    expect(toTypedEnds(state, ZONE).downloadsEnd).toBe('2026-11-19');
    const typed = { ...toTypedEnds(state, ZONE), downloadsEnd: 'now' };
    expect(parseTypedEnds(typed, state, ZONE).data?.downloadsEnd).toBe(0);
  });

  it('need a day if one was promised', () => {
    const typed = { ...toTypedEnds(saved, ZONE), savingEnd: '' };
    expect(parseTypedEnds(typed, saved, ZONE).errors).toEqual({ savingEnd: 'Choose a date.' });
  });
});
