import { describe, expect, it } from 'vitest';
import {
  countNew,
  endAt,
  findView,
  fitSelection,
  lastSeconds,
  moveTo,
  shapeView,
  shapeWhole,
} from './clip-selection.ts';

describe('what the editor marks', () => {
  it('are the seconds that have just played', () => {
    expect(lastSeconds(100.7, 3600)).toEqual({ start: 80, seconds: 20 });
    expect(lastSeconds(7, 3600)).toEqual({ start: 0, seconds: 20 });
    expect(lastSeconds(95.4, 95.5)).toEqual({ start: 75, seconds: 20 });
    expect(lastSeconds(2, 8.5)).toEqual({ start: 0, seconds: 8 });
  });

  it('stays inside the mix, with a length that a clip may have', () => {
    const clip = { start: 80, seconds: 20 };
    expect(moveTo(clip, -5, 95)).toEqual({ start: 0, seconds: 20 });
    expect(moveTo(clip, 90, 95.9)).toEqual({ start: 75, seconds: 20 });
    expect(endAt(clip, 81, 95)).toEqual({ start: 80, seconds: 3 });
    expect(endAt(clip, 900, 95.9)).toEqual({ start: 80, seconds: 15 });
    expect(fitSelection({ start: 94, seconds: 20 }, 95)).toEqual({ start: 92, seconds: 3 });
  });

  it('is in a view that moves only if it has to', () => {
    const first = findView({ start: 80, seconds: 20 }, 3600);
    expect(first).toEqual({ from: 30, to: 150 });
    expect(findView({ start: 129, seconds: 20 }, 3600, first)).toBe(first);
    expect(findView({ start: 131, seconds: 20 }, 3600, first)).toEqual({ from: 81, to: 201 });
    expect(findView({ start: 3590, seconds: 10 }, 3600)).toEqual({ from: 3480, to: 3600 });
    expect(findView({ start: 0, seconds: 20 }, 95)).toEqual({ from: 0, to: 95 });
  });

  it('costs only what nobody has given away yet', () => {
    const free = [
      { from: 30, to: 50 },
      { from: 90, to: 100 },
    ];
    expect(countNew({ start: 40, seconds: 20 }, free)).toBe(10);
    expect(countNew({ start: 92, seconds: 5 }, free)).toBe(0);
  });
});

describe('the bars of a clip', () => {
  const peaks = Array.from({ length: 1600 }, (_, index) => index / 1600);

  it('are to scale in the editor', () => {
    const shape = shapeView(peaks, { view: { from: 30, to: 150 }, lit: { from: 60, to: 80 } }, 120);
    expect(shape).toMatchObject({ from: 30, to: 50, bars: { length: 120 } });
  });

  it('are wide enough to be seen in a whole mix, wherever the clip is', () => {
    for (const from of [0, 1000, 3580]) {
      const shape = shapeWhole(peaks, { lit: { from, to: from + 20 }, duration: 3600 }, 100);
      expect(shape.bars).toHaveLength(100);
      expect(shape.to - shape.from).toBe(28);
      expect(shape.from).toBe(Math.round(72 * (from / 3580)));
    }
    const short = shapeWhole(peaks, { lit: { from: 0, to: 8 }, duration: 8.5 }, 72);
    expect([short.bars.length, short.from, short.to]).toEqual([72, 0, 68]);
  });
});
