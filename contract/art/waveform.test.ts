import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawBars, drawBarsUp, resamplePeaks } from './waveform.ts';

describe('resampling', () => {
  it('keeps the loudest peak of every part', () => {
    expect(resamplePeaks([0.1, 0.9, 0.2, 0.4], 2)).toEqual([0.9, 0.4]);
  });

  it('interpolates if there are fewer peaks than bars', () => {
    expect(resamplePeaks([0.2, 0.6], 4)).toEqual(
      [0.2, 0.3, 0.5, 0.6].map((x) => expect.closeTo(x)),
    );
  });

  it('returns as many bars as fit, each within the height, for any peaks', () => {
    const peaks = fc.array(fc.double({ noNaN: false }), { maxLength: 50 });
    fc.assert(
      fc.property(peaks, fc.integer({ min: 0, max: 120 }), (values, count) => {
        const bars = resamplePeaks(values, count);
        expect(bars).toHaveLength(count);
        for (const bar of bars) expect(bar > 0 && bar <= 1).toBe(true);
      }),
    );
  });
});

it('bars are strokes on the baseline, without the gaps', () => {
  expect(drawBars([0.5, 0, 1], 0, 3)).toBe('M2.5-50V0m10-100V0');
  expect(drawBars([0.5, 0, 1], 2, 3)).toBe('M12.5-100V0');
  expect(drawBarsUp([0.5, 0, 1], 0, 3)).toBe('M2.5 0v-50M12.5 0v-100');
});
