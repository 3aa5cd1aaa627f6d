import { describe, expect, it } from 'vitest';
import { buildPreview, buildTrack } from '#web/testing/build-track.ts';
import { findInFile } from './find-in-file.ts';

describe('a second of a track', () => {
  it('is its own second in the full track', () => {
    expect(findInFile(75, buildTrack('a'))).toBe(75);
  });

  it.each([
    [59, null],
    [60, 0],
    [79, 19],
    [80, null],
  ])('is mapped from %d into a preview that starts at 60', (at, start) => {
    expect(findInFile(at, buildPreview('a', { previewStart: 60 }))).toBe(start);
  });
});
