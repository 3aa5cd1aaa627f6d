import { describe, expect, it } from 'vitest';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';
import { chapterStart } from './track-chapters.tsx';

describe('the start of a chapter', () => {
  const chapter = (at: number) => ({ at, title: 'Siren', artist: null });

  it('is its own second in the full track', () => {
    expect(chapterStart(chapter(75), buildTrack('a'))).toBe(75);
  });

  it.each([
    [59, null],
    [60, 0],
    [79, 19],
    [80, null],
  ])('is mapped from %d into a preview that starts at 60', (at, start) => {
    expect(chapterStart(chapter(at), buildPreview('a', { previewStart: 60 }))).toBe(start);
  });
});
