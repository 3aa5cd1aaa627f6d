import { describe, expect, it } from 'vitest';
import { HEMISPHERES, weekColor } from '#contract/rules/week-colour.ts';
import { checkContrast, contrastRatio, readTokens, readWeekTable } from './contrast.ts';

describe('the design tokens', () => {
  it.each(checkContrast(readTokens()))(
    'have contrast in the $theme theme: $name needs $need',
    ({ worst, need }) => {
      expect(worst.ratio).toBeGreaterThanOrEqual(need);
    },
  );

  it.each(HEMISPHERES)('contain the computed colour of all 53 weeks in the %s', (hemisphere) => {
    const table = readWeekTable(readTokens(), hemisphere);
    expect([...table.keys()]).toEqual(Array.from({ length: 53 }, (_, i) => i + 1));
    for (const [week, row] of table) {
      const { signal, ink } = weekColor(week, hemisphere);
      expect(
        { h: row['week-h'], l: row['week-l'], c: row['week-c'], ink: row['week-ic'] },
        `week ${week}`,
      ).toEqual({
        h: signal.h.toFixed(2),
        l: String(signal.l),
        c: String(signal.c),
        ink: String(ink.c),
      });
    }
  });
});

describe('checkContrast', () => {
  it('finds text with too little contrast', () => {
    const faded = readTokens().replace('--text-3:oklch(0.695', '--text-3:oklch(0.395');
    const failing = checkContrast(faded).filter((result) => result.failures > 0);
    expect(failing.map(({ theme, name }) => `${theme} ${name}`)).toEqual(['dark body text']);
  });

  it('rejects tokens it cannot parse', () => {
    expect(() => checkContrast('')).toThrow('The tokens have no block for :root.');
  });

  it('computes 21 for black on white', () => {
    expect(contrastRatio([0, 0, 0], [1, 0, 0])).toBeCloseTo(21, 1);
  });
});
