import { expect, it } from 'vitest';
import { YEAR_SHAPES, type YearShape } from '#contract/art/card-shapes.ts';
import { DEFAULT_LOOK } from '#contract/look.ts';
import { weeksInYear } from '#contract/rules/weeks.ts';
import { breakLines } from './card-parts.ts';
import { cardLookOf } from './card-pictures.ts';
import { drawArtistCard, drawSiteCard, drawTrackCard } from './draw-card.ts';
import { drawTrackPoster, drawWeekPoster } from './draw-poster.ts';
import { drawYear, placeSleeves, type CardYear } from './draw-year.ts';
import { measure } from './letters.ts';

const look = cardLookOf({ ...DEFAULT_LOOK, siteName: 'Weekender' });

const artistOf = (name: string) => ({
  id: name,
  name,
  newest: { id: name.length > 20 ? name : 'mix', week: 46 },
  weeks: [46],
});

const yearOf = (year: number, mixesOfWeek = 1): CardYear => {
  const weeks = Array.from({ length: weeksInYear(year) }, (_, i) => i + 1);
  return {
    year,
    title: 'Thandi’s year',
    note: 'mixes.example',
    sleeves: weeks.flatMap((week) =>
      Array.from({ length: mixesOfWeek }, (_, i) => ({
        id: `${week}-${i}"/><script>`,
        week,
        coverKey: null,
      })),
    ),
    bars: weeks.map((week) => ({ week, state: 'finished', height: 1 })),
    facts: [{ value: 'Week 9', text: '深夜, played twice', week: 9 }],
  };
};

it.each([
  [2025, 1],
  [2026, 1],
  [2026, 2],
  [2026, 3],
  [2026, 4],
])(
  'the sleeves of %d, %d a week, fill squares on the picture that touch no other',
  (year, count) => {
    for (const shape of Object.keys(YEAR_SHAPES) as YearShape[]) {
      const { width, height } = YEAR_SHAPES[shape];
      const tiles = placeSleeves(shape, yearOf(year, count)).map(({ tile }) => tile);
      expect(tiles).toHaveLength(weeksInYear(year) * count);
      for (const [index, a] of tiles.entries()) {
        expect(Object.values(a).every(Number.isInteger)).toBe(true);
        expect(a.left).toBeGreaterThan(0);
        expect(a.left + a.width).toBeLessThan(width);
        expect(a.top + a.height).toBeLessThan(height);
        const overlaps = (b: typeof a) =>
          a.left < b.left + b.width &&
          b.left < a.left + a.width &&
          a.top < b.top + b.height &&
          b.top < a.top + a.height;
        expect(tiles.slice(index + 1).some(overlaps)).toBe(false);
      }
    }
  },
);

it('what can’t be drawn of a year’s facts and name stays off its picture', () => {
  const draw = (change: Partial<CardYear>) =>
    drawYear('square', { ...yearOf(2026), ...change }, look, new Set());
  expect(draw({ title: '深夜’s year' })).toBe(draw({ title: 'My year' }));
  const text = (words: string) => ({ facts: [{ value: 'Week 9', text: words }] });
  expect(draw(text('深夜, played twice'))).toBe(draw(text('played twice')));
});

it('a title is broken into lines that fit, and cut if it is too long', () => {
  const size = { width: 474, capHeight: 34, maxLines: 3 };
  const long = 'Recorded through a power cut on one battery and two borrowed speakers';
  for (const title of [long, `${long} ${long}`, 'W'.repeat(200), '']) {
    const { lines, isWhole } = breakLines(title, size);
    expect(lines.length).toBeLessThanOrEqual(3);
    for (const line of lines) expect(measure(line, size)).toBeLessThanOrEqual(474);
    if (isWhole) expect(lines.join(' ')).toBe(title);
    else expect(lines.at(-1)).toMatch(/…$/);
  }
});

it('nothing in a title or a name becomes part of the drawing', () => {
  const evil = '"/><script>alert(1)</script><image href="file:///etc/passwd"/>';
  const named = { ...look, siteName: evil, headline: evil };
  const track = { id: '"/><script>', title: evil, year: 2026, week: 46 };
  for (const drawing of [
    drawTrackCard(track, named, false),
    drawSiteCard(named),
    drawTrackPoster('story', track, named, false),
    drawWeekPoster('square', { year: 2026, week: 46, titles: [evil] }, named),
    drawArtistCard(artistOf(evil), named, false),
    drawYear('poster', { ...yearOf(2026), title: evil, note: evil }, named, new Set()),
  ]) {
    expect(drawing).not.toContain('script');
    expect(drawing).not.toContain('<image');
  }
});

it('the card of an artist has their name and the weeks of their mixes', () => {
  const draw = (name: string, weeks = [46]) =>
    drawArtistCard({ ...artistOf(name), weeks }, look, false);
  expect(draw('Zola')).not.toBe(draw('Thando'));
  expect(draw('Zola', [46, 12])).not.toBe(draw('Zola'));
  expect(draw('Дорога')).toBe(draw('深夜 🎧'));
});

it('a title in another script stays off the card', () => {
  const draw = (title: string) =>
    drawTrackCard({ id: 'x', title, year: 2026, week: 46 }, look, false);
  expect(draw('Дорога домой')).toBe(draw('深夜 🎧'));
  expect(draw('Ngiyabonga, Ünderground Köln')).not.toBe(draw('Дорога домой'));
});

it('the picture of a week names three of its mixes and says how many more there are', () => {
  const draw = (titles: string[]) =>
    drawWeekPoster('square', { year: 2026, week: 46, titles }, look);
  expect(draw(['a', 'b', 'c', 'd', 'e'])).toBe(draw(['a', 'b', 'c', 'x', 'y']));
  expect(draw(['a', 'b', 'c', 'd'])).not.toBe(draw(['a', 'b', 'c']));
  expect(draw(['a', '深夜 🎧'])).toBe(draw(['a']));
});
