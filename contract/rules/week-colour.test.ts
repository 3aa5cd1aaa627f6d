import { describe, expect, it } from 'vitest';
import { isInGamut, maxChroma, oklchToHex, oklchToLinear, weekColor } from './week-colour.ts';

const everyWeek = Array.from({ length: 53 }, (_, i) => i + 1);

describe('weekColor', () => {
  it.each(everyWeek)('keeps week %i inside sRGB', (week) => {
    const { signal, ink } = weekColor(week, 'south');
    expect(isInGamut(oklchToLinear(signal.l, signal.c, signal.h))).toBe(true);
    expect(isInGamut(oklchToLinear(ink.l, ink.c, ink.h))).toBe(true);
  });

  it('gives 52 weeks 52 colours', () => {
    expect(new Set(everyWeek.slice(0, 52).map((week) => weekColor(week, 'south').hex)).size).toBe(
      52,
    );
  });
});

describe('oklchToHex', () => {
  it('converts black, white and a primary', () => {
    expect(oklchToHex(0, 0, 0)).toBe('#000000');
    expect(oklchToHex(1, 0, 0)).toBe('#ffffff');
    expect(oklchToHex(0.62796, 0.25768, 29.234)).toBe('#ff0000');
  });

  it('reduces chroma until a colour fits', () => {
    expect(oklchToHex(0.8, 0.4, 150)).toBe(oklchToHex(0.8, maxChroma(0.8, 150), 150));
  });
});
