import { describe, expect, it } from 'vitest';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';
import { buildHomeBars, countProgress, describeWeek, listMissedTracks } from './year-progress.ts';

const THIS_WEEK = { year: 2026, week: 46 };
const finished = { position: 100, listened: 100, isFinished: true, listenedAt: 1 };
const started = { position: 25, listened: 25, isFinished: false, listenedAt: 1 };
const opened = { position: 4, listened: 4, isFinished: false, listenedAt: 1 };

const tracks = [
  buildTrack('now', { weekNumber: 46, duration: 50 }),
  buildTrack('b', { weekNumber: 45, duration: 100, progress: started }),
  buildTrack('c', { weekNumber: 45, duration: 20 }),
  buildTrack('d', { weekNumber: 43, duration: 100, progress: finished }),
  buildTrack('e', { weekNumber: 42, duration: 80, progress: opened }),
];

describe('the bars of a year', () => {
  const bars = buildHomeBars(tracks, THIS_WEEK);

  it('has one for each week', () => {
    expect(bars.map((bar) => bar.week)).toEqual(Array.from({ length: 53 }, (_, i) => i + 1));
  });

  it('distinguishes heard, started, missed, empty and future weeks', () => {
    expect(bars[41]).toEqual({ week: 42, state: 'unplayed', height: expect.closeTo(0.84, 2) });
    expect(bars[42]).toEqual({ week: 43, state: 'finished', height: 1 });
    expect(bars[43]).toEqual({ week: 44, state: 'none' });
    expect(bars[44]).toEqual({ week: 45, state: 'started', share: 0.125, height: 1 });
    expect(bars[45]).toEqual({ week: 46, state: 'finished', height: expect.closeTo(0.59, 2) });
    expect(bars[46]).toEqual({ week: 47, state: 'coming' });
  });
});

it('one marathon does not shrink the other bars', () => {
  const usual = Array.from({ length: 20 }, (_, i) =>
    buildTrack(`t${i}`, { weekNumber: i + 1, duration: 60 + i }),
  );
  const marathon = buildTrack('long', { weekNumber: 30, duration: 6000 });
  const bars = buildHomeBars([...usual, marathon], THIS_WEEK);
  expect(bars[29]?.height).toBe(1);
  expect(bars[19]?.height).toBe(1);
  expect(bars[0]?.height).toBe(0.35);
});

describe('the progress of a year', () => {
  it('counts what is heard, started and to go; a mix played for a few seconds is to go', () => {
    expect(countProgress(tracks)).toEqual({ finished: 1, started: 1, toGo: 3 });
  });

  it('lists missed tracks, oldest first, without the current week', () => {
    expect(listMissedTracks(tracks, THIS_WEEK).map((track) => track.id)).toEqual(['e', 'c']);
  });
});

it('the bar of the next mix is hollow, unless its week has one already', () => {
  const barOf = (week: number) => buildHomeBars(tracks, THIS_WEEK, week)[week - 1];
  expect(barOf(47)).toEqual({ week: 47, state: 'unplayed', height: 0.6 });
  expect(barOf(44)).toMatchObject({ state: 'unplayed' });
  expect(barOf(43)).toMatchObject({ state: 'finished', height: 1 });
});

describe('the description of a week', () => {
  it('says when the next mix comes out, until its week has one', () => {
    const next = { weekNumber: 47, hour: 'out Friday at 06:00' };
    const said = (week: number, of = next) =>
      describeWeek(week, ofWeek(week), { isLoggedIn: true, thisWeek: 46, next: of });
    expect(said(47)).toBe('Week 47, out Friday at 06:00');
    expect(said(48)).toBe('Week 48, not out yet');
    expect(said(43, { ...next, weekNumber: 43 })).toContain('heard');
  });

  const user = { isLoggedIn: true, thisWeek: 46 };
  const ofWeek = (week: number) => tracks.filter((track) => track.weekNumber === week);

  it.each([
    [43, `Week 43, ${tracks[3]?.title}, heard`],
    [45, `Week 45, ${tracks[1]?.title} and 1 more, started`],
    [42, `Week 42, ${tracks[4]?.title}, not heard yet`],
    [44, 'Week 44, no mix'],
    [47, 'Week 47, not out yet'],
  ])('names the track and progress of week %d', (week, text) => {
    expect(describeWeek(week, ofWeek(week), user)).toBe(text);
  });

  it('says if only the preview was heard', () => {
    const previewed = { position: 80, listened: 20, isFinished: false, listenedAt: 1 };
    const preview = buildPreview('p', { weekNumber: 41, progress: previewed });
    expect(describeWeek(41, [preview], user)).toBe('Week 41, Mix p, preview heard');
  });

  it('has no progress for a visitor', () => {
    const visitor = { isLoggedIn: false, thisWeek: 46 };
    expect(describeWeek(43, ofWeek(43), visitor)).toBe(`Week 43, ${tracks[3]?.title}`);
  });
});
