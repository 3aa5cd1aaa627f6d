/** @module-tag both-databases */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchPage, Suggestions } from '#contract/search.ts';
import { addTrack, searchCatalogue } from '../../testing/search-catalogue.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  for (const entry of searchCatalogue) await addTrack(test, entry);
});
afterAll(() => test.close());

async function search(q: string): Promise<SearchPage> {
  const response = await test.app.inject({ url: '/api/tracks/search', query: { q } });
  expect(response.statusCode).toBe(200);
  return response.json<SearchPage>();
}
const titles = async (q: string) => (await search(q)).items.map(({ title }) => title);
async function suggest(q: string): Promise<Suggestions> {
  const response = await test.app.inject({ url: '/api/tracks/suggest', query: { q } });
  expect(response.statusCode).toBe(200);
  return response.json<Suggestions>();
}

describe('a week', () => {
  const inAnyYear = ['Night Bus to Soweto', 'Night Bus Back'];
  it.each(['week 12', 'Week 12', 'w12', 'wk 12', 'week12', 'W 12', 'wek 12', '12'])(
    'comes first, newest year first: %s',
    async (q) => {
      expect((await titles(q)).slice(0, 2)).toEqual(inAnyYear);
    },
  );

  it.each(['week 12 2025', '2025 week 12', '2025-W12', '12 2025'])(
    'comes first in the requested year: %s',
    async (q) => {
      expect((await titles(q))[0]).toBe('Night Bus Back');
      expect(await titles(q)).not.toContain('Night Bus to Soweto');
    },
  );

  it('ranks above a number in a title, which ranks above one in a description', async () => {
    expect(await titles('12')).toEqual([...inAnyYear, '12 Steps Down', 'Concrete Choir']);
  });

  it('combines with a word of the track', async () => {
    expect(await titles('week 12 soweto')).toEqual(['Night Bus to Soweto']);
    expect(await titles('kwaito 12')).toEqual(inAnyYear);
  });

  it('is an ordinary word when no year has it', async () => {
    expect((await search('week 99')).items).toEqual([]);
  });
});

describe('words', () => {
  it('rank higher in the order of a title', async () => {
    expect(await titles('golden hour')).toEqual([
      'Golden Hour Pressure',
      'Hour of the Golden Robots',
      'Slow Lift',
    ]);
  });

  it('rank highest as a whole title, then as whole words, then as beginnings', async () => {
    expect(await titles('gold')).toEqual([
      'Gold',
      'Golden Hour Pressure',
      'Hour of the Golden Robots',
      'Goldenrod',
      'Slow Lift',
    ]);
  });

  it('rank higher in a title than in a genre, and there than in a description', async () => {
    expect(await titles('house')).toEqual([
      'House of Mirrors',
      'Slow Lift',
      'Harbour Lights',
      'Lo-Fi Kitchen',
      'Café Déjà Vu',
      'Deep Field',
    ]);
  });

  it('find a genre by its beginning', async () => {
    expect((await titles('amap'))[0]).toBe('Golden Hour Pressure');
    expect(await titles('deep house')).toEqual(['Slow Lift', 'Harbour Lights', 'Deep Field']);
  });

  it('may match different fields', async () => {
    expect(await titles('mirrors afro')).toEqual(['House of Mirrors']);
    expect(await titles('soweto decks')).toEqual(['Night Bus to Soweto']);
  });

  it('need no accents, apostrophes or hyphens', async () => {
    expect(await titles('cafe deja')).toEqual(['Café Déjà Vu']);
    expect(await titles('CAFÉ DÉJÀ')).toEqual(['Café Déjà Vu']);
    expect(await titles('bjorn')).toEqual(['Café Déjà Vu']);
    expect(await titles('dont blink')).toEqual(["Don't Blink"]);
    expect(await titles('lofi')).toEqual(['Lo-Fi Kitchen']);
    expect(await titles('lo-fi kitchen')).toEqual(['Lo-Fi Kitchen']);
    expect(await titles('drum and bass')).toEqual(['Roll Over']);
    expect(await titles('москва')).toEqual(['Подъезд']);
  });

  it('are optional when they are common, unless there are no others', async () => {
    expect(await titles('the harbour lights mix')).toEqual(['Harbour Lights']);
    expect((await titles('the the'))[0]).toBe('The The');
    expect((await titles('of the')).length).toBeGreaterThan(0);
  });
});

describe('a tracklist', () => {
  it('is found by artist and title, with the chapter and its time', async () => {
    for (const q of ['umlazi siren', 'kasi voltage', 'kasi voltage umlazi']) {
      const { items } = await search(q);
      expect(items[0]?.title).toBe('Relay Sessions');
      expect(items[0]?.chapter).toEqual({ at: 312, artist: 'Kasi Voltage', title: 'Umlazi Siren' });
    }
  });

  it('is also found by a chapter whose time nobody has noted', async () => {
    const { items } = await search('noxolo isibani');
    expect(items[0]).toMatchObject({
      title: 'Relay Sessions',
      chapter: { at: null, artist: 'Noxolo K', title: 'Isibani' },
    });
  });

  it('ranks above a description with the same words', async () => {
    expect(await titles('umlazi siren')).toEqual(['Relay Sessions', 'Weather Report']);
  });

  it('names no chapter when the title matches', async () => {
    const { items } = await search('relay sessions');
    expect(items[0]).toMatchObject({ title: 'Relay Sessions', chapter: null });
  });
});

describe('a typo', () => {
  it.each([
    ['amapino', 'amapiano', 'Golden Hour Pressure'],
    ['ampaiano', 'amapiano', 'Golden Hour Pressure'],
    ['depe huose', 'deep house', 'Slow Lift'],
    ['golden huor', 'golden hour', 'Golden Hour Pressure'],
    ['umlaxi siren', 'umlazi siren', 'Relay Sessions'],
    ['harbor lihgts', 'harbour lights', 'Harbour Lights'],
    ['goldenhour', 'golden hour', 'Golden Hour Pressure'],
    ['week 12 sowetto', 'week 12 soweto', 'Night Bus to Soweto'],
  ])('is corrected: %s', async (q, correctedQuery, title) => {
    const page = await search(q);
    expect(page.correctedQuery).toBe(correctedQuery);
    expect(page.items[0]?.title).toBe(title);
  });

  it('is corrected in an unfinished word', async () => {
    expect(await suggest('amapn')).toMatchObject({
      correctedQuery: 'amapiano',
      genres: ['Amapiano'],
    });
  });

  it('leaves numbers and short words alone', async () => {
    expect(await search('1999')).toMatchObject({ items: [], correctedQuery: null });
    expect(await search('zq')).toMatchObject({ items: [], correctedQuery: null });
  });

  it('that is a word finds that word and suggests the likelier one', async () => {
    await addTrack(test, { title: 'Kelvim', week: 2, year: 2024 });
    const page = await search('kelvim');
    expect(page.items.map(({ title }) => title)).toEqual(['Kelvim']);
    expect(page).toMatchObject({ correctedQuery: null, suggestedQuery: 'kelvin' });
  });
});

describe('suggestions', () => {
  it('contain tracks, weeks and genres', async () => {
    const week = await suggest('week 12');
    expect(week.weeks).toEqual([
      { year: 2026, week: 12 },
      { year: 2025, week: 12 },
    ]);
    expect(week.tracks[0]).toMatchObject({ title: 'Night Bus to Soweto', weekNumber: 12 });
    const house = await suggest('hou');
    expect(house.genres.toSorted()).toEqual(['Afro House', 'Deep House', 'Lo-Fi House']);
    expect(house.weeks).toEqual([]);
  });

  it('contain the newest weeks as soon as “week” is typed', async () => {
    expect((await suggest('week')).weeks).toEqual([
      { year: 2026, week: 46 },
      { year: 2026, week: 44 },
      { year: 2026, week: 43 },
    ]);
  });

  it('contain the chapter', async () => {
    expect((await suggest('kasi v')).tracks[0]?.chapter).toMatchObject({ at: 312 });
  });

  it('are few, however many tracks match', async () => {
    expect((await suggest('k')).tracks).toHaveLength(5);
  });
});

it('returns the words to highlight', async () => {
  expect((await search('the Golden Hours')).terms).toEqual([
    { word: 'golden', isPrefix: false },
    { word: 'hour', isPrefix: true },
  ]);
});
