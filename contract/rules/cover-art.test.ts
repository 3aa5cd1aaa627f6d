import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { coverArt } from './cover-art.ts';
import { variants } from './cover-drawings.ts';
import { oklchToHex, weekColor, weekHue } from './week-colour.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const everyWeek = Array.from({ length: 53 }, (_, i) => i + 1);

describe('coverArt', () => {
  it.each([
    [1, '54ba6b712f5b524e'],
    [13, '0500aaab1c0a8057'],
    [26, 'f1576a18c847fdd8'],
    [27, 'a98cf6f876faa686'],
    [39, '0b947cd51308fecc'],
    [46, '034131ea6738abee'],
    [53, 'eb13f800d667b5fe'],
  ])('draws week %i as it always has', (week, expected) => {
    expect(hash(coverArt({ week })).slice(0, 16)).toBe(expected);
  });

  it('draws every week in every variant as it always has', () => {
    const all = everyWeek.flatMap((week) =>
      variants.map((_, variant) => coverArt({ week, variant })),
    );
    expect(hash(all.join(''))).toBe(
      'f6f64f7ead38fcef0379e3bc9595e728350486de5e1e80be205bc2da6f9ccd49',
    );
  });

  it('draws another sleeve in the same hue for another seed', () => {
    const sleeves = Array.from({ length: 12 }, (_, seed) => coverArt({ week: 46, seed }));
    expect(new Set(sleeves).size).toBe(12);
    const { signal, h } = weekColor(46);
    for (const sleeve of sleeves) expect(sleeve).toContain(oklchToHex(signal.l, signal.c, h));
  });

  it.each([
    '"><script>alert(1)</script>',
    `' onload='alert(1)`,
    '&lt;b&gt; & co',
    '\u0000\u0008broken\ud800',
  ])('keeps the title %j inside its attribute', (title) => {
    const sleeve = coverArt({ week: 7, title });
    const label = /aria-label="([^"]*)"/.exec(sleeve)?.[1] ?? '';
    expect(label).toMatch(/, week 7$/);
    // eslint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(label).not.toMatch(/[<>&"\u0000-\u001f]/);
    expect(label.isWellFormed()).toBe(true);
    expect(sleeve.replace(label, 'week 7')).toBe(coverArt({ week: 7 }));
  });

  it('is labelled with its title and week', () => {
    expect(coverArt({ week: 7, title: 'Salt' })).toContain('aria-label="Salt, week 7"');
    expect(coverArt({ week: 7, size: 96 })).toContain('width="96" height="96"');
  });
});

describe('weekHue', () => {
  it('follows the southern seasons', () => {
    expect(weekHue(52)).toBeCloseTo(60);
    expect(weekHue(13)).toBeCloseTo(330);
    expect(weekHue(26)).toBeCloseTo(240);
    expect(weekHue(39)).toBeCloseTo(150);
  });

  it('gives week 53 the hue of week 1, and draws another sleeve for it', () => {
    expect(weekHue(53)).toBeCloseTo(weekHue(1));
    expect(coverArt({ week: 53 })).not.toBe(coverArt({ week: 1 }));
  });
});
