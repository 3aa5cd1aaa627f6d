import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Chapter } from '../tracks.ts';
import {
  addHeardPart,
  findNeededMs,
  listSegments,
  WHOLE_TRACK,
  type Segment,
} from './scrobble-rules.ts';
import { MINUTE, SECOND } from '../rules/time.ts';

const mix = { title: 'Golden Hour', artist: 'Weekender', durationMs: 20 * MINUTE };
const chapters: Chapter[] = [
  { at: 60, artist: 'Relay Room', title: 'Intro' },
  { at: null, artist: 'Someone', title: 'No idea when' },
  { at: 240, artist: null, title: 'Untitled' },
  { at: 600, artist: 'Moyo', title: 'Last' },
];
const segments = listSegments({ ...mix, chapters });

describe('what a mix scrobbles as', () => {
  it('is its chapters, each until the next one with a time', () => {
    expect(segments.map(({ startMs, endMs, title }) => [startMs, endMs, title])).toEqual([
      [60_000, 240_000, 'Intro'],
      [240_000, 600_000, 'Untitled'],
      [600_000, 1_200_000, 'Last'],
    ]);
  });

  it('credits the mix’s artist for a chapter without one', () => {
    expect(segments.map(({ artist }) => artist)).toEqual(['Relay Room', 'Weekender', 'Moyo']);
  });

  it('is the mix itself without a tracklist, or without any times', () => {
    const whole = { chapter: WHOLE_TRACK, artist: 'Weekender', title: 'Golden Hour' };
    const untimed = chapters.map((chapter) => ({ ...chapter, at: null }));
    for (const list of [[], untimed])
      expect(listSegments({ ...mix, chapters: list })).toEqual([
        { ...whole, startMs: 0, endMs: mix.durationMs },
      ]);
  });

  it('leaves out chapters that start after the end', () => {
    const late = { at: 7200, artist: 'Moyo', title: 'Another file' };
    expect(listSegments({ ...mix, chapters: [...chapters, late] })).toEqual(segments);
  });
});

it('needs half of it or four minutes, and more than thirty seconds', () => {
  const needed = (endMs: number) => findNeededMs({ startMs: 0, endMs });
  expect(needed(30 * SECOND)).toBeNull();
  expect(needed(31 * SECOND)).toBe(15_500);
  expect(needed(6 * MINUTE)).toBe(3 * MINUTE);
  expect(needed(60 * MINUTE)).toBe(4 * MINUTE);
});

/** Hears a mix from one second to another in parts of ten seconds, as heartbeats report it. */
function hear(
  from: number,
  to: number,
  start = 0,
  before: Parameters<typeof addHeardPart>[0] = null,
  list: readonly Segment[] = segments,
) {
  let current = before;
  const started: string[] = [];
  const counted: [string, number][] = [];
  for (let at = from; at < to; at += 10) {
    const end = Math.min(at + 10, to);
    const part = { fromMs: at * 1000, toMs: end * 1000, now: start + (end - from) * 1000 };
    const result = addHeardPart(current, list, part);
    ({ current } = result);
    if (result.started) started.push(result.started.title);
    counted.push(
      ...result.counted.map(
        ({ segment, listenedAt }) => [segment.title, listenedAt] as [string, number],
      ),
    );
  }
  return { current, started, counted };
}

describe('a chapter', () => {
  it('counts once, from when it began', () => {
    const { started, counted } = hear(0, 1200);
    expect(started).toEqual(['Intro', 'Untitled', 'Last']);
    expect(counted).toEqual([
      ['Intro', 60_000],
      ['Untitled', 240_000],
      ['Last', 600_000],
    ]);
  });

  it('doesn’t count if most of it was skipped', () => {
    expect(hear(60, 140).counted).toEqual([]);
    expect(hear(60, 150).counted).toEqual([['Intro', 0]]);
  });

  it('goes on after a short pause, and is another listen after a long one', () => {
    const half = hear(60, 120).current;
    expect(hear(120, 160, 60_000 + 5 * MINUTE, half).counted).toEqual([['Intro', 0]]);
    expect(hear(120, 160, 60_000 + 45 * MINUTE, half).counted).toEqual([]);
  });

  it('counts again when it is played again', () => {
    const once = hear(60, 240).current;
    expect(hear(60, 160, 180_000, once).counted).toEqual([['Intro', 180_000]]);
    // But not when it only goes on.
    expect(hear(200, 239, 180_000, hear(60, 230).current).counted).toEqual([]);
  });

  it('counts at most once per its length, however people jump', () => {
    const jumps = fc.array(fc.integer({ min: 0, max: 119 }), { maxLength: 60 });
    fc.assert(
      fc.property(jumps, (places) => {
        let current: Parameters<typeof addHeardPart>[0] = null;
        let counted = 0;
        places.forEach((place, index) => {
          const part = { fromMs: place * 10_000, toMs: place * 10_000 + 10_000 };
          const result = addHeardPart(current, segments, { ...part, now: (index + 1) * 10_000 });
          ({ current } = result);
          counted += result.counted.length;
        });
        expect(counted).toBeLessThanOrEqual((places.length * 10_000) / 90_000);
      }),
    );
  });
});
