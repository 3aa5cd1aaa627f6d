import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countBeyond,
  describeClipCost,
  joinSpans,
  listPlaying,
  previewSpan,
} from '#contract/rules/clips.ts';
import { countUsed, listFree } from './clip-limit.ts';

const track = {
  preview_start_ms: 30_000,
  duration_ms: 100_000,
  is_subscriber_only: 0,
  audioKey: 'now',
  previewFileMs: 30_000,
} as const;

const clipOf = (start: number, seconds: number, audio = 'now') => ({
  track_id: 'mix',
  audio_key: audio,
  start_s: start,
  seconds,
});

describe('what clips give away', () => {
  it('counts overlapping seconds once, and those of the preview not at all', () => {
    expect(countUsed(track, [])).toBe(0);
    expect(countUsed(track, [clipOf(0, 10), clipOf(5, 10), clipOf(5, 3)])).toBe(15);
    expect(countUsed(track, [clipOf(30, 20)])).toBe(0);
    expect(countUsed(track, [clipOf(28, 5), clipOf(45, 10)])).toBe(2 + 5);
  });

  it('takes of a preview that is being moved only what is public before and after', () => {
    const clips = [clipOf(30, 20), clipOf(60, 20)];
    const moved = { ...track, preview_start_ms: 60_000 };
    expect(countUsed(track, clips)).toBe(20);
    // The file is the old one, and the chosen one may never come.
    expect(countUsed(moved, clips)).toBe(40);
    expect(countUsed({ ...track, preview_start_ms: 40_000 }, clips)).toBe(10 + 20);
    expect(countUsed({ ...moved, previewFileMs: 60_000 }, clips)).toBe(20);
    expect(countUsed({ ...track, previewFileMs: null }, clips)).toBe(40);
  });

  it('counts the preview of a mix for subscribers, which nobody else hears', () => {
    expect(countUsed({ ...track, is_subscriber_only: 1 }, [clipOf(30, 20)])).toBe(20);
  });

  it('adds what clips of earlier audio gave away, although it has the same times', () => {
    const clips = [clipOf(0, 10, 'before'), clipOf(0, 10), clipOf(30, 5, 'before')];
    expect(countUsed(track, clips)).toBe(10 + 10 + 5);
    expect(joinSpans(listFree(track, clips))).toEqual([
      { from: 0, to: 10 },
      { from: 30, to: 50 },
    ]);
  });

  it('leaves out a second that the preview only has a part of', () => {
    expect(previewSpan(12.4, 100)).toEqual({ from: 13, to: 32 });
    expect(previewSpan(0, 8.5)).toEqual({ from: 0, to: 8 });
  });

  it('is the number of different seconds, whatever the clips', () => {
    const spans = fc.array(
      fc.record({ from: fc.nat(80), length: fc.nat(20) }).map(({ from, length }) => ({
        from,
        to: from + length,
      })),
      { maxLength: 12 },
    );
    const list = (all: { from: number; to: number }[]) =>
      new Set(all.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)));
    fc.assert(
      fc.property(spans, spans, (some, others) => {
        const known = list(others);
        const fresh = [...list(some)].filter((second) => !known.has(second));
        expect(countBeyond(some, others)).toBe(fresh.length);
        const joined = joinSpans(some);
        expect(list(joined)).toEqual(list(some.toSorted((a, b) => a.from - b.from)));
        for (const [index, { from }] of joined.entries())
          expect(from).toBeGreaterThan(joined[index - 1]?.to ?? -1);
      }),
    );
  });
});

it('says what a clip costs, also when that is too much', () => {
  expect(describeClipCost(0, 0)).toBe('These seconds are public already.');
  expect(describeClipCost(20, 60)).toBe(
    'Everyone can hear it. 40 seconds are left after this clip.',
  );
  expect(describeClipCost(19, 20)).toContain('One second is left after this clip.');
  expect(describeClipCost(20, 20)).toContain('No seconds are left after this clip.');
  expect(describeClipCost(20, 1)).toMatch(/^This mix has 1 clip second left, .* needs 20\. /);
  expect(describeClipCost(5, 0)).toMatch(/^This mix has no clip seconds left\. /);
});

it('knows what plays during a clip', () => {
  const chapters = [{ at: 60 }, { at: null }, { at: 0 }, { at: 70 }];
  const play = (from: number, to: number) =>
    listPlaying(chapters, { from, to }).map(({ chapter, ...span }) => [chapter.at, span]);
  expect(play(10, 20)).toEqual([[0, { from: 10, to: 20 }]]);
  expect(play(55, 75)).toEqual([
    [0, { from: 55, to: 60 }],
    [60, { from: 60, to: 70 }],
    [70, { from: 70, to: 75 }],
  ]);
  expect(listPlaying([{ at: 30 }], { from: 0, to: 20 })).toEqual([]);
});
