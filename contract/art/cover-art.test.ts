import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverArt, drawSleeveFile } from './cover-art.ts';
import { DEFAULT_SLEEVE_STYLE as style, SLEEVE_FAMILIES } from './sleeve-style.ts';
import { families, variants } from './cover-drawings.ts';
import { findSleeveSeed, MAX_ON_SHEET, sleeveName, sleevePath } from './sleeve-names.ts';
import { HEMISPHERES, oklchToHex, weekColor, weekHue } from '../rules/week-colour.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const everyWeek = Array.from({ length: 53 }, (_, i) => i + 1);

/** The grounds of a week: its signal colour, and a dark, a middle and a light tone of the same hue. */
function groundsOf(week: number): string[] {
  const { signal } = weekColor(week, 'south');
  const tones = [[signal.l, signal.c] as const, [0.235, 0.06], [0.5, 0.15], [0.93, 0.05]] as const;
  return tones.map(([l, c]) => oklchToHex(l, c, weekHue(week, 'south')));
}
const groundOf = (sleeve: string) => /<rect [^>]*fill="(#[0-9a-f]{6})"/.exec(sleeve)?.[1];

describe('coverArt', () => {
  it.each([
    [1, '78705ce5ef8f9252'],
    [13, '0500aaab1c0a8057'],
    [26, 'f1576a18c847fdd8'],
    [27, 'c487e3514baaac5f'],
    [39, '0b947cd51308fecc'],
    [46, '034131ea6738abee'],
    [53, 'eb13f800d667b5fe'],
  ])('draws week %i as it always has', (week, expected) => {
    expect(hash(coverArt({ style, week })).slice(0, 16)).toBe(expected);
  });

  it('draws every week in every variant as it always has', () => {
    const all = everyWeek.flatMap((week) =>
      variants.map((_, variant) => coverArt({ style, week, variant })),
    );
    expect(hash(all.join(''))).toBe(
      '1b6bb6c8d4ea1af830a43de6a453c73043d1915c0bec48025a8489443cb1debd',
    );
  });

  it('draws every variant with few elements, because phones lay out each of them', () => {
    for (const [variant, name] of variants.entries())
      for (const week of everyWeek) {
        const count = coverArt({ style, week, variant }).match(/<[a-z]/g)?.length;
        expect(count, `${name} of week ${week}`).toBeLessThanOrEqual(21);
      }
  });

  it('draws another sleeve in the same hue for every track of a week', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 30 }), { minLength: 2 });
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 53 }), (trackIds, week) => {
        const sleeves = trackIds.map((trackId) => coverArt({ style, week, trackId }));
        expect(new Set(sleeves).size).toBe(trackIds.length);
        for (const sleeve of sleeves) expect(groundsOf(week)).toContain(groundOf(sleeve));
        expect(trackIds.map((trackId) => coverArt({ style, week, trackId }))).toEqual(sleeves);
      }),
    );
  });

  it('spreads the tracks of a week over all drawings', () => {
    const ids = Array.from({ length: 200 }, (_, n) => `01m7fh87g0d39fgqzr2m7z${n}`);
    const looks = new Set(ids.map((trackId) => findSleeveSeed(trackId) % 20));
    expect(looks.size).toBe(20);
  });

  it.each(SLEEVE_FAMILIES)('draws only what belongs to the family %s, and all of it', (family) => {
    const ids = Array.from({ length: 60 }, (_, n) => `track ${n}`);
    const drawn = new Set(
      ids.map((trackId) => coverArt({ style: { ...style, family }, week: 46, trackId })),
    );
    const possible = ids.flatMap((trackId) =>
      families[family].map((name) =>
        coverArt({ style, week: 46, trackId, variant: variants.indexOf(name) }),
      ),
    );
    expect(drawn.size).toBe(ids.length);
    expect([...drawn].filter((sleeve) => !possible.includes(sleeve))).toEqual([]);
  });

  it('gives every drawing to one family, besides the one with all', () => {
    const { all, ...others } = families;
    expect(Object.values(others).flat().toSorted()).toEqual(all.toSorted());
  });

  it('draws the sleeves of the north in the colours of the other half of the year', () => {
    const north = { ...style, hemisphere: 'north' as const };
    const colours = (sleeve: string) => new Set(sleeve.match(/#[0-9a-f]{6}/g));
    const sleeve = coverArt({ style: north, week: 30 });
    expect(sleeve).not.toBe(coverArt({ style, week: 30 }));
    // The same drawing, so only its colours differ.
    expect(sleeve.replaceAll(/#[0-9a-f]{6}/g, '')).toBe(
      coverArt({ style, week: 30 }).replaceAll(/#[0-9a-f]{6}/g, ''),
    );
    expect(colours(sleeve)).toContain(weekColor(4, 'south').hex);
  });

  it('draws the first mix of a week in the demo as the week itself', () => {
    expect(coverArt({ style, week: 46, trackId: 'demo-2026-w46-1' })).toBe(
      coverArt({ style, week: 46 }),
    );
    expect(coverArt({ style, week: 46, trackId: 'demo-2026-w46-9' })).not.toBe(
      coverArt({ style, week: 46 }),
    );
  });

  it.each([
    '"><script>alert(1)</script>',
    `' onload='alert(1)`,
    '&lt;b&gt; & co',
    '\u0000\u0008broken\ud800',
  ])('keeps the title %j inside its attribute', (title) => {
    const sleeve = coverArt({ style, week: 7, title });
    const label = /aria-label="([^"]*)"/.exec(sleeve)?.[1] ?? '';
    expect(label).toMatch(/, week 7$/);
    // eslint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(label).not.toMatch(/[<>&"\u0000-\u001f]/);
    expect(label.isWellFormed()).toBe(true);
    expect(sleeve.replace(label, 'week 7')).toBe(coverArt({ style, week: 7 }));
  });

  it('is labelled with its title and week', () => {
    expect(coverArt({ style, week: 7, title: 'Salt' })).toContain('aria-label="Salt, week 7"');
    expect(coverArt({ style, week: 7, size: 96 })).toContain('width="96" height="96"');
  });
});

describe('the file of a sleeve', () => {
  it('has an address from which the sleeve of any track can be drawn', () => {
    const ids = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.nat().map((n) => `demo-2026-w1-${n}`),
    );
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 53 }), (trackId, week) => {
        for (const family of SLEEVE_FAMILIES)
          for (const hemisphere of HEMISPHERES) {
            const own = { family, hemisphere };
            const path = sleevePath(sleeveName(own, week, trackId));
            expect(path).toMatch(/^\/media\/sleeves\/[rlp]?n?[\d-]+\.svg$/);
            expect(drawSleeveFile(path)).toBe(coverArt({ style: own, week, trackId }));
          }
      }),
    );
    expect(drawSleeveFile(sleevePath(sleeveName(style, 7)))).toBe(coverArt({ style, week: 7 }));
  });

  it.each([
    '/media/sleeves/0.svg',
    '/media/sleeves/54.svg',
    '/media/sleeves/046.svg',
    '/media/sleeves/46-0.svg',
    '/media/sleeves/46-01.svg',
    '/media/sleeves/46-4294967296.svg',
    '/media/sleeves/46-9999999999999999.svg',
    '/media/sleeves/46-1e9.svg',
    '/media/sleeves/46--1.svg',
    '/media/sleeves/46-1.svg/',
    '/media/sleeves/46_.svg',
    '/media/sleeves/x46.svg',
    '/media/sleeves/nr46.svg',
    '/media/sleeves/rl46.svg',
    '/media/sleeves/n.svg',
    '/media/sleeves/46_54.svg',
    '/media/sleeves/weeks.svg',
    `/media/sleeves/${Array.from({ length: 21 }, () => '46').join('_')}.svg`,
    '/media/sleeves/46-<script>.svg',
    '/media/sleeves/..%2f46.svg',
    '/media/sleeves/46.svg?x=1',
    '/media/sleeves/46.png',
    '46.svg',
    '',
  ])('is not drawn for %j', (path) => {
    expect(drawSleeveFile(path)).toBeUndefined();
  });

  it('can have several sleeves next to each other', () => {
    const names = Array.from({ length: MAX_ON_SHEET }, (_, i) =>
      sleeveName(style, i + 1, `track ${i}`),
    );
    const sheet = drawSleeveFile(sleevePath(...names)) ?? '';
    expect(sheet).toContain(`viewBox="0 0 ${MAX_ON_SHEET * 400} 400"`);
    const sleeves = sheet.split(/(?=<svg x=)/).slice(1);
    expect(sleeves).toHaveLength(MAX_ON_SHEET);
    for (const [i, sleeve] of sleeves.entries()) {
      const own = coverArt({ style, week: i + 1, trackId: `track ${i}` });
      expect(sleeve).toContain(own.replace('<svg ', `<svg x="${i * 400}" y="0" `));
    }
  });
});

describe('weekHue', () => {
  it('follows the seasons', () => {
    expect(weekHue(52, 'north')).toBeCloseTo(240);
    expect(weekHue(30, 'north')).toBeCloseTo(weekHue(4, 'south'));
    expect(weekHue(52, 'south')).toBeCloseTo(60);
    expect(weekHue(13, 'south')).toBeCloseTo(330);
    expect(weekHue(26, 'south')).toBeCloseTo(240);
    expect(weekHue(39, 'south')).toBeCloseTo(150);
  });

  it('gives week 53 the hue of week 1, and draws another sleeve for it', () => {
    expect(weekHue(53, 'south')).toBeCloseTo(weekHue(1, 'south'));
    expect(coverArt({ style, week: 53 })).not.toBe(coverArt({ style, week: 1 }));
  });
});
