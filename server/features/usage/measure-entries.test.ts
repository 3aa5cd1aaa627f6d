import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureEntries, type Span } from './measure-entries.ts';

const at = (...times: (number | null)[]) => times.map((time) => ({ at: time }));
const figures = (plays: number, seconds: number) => ({ plays, seconds });

describe('how long an entry was heard', () => {
  it('is what was heard of it until the next one, or the end of the mix', () => {
    const spans: Span[] = [
      [0, 90],
      [30, 200],
      [150, 170],
    ];
    expect(measureEntries(at(0, 60, 120), 200, spans)).toEqual([
      figures(2, 60 + 30),
      figures(2, 30 + 60),
      figures(2, 80 + 20),
    ]);
  });

  it('is a play of it from five seconds, or all of an entry that is shorter', () => {
    expect(measureEntries(at(0, 10, 13), 60, [[6, 17]])).toEqual([
      figures(0, 4),
      figures(1, 3),
      figures(0, 4),
    ]);
    expect(measureEntries(at(0, 10, 13), 60, [[5, 18]])).toEqual([
      figures(1, 5),
      figures(1, 3),
      figures(1, 5),
    ]);
    expect(measureEntries(at(0, 10, 13), 60, [[0, 12]])[1]).toEqual(figures(0, 2));
  });

  it('leaves out what comes before the first entry', () => {
    expect(measureEntries(at(30), 100, [[0, 50]])).toEqual([figures(1, 20)]);
  });

  it('is unknown where entries share a time, and known for all others', () => {
    const spans: Span[] = [[0, 100]];
    expect(measureEntries(at(0, null, 50), 100, spans)).toEqual([null, null, figures(1, 50)]);
    expect(measureEntries(at(null, 20, 50), 100, spans)).toEqual([
      null,
      figures(1, 30),
      figures(1, 50),
    ]);
    // Two at the same time, also within a second of each other, as cue sheets count frames.
    expect(measureEntries(at(0, 0, 50, 50.3), 100, spans)).toEqual([null, null, null, null]);
    expect(measureEntries(at(null), 100, spans)).toEqual([null]);
  });

  it('is unknown for an entry that starts after the end, and for the one it follows', () => {
    expect(measureEntries(at(0, 40, 100), 100, [[0, 100]])).toEqual([figures(1, 40), null, null]);
    expect(measureEntries(at(0, 40), 0, [])).toEqual([null, null]);
    expect(measureEntries([], 100, [[0, 100]])).toEqual([]);
  });

  it('adds up to everything that was heard', () => {
    const end = 600;
    const times = fc.array(fc.nat({ max: end - 1 }), { maxLength: 20 });
    const span = fc
      .tuple(fc.nat({ max: end }), fc.nat({ max: end }))
      .map(([a, b]): Span => [Math.min(a, b), Math.max(a, b)]);
    fc.assert(
      fc.property(times, fc.array(span, { maxLength: 40 }), (starts, spans) => {
        const sorted = [...new Set(starts)].toSorted((a, b) => a - b);
        const measured = measureEntries(at(...sorted), end, spans);
        // Second by second, as slowly as can be.
        for (const [index, from] of sorted.entries()) {
          const to = sorted[index + 1] ?? end;
          const heard = spans.map(([start, stop]) => {
            let seconds = 0;
            for (let second = start; second < stop; second += 1)
              if (second >= from && second < to) seconds += 1;
            return seconds;
          });
          const least = Math.min(5, to - from);
          expect(measured[index]).toEqual({
            plays: heard.filter((seconds) => seconds >= least).length,
            seconds: heard.reduce((sum, seconds) => sum + seconds, 0),
          });
        }
        const first = sorted[0] ?? end;
        const before = spans.map(([start, stop]) => Math.max(0, Math.min(stop, first) - start));
        const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
        expect(sum(before) + sum(measured.map((entry) => entry?.seconds ?? 0))).toBe(
          sum(spans.map(([start, stop]) => stop - start)),
        );
      }),
    );
  });
});
