import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampPreviewStart, pickPreviewStart } from './preview-window.ts';
import { PREVIEW_SECONDS } from '#contract/rules/preview.ts';

const flat = (seconds: number, level = 0.1) => Array.from({ length: seconds }, () => level);

describe('the start of the preview', () => {
  it('is where a preview has the most energy', () => {
    const energy = flat(600);
    energy.fill(0.9, 300, 300 + PREVIEW_SECONDS);
    expect(pickPreviewStart(energy, 600)).toBe(300);
  });

  it('skips the loud intro and outro of a long track', () => {
    const energy = flat(600);
    energy
      .fill(0.9, 0, 30)
      .fill(0.9, 570, 600)
      .fill(0.5, 200, 200 + PREVIEW_SECONDS);
    expect(pickPreviewStart(energy, 600)).toBe(200);
  });

  it('can be the beginning of a short track', () => {
    const energy = flat(60);
    energy.fill(0.9, 0, PREVIEW_SECONDS);
    expect(pickPreviewStart(energy, 60)).toBe(0);
  });

  it('is the earliest of several equal windows', () => {
    expect(pickPreviewStart(flat(600, 0.123), 600)).toBe(60);
  });

  it('is 0 when the track is no longer than a preview', () => {
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
          expect(start + PREVIEW_SECONDS).toBeLessThanOrEqual(
            Math.max(PREVIEW_SECONDS, energy.length),
          );
        },
      ),
    );
  });

  it.each([
    [-5, 100, 0],
    [30, 100, 30],
    [95, 100, 100 - PREVIEW_SECONDS],
    [5, 10, 0],
  ])('moves a chosen second %i of %i inside the track', (start, duration, expected) => {
    expect(clampPreviewStart(start, duration)).toBe(expected);
  });
});
