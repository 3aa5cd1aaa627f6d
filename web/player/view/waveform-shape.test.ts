import { describe, expect, it } from 'vitest';
import {
  countBars,
  cutPeaks,
  seekByKey,
  shapeWaveform,
  type WaveformSource,
} from './waveform-shape.ts';

const ramp = Array.from({ length: 1600 }, (_, i) => (i + 1) / 1600);
const source = (change: Partial<WaveformSource> = {}): WaveformSource => ({
  peaks: ramp,
  duration: 1600,
  chapters: [],
  preview: null,
  scale: 'preview',
  ...change,
});

describe('the shape of a waveform', () => {
  it('fills any width with bars of about five pixels', () => {
    expect(countBars(3)).toBe(0);
    expect(countBars(100)).toBe(20);
    for (let width = 100; width <= 2600; width++) {
      const pitch = width / countBars(width);
      expect(pitch, `${width} pixels`).toBeGreaterThan(3.7);
      expect(pitch, `${width} pixels`).toBeLessThan(5.9);
    }
  });

  it('leaves out one bar where a chapter starts, but not at the start of the track', () => {
    const { bars, open } = shapeWaveform(source({ chapters: [0, 400, 1200] }), 100);
    expect(bars.flatMap((bar, i) => (bar === 0 ? [i] : []))).toEqual([25, 75]);
    expect(open).toEqual({ from: 0, to: 100 });
  });

  it('gives the preview 7% of the width and the locked part the rest', () => {
    const preview = { from: 800, seconds: 20 };
    const { bars, open } = shapeWaveform(source({ preview, scale: 'limit' }), 200);
    expect(open).toEqual({ from: 0, to: 14 });
    expect(bars).toHaveLength(200);
    expect(bars[0]).toBeCloseTo(0.5, 1);
    expect(bars[14]).toBeLessThan(0.05);
    expect(bars.at(-1)).toBe(1);
  });

  it('shows only the preview if it has the whole width', () => {
    const preview = { from: 800, seconds: 20 };
    const { bars, open } = shapeWaveform(source({ preview }), 200);
    expect(open).toEqual({ from: 0, to: 200 });
    for (const bar of bars) expect(bar).toBeCloseTo(0.507, 1);
  });

  it.each([
    ['in the middle', { from: 800, seconds: 20 }, { from: 100, to: 102 }],
    ['at the end', { from: 1580, seconds: 20 }, { from: 197, to: 200 }],
    ['too short to see', { from: 800, seconds: 1 }, { from: 100, to: 101 }],
    ['that starts at the end', { from: 1600, seconds: 20 }, { from: 199, to: 200 }],
  ])('shows where in the track a preview is: %s', (_, preview, open) => {
    const shape = shapeWaveform(source({ preview, scale: 'track' }), 200);
    expect(shape.open).toEqual(open);
    expect(shape.bars).toEqual(shapeWaveform(source(), 200).bars);
  });

  it('cuts the requested seconds', () => {
    expect(cutPeaks([1, 2, 3, 4, 5], 50, { from: 20, seconds: 10 })).toEqual([3]);
    expect(cutPeaks([1, 2], 3600, { from: 1790, seconds: 20 })).toEqual([1, 2]);
  });
});

describe('seeking by keyboard', () => {
  it.each([
    ['ArrowRight', 10, 15],
    ['ArrowUp', 10, 15],
    ['ArrowLeft', 10, 5],
    ['ArrowLeft', 3, 0],
    ['PageUp', 10, 40],
    ['PageDown', 50, 20],
    ['PageUp', 50, 60],
    ['Home', 10, 0],
    ['End', 10, 60],
  ])('%s at %d seeks to %d', (key, time, target) => {
    expect(seekByKey(key, time, 60)).toBe(target);
  });

  it('leaves every other key alone', () => {
    expect(seekByKey('a', 10, 60)).toBeNull();
    expect(seekByKey('constructor', 10, 60)).toBeNull();
  });
});
