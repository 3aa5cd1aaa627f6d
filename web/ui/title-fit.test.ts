import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countLettersPerLine, fitTitle } from './title-fit.ts';

const emOf = (title: string) => Number(Object.values(fitTitle(title))[0]);

describe('the size of a title', () => {
  it('is the same for titles of about the same length', () => {
    expect(emOf('Golden Hour Pressure')).toBe(emOf('Slow Bounce Theory'));
  });

  it('goes down in steps as a title gets longer', () => {
    const sizes = [20, 40, 60, 90].map((length) => emOf('Deep '.repeat(length / 5)));
    expect(new Set(sizes).size).toBe(4);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  });

  it('leaves room for the longest word on one line', () => {
    expect(countLettersPerLine('Braamfontein at 5')).toBe('Braamfontein'.length);
  });

  it('ignores a word so long that it is broken anyway', () => {
    expect(countLettersPerLine('W'.repeat(60))).toBe(20);
  });

  it('is defined for a title without a word', () => {
    expect(emOf('')).toBe(emOf('Thaw'));
  });

  it('never needs more room than the whole title, and never less than a third of it', () => {
    const titles = fc.array(fc.stringMatching(/^[A-Za-z]{1,12}$/), { minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(titles, (words) => {
        const title = words.join(' ');
        const letters = countLettersPerLine(title);
        expect(letters).toBeLessThan(title.length + 4);
        expect(letters * 3).toBeGreaterThanOrEqual(title.length - 2);
      }),
    );
  });
});
