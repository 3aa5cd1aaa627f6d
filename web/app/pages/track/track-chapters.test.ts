import { describe, expect, it } from 'vitest';
import { buildPreview, buildTrack } from '#web/player/testing/sample-tracks.ts';
import { chapterStart } from './track-chapters.tsx';

describe('where a chapter begins', () => {
  const chapter = (at: number) => ({ at, title: 'Siren', artist: null });

  it('in the full file: at its own second', () => {
    expect(chapterStart(chapter(75), buildTrack('a'))).toBe(75);
  });

  it.each([
    [59, null],
    [60, 0],
    [79, 19],
    [80, null],
  ])('at %d in a preview that was cut at 60', (at, start) => {
    expect(chapterStart(chapter(at), buildPreview('a', { previewStart: 60 }))).toBe(start);
  });
});
