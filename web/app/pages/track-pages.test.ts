import { describe, expect, it } from 'vitest';
import { makePreview, makeTrack } from '#web/player/testing/sample-tracks.ts';
import { chapterStart } from './track-chapters.tsx';
import { barsOfYear } from './year-section.tsx';

describe('where a chapter begins', () => {
  const chapter = (at: number) => ({ at, title: 'Siren', artist: null });

  it('in the full file: at its own second', () => {
    expect(chapterStart(chapter(75), makeTrack('a'))).toBe(75);
  });

  it.each([
    [59, null],
    [60, 0],
    [79, 19],
    [80, null],
  ])('at %d in a preview that was cut at 60', (at, start) => {
    expect(chapterStart(chapter(at), makePreview('a', { previewStart: 60 }))).toBe(start);
  });
});

describe('the bars of a year', () => {
  const tracks = [
    makeTrack('a', { weekNumber: 46, duration: 50 }),
    makeTrack('b', { weekNumber: 45, duration: 100 }),
    makeTrack('c', { weekNumber: 45, duration: 20 }),
  ];
  const bars = barsOfYear(tracks, { year: 2026, week: 46 });

  it('has one for every week', () => {
    expect(bars.map((bar) => bar.week)).toEqual(Array.from({ length: 53 }, (_, i) => i + 1));
  });

  it('tells weeks with a mix, without one, and yet to come', () => {
    expect(bars[43]).toEqual({ week: 44, state: 'none' });
    expect(bars[44]).toEqual({ week: 45, state: 'unheard', height: 1 });
    expect(bars[45]).toEqual({ week: 46, state: 'heard', height: 0.5 });
    expect(bars[46]).toEqual({ week: 47, state: 'coming' });
  });
});
