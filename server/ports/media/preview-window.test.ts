import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampPreviewStart, pickPreviewStart } from './preview-window.ts';

const flat = (seconds: number, level = 0.1) => Array.from({ length: seconds }, () => level);

describe('where the preview begins', () => {
  it('is where twenty seconds have the most energy', () => {
    const energy = flat(600);
    energy.fill(0.9, 300, 320);
    expect(pickPreviewStart(energy, 600)).toBe(300);
  });

  it('is not the loud intro or outro of a long mix', () => {
    const energy = flat(600);
    energy.fill(0.9, 0, 30).fill(0.9, 570, 600).fill(0.5, 200, 220);
    expect(pickPreviewStart(energy, 600)).toBe(200);
  });

  it('may be the beginning of a short one', () => {
    const energy = flat(60);
    energy.fill(0.9, 0, 20);
    expect(pickPreviewStart(energy, 60)).toBe(0);
  });

  it('is the earliest of equals', () => {
    expect(pickPreviewStart(flat(600, 0.123), 600)).toBe(60);
  });

  it('is the beginning when there is nothing to choose', () => {
    expect(pickPreviewStart(flat(15), 15)).toBe(0);
    expect(pickPreviewStart([], 0)).toBe(0);
  });

  it('always leaves room for the whole preview', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 400 }),
        (energy) => {
          const start = pickPreviewStart(energy, energy.length);
          expect(start).toBeGreaterThanOrEqual(0);
          expect(start + 20).toBeLessThanOrEqual(Math.max(20, energy.length));
        },
      ),
    );
  });

  it.each([
    [-5, 100, 0],
    [30, 100, 30],
    [95, 100, 80],
    [5, 10, 0],
  ])('brings a chosen second %i of %i inside the mix', (start, duration, expected) => {
    expect(clampPreviewStart(start, duration)).toBe(expected);
  });
});
