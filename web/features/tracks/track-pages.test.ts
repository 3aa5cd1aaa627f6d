import { describe, expect, it } from 'vitest';
import type { Track } from '#contract/tracks.ts';
import { buildTrack } from '#web/testing/build-track.ts';
import { groupByHeading, joinPages } from './track-pages.ts';

describe('the pages of a list', () => {
  it('shows a track once if it moved between pages while they loaded', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => buildTrack(id)) as [Track, Track, Track];
    const pages = [
      { items: [a, b], nextCursor: 'more' },
      { items: [b, c], nextCursor: null },
    ];
    expect(joinPages(pages)).toEqual([a, b, c]);
  });
});

describe('a list with headings', () => {
  it('starts a group wherever the heading changes', () => {
    const tracks = [buildTrack('a'), buildTrack('b'), buildTrack('c', { year: 2025 })];
    const groups = groupByHeading(tracks, (track) => String(track.year));
    expect(groups.map(({ heading, tracks: { length } }) => [heading, length])).toEqual([
      ['2026', 2],
      ['2025', 1],
    ]);
  });
});
