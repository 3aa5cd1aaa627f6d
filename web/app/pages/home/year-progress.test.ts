import { describe, expect, it } from 'vitest';
import { makeTrack } from '#web/player/testing/sample-tracks.ts';
import { barsOfYear, countYear, describeWeek, findMissed } from './year-progress.ts';

const THIS_WEEK = { year: 2026, week: 46 };
const heard = { position: 100, isHeard: true, heardAt: 1 };
const started = { position: 25, isHeard: false, heardAt: 1 };

const tracks = [
  makeTrack('now', { weekNumber: 46, duration: 50 }),
  makeTrack('b', { weekNumber: 45, duration: 100, progress: started }),
  makeTrack('c', { weekNumber: 45, duration: 20 }),
  makeTrack('d', { weekNumber: 43, duration: 100, progress: heard }),
  makeTrack('e', { weekNumber: 42, duration: 80 }),
];

describe('the bars of a year', () => {
  const bars = barsOfYear(tracks, THIS_WEEK);

  it('are one for every week', () => {
    expect(bars.map((bar) => bar.week)).toEqual(Array.from({ length: 53 }, (_, i) => i + 1));
  });

  it('tell weeks heard, started, missed, without a mix, and yet to come', () => {
    expect(bars[41]).toEqual({ week: 42, state: 'unheard', height: expect.closeTo(0.84, 2) });
    expect(bars[42]).toEqual({ week: 43, state: 'heard', height: 1 });
    expect(bars[43]).toEqual({ week: 44, state: 'none' });
    expect(bars[44]).toEqual({ week: 45, state: 'started', share: 0.125, height: 1 });
    expect(bars[45]).toEqual({ week: 46, state: 'heard', height: expect.closeTo(0.59, 2) });
    expect(bars[46]).toEqual({ week: 47, state: 'coming' });
  });
});

it('one marathon leaves the others their height', () => {
  const usual = Array.from({ length: 20 }, (_, i) =>
    makeTrack(`t${i}`, { weekNumber: i + 1, duration: 60 + i }),
  );
  const marathon = makeTrack('long', { weekNumber: 30, duration: 6000 });
  const bars = barsOfYear([...usual, marathon], THIS_WEEK);
  expect(bars[29]?.height).toBe(1);
  expect(bars[19]?.height).toBe(1);
  expect(bars[0]?.height).toBe(0.35);
});

describe('a year', () => {
  it('counts what was heard, begun and left', () => {
    expect(countYear(tracks)).toEqual({ heard: 1, started: 1, left: 3 });
  });

  it('knows what was missed, the oldest first, without the week that runs', () => {
    expect(findMissed(tracks, THIS_WEEK).map((track) => track.id)).toEqual(['e', 'c']);
  });
});

describe('a week in words', () => {
  const member = { isMember: true, thisWeek: 46 };
  const ofWeek = (week: number) => tracks.filter((track) => track.weekNumber === week);

  it.each([
    [43, `Week 43, ${tracks[3]?.title}, heard`],
    [45, `Week 45, ${tracks[1]?.title} and 1 more, started`],
    [42, `Week 42, ${tracks[4]?.title}, not yet heard`],
    [44, 'Week 44, no mix'],
    [47, 'Week 47, not out yet'],
  ])('says what came out in week %d and what was heard of it', (week, words) => {
    expect(describeWeek(week, ofWeek(week), member)).toBe(words);
  });

  it('says nothing about hearing to a visitor', () => {
    const visitor = { isMember: false, thisWeek: 46 };
    expect(describeWeek(43, ofWeek(43), visitor)).toBe(`Week 43, ${tracks[3]?.title}`);
  });
});
