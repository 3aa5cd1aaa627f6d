import { describe, expect, it } from 'vitest';
import { isTrackFinished, type Listened } from './progress.ts';
import { HOUR, MINUTE } from './time.ts';

const hour: Listened = {
  durationMs: 60 * MINUTE,
  positionMs: 0,
  listenedMs: 0,
  hasFullAccess: true,
};
const short: Listened = { ...hour, durationMs: 100_000 };

describe('a track is finished', () => {
  it.each([
    ['played to its end', { ...hour, positionMs: 60 * MINUTE, listenedMs: 60 * MINUTE }],
    [
      'left in its last half minute',
      { ...hour, positionMs: 59.5 * MINUTE, listenedMs: 58 * MINUTE },
    ],
    ['played to its end with parts skipped', { ...hour, positionMs: HOUR, listenedMs: 1_800_000 }],
    ['played for nine tenths of its length', { ...hour, positionMs: 0, listenedMs: 54 * MINUTE }],
    ['short and left in its last fifth', { ...short, positionMs: 80_000, listenedMs: 50_000 }],
  ])('when it was %s', (_how, listened) => {
    expect(isTrackFinished(listened)).toBe(true);
  });

  it.each([
    ['only started', { ...hour, positionMs: 20_000, listenedMs: 20_000 }],
    ['left a minute before its end', { ...hour, positionMs: 59 * MINUTE, listenedMs: 53 * MINUTE }],
    ['jumped through to its end', { ...hour, positionMs: 60 * MINUTE, listenedMs: 29 * MINUTE }],
    ['short and left in its last third', { ...short, positionMs: 75_000, listenedMs: 75_000 }],
    ['of unknown length', { ...hour, durationMs: 0, positionMs: 9, listenedMs: 9 }],
  ])('but not when it was %s', (_how, listened) => {
    expect(isTrackFinished(listened)).toBe(false);
  });

  it('never by previews alone, however many', () => {
    const previews = { ...hour, positionMs: 60 * MINUTE, listenedMs: 600 * MINUTE };
    expect(isTrackFinished({ ...previews, hasFullAccess: false })).toBe(false);
  });
});
