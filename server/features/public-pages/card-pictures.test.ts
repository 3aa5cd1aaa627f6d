import { expect, it } from 'vitest';
import type { Storage } from '../../ports/storage/storage.ts';
import { createCardPictures, type Card } from './card-pictures.ts';
import { breakLines } from './card-parts.ts';
import { drawArtistCard, drawSiteCard, drawTrackCard } from './draw-card.ts';
import { drawTrackPoster, drawWeekPoster } from './draw-poster.ts';
import { measure } from './letters.ts';

const cardOf = (title: string): Card => ({
  kind: 'track',
  shape: 'wide',
  siteName: 'Weekender',
  track: { id: title, title, year: 2026, week: 46 },
  coverKey: null,
});

const artistOf = (name: string) => ({
  id: name,
  name,
  newest: { id: name.length > 20 ? name : 'mix', week: 46 },
  weeks: [46],
});

/** Pictures that finish when the test says so. */
function createSlowPictures(size = 10) {
  const finish: (() => void)[] = [];
  const pictures = createCardPictures({} as Storage, () => {
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    finish.push(() => resolve(Buffer.alloc(size)));
    return promise;
  });
  return { ...pictures, finish };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('a card is drawn once for all who ask for it, and then kept', async () => {
  const { find, draw, finish } = createSlowPictures();
  const both = [draw(cardOf('a')), draw(cardOf('a'))];
  await settle();
  expect(finish).toHaveLength(1);
  finish.shift()?.();
  await Promise.all(both);
  expect(find(cardOf('a'))).toBeDefined();
  expect(find(cardOf('b'))).toBeUndefined();
});

it('cards are drawn one after the other, and only a few wait', async () => {
  const { draw, finish } = createSlowPictures();
  const drawn = Array.from({ length: 8 }, (_, index) => draw(cardOf(`card ${index}`)));
  await settle();
  expect(finish).toHaveLength(1);
  expect(() => draw(cardOf('one too many'))).toThrow('isn’t responding right now');
  for (let index = 0; index < 8; index++) {
    finish[index]?.();
    await drawn[index];
    await settle();
  }
  const next = draw(cardOf('one too many'));
  await settle();
  finish[8]?.();
  await expect(next).resolves.toBeDefined();
});

it('the cards in memory have a limit', async () => {
  const { find, draw, finish } = createSlowPictures(1024 * 1024);
  for (const title of ['a', 'b', 'c', 'd', 'e']) {
    const picture = draw(cardOf(title));
    await settle();
    finish.shift()?.();
    await picture;
    find(cardOf('a'));
  }
  expect(['a', 'b', 'c', 'd', 'e'].filter((title) => find(cardOf(title)))).toEqual([
    'a',
    'c',
    'd',
    'e',
  ]);
});

it('a card that can’t be drawn is tried again', async () => {
  let isBroken = true;
  const { draw } = createCardPictures({} as Storage, async () => {
    if (isBroken) throw new Error('No memory.');
    return Buffer.alloc(1);
  });
  await expect(draw(cardOf('a'))).rejects.toThrow('No memory.');
  isBroken = false;
  await expect(draw(cardOf('a'))).resolves.toBeDefined();
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
  const track = { id: '"/><script>', title: evil, year: 2026, week: 46 };
  for (const drawing of [
    drawTrackCard(track, evil, false),
    drawSiteCard(evil),
    drawTrackPoster('story', track, evil, false),
    drawWeekPoster('square', { year: 2026, week: 46, titles: [evil] }, evil),
    drawArtistCard(artistOf(evil), evil, false),
  ]) {
    expect(drawing).not.toContain('script');
    expect(drawing).not.toContain('<image');
  }
});

it('the card of an artist has their name and the weeks of their mixes', () => {
  const draw = (name: string, weeks = [46]) =>
    drawArtistCard({ ...artistOf(name), weeks }, 'Weekender', false);
  expect(draw('Zola')).not.toBe(draw('Thando'));
  expect(draw('Zola', [46, 12])).not.toBe(draw('Zola'));
  expect(draw('Дорога')).toBe(draw('深夜 🎧'));
});

it('a title in another script stays off the card', () => {
  const draw = (title: string) =>
    drawTrackCard({ id: 'x', title, year: 2026, week: 46 }, 'Weekender', false);
  expect(draw('Дорога домой')).toBe(draw('深夜 🎧'));
  expect(draw('Ngiyabonga, Ünderground Köln')).not.toBe(draw('Дорога домой'));
});

it('the picture of a week names three of its mixes and says how many more there are', () => {
  const draw = (titles: string[]) =>
    drawWeekPoster('square', { year: 2026, week: 46, titles }, 'Weekender');
  expect(draw(['a', 'b', 'c', 'd', 'e'])).toBe(draw(['a', 'b', 'c', 'x', 'y']));
  expect(draw(['a', 'b', 'c', 'd'])).not.toBe(draw(['a', 'b', 'c']));
  expect(draw(['a', '深夜 🎧'])).toBe(draw(['a']));
});
