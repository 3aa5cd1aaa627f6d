import { describe, expect, it } from 'vitest';
import { growingYear, yearShape } from './poster-bars.tsx';
import { samplePeaks } from './wave-bars.tsx';
import { monthStarts } from './year-bars.tsx';

describe('monthStarts', () => {
  it('puts a month at the week that contains its first day', () => {
    const starts = monthStarts(2026);
    expect(starts.map(({ name }) => name)).toHaveLength(12);
    expect(starts[0]).toEqual({ name: 'Jan', week: 1 });
    expect(starts.find(({ name }) => name === 'Nov')?.week).toBe(44);
    expect(starts.at(-1)?.week).toBe(49);
  });

  it('keeps months in order in years of 52 and of 53 weeks', () => {
    for (const year of [2020, 2024, 2025, 2026, 2032]) {
      const weeks = monthStarts(year).map(({ week }) => week);
      expect(weeks).toEqual(weeks.toSorted((a, b) => a - b));
      expect(new Set(weeks).size).toBe(12);
    }
  });
});

describe('decorative bars', () => {
  it('stay inside their frame in every week of the year', () => {
    for (let week = 1; week <= 53; week++)
      for (const { height } of growingYear(week, 53)) {
        expect(height).toBeGreaterThan(0);
        expect(height).toBeLessThanOrEqual(0.9);
      }
    for (const { height } of yearShape(53)) {
      expect(height).toBeGreaterThan(0);
      expect(height).toBeLessThanOrEqual(1);
    }
    for (const peak of samplePeaks(110)) {
      expect(peak).toBeGreaterThan(0);
      expect(peak).toBeLessThanOrEqual(1);
    }
  });

  it('keep this week below the heading that covers it', () => {
    for (let week = 1; week <= 25; week++)
      for (const bar of growingYear(week, 52).slice(0, 25))
        expect(bar.height).toBeLessThanOrEqual(0.14);
  });

  it('make this week the tallest and outline only future weeks', () => {
    const bars = growingYear(46, 53);
    expect(bars.toSorted((a, b) => b.height - a.height)[0]?.week).toBe(46);
    expect(bars.filter((bar) => bar.isOutline).map((bar) => bar.week)).toEqual([
      47, 48, 49, 50, 51, 52, 53,
    ]);
  });
});
