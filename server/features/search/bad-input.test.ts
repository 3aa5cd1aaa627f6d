/** @module-tag both-databases */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorBody } from '#contract/errors.ts';
import type { SearchPage } from '#contract/search.ts';
import { addTrack } from '../../testing/search-catalogue.ts';
import { createTestApp, type TestApp } from '../../testing/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  await addTrack(test, { title: 'Golden Hour' });
});
afterAll(() => test.close());

const PATHS = ['/api/tracks/search', '/api/tracks/suggest'];
const ask = (path: string, query: string) => test.app.inject({ url: `${path}?${query}` });
const encode = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');

async function readRefusal(path: string, query: string) {
  const response = await ask(path, query);
  return { status: response.statusCode, code: ErrorBody.parse(response.json()).code };
}
const REFUSED = { status: 400, code: 'validation_failed' };

describe('a query', () => {
  const odd = [
    '"',
    "'",
    '"golden" OR "',
    'golden AND',
    'AND OR NOT',
    'NEAR(golden hour, 2)',
    'NEAR(',
    'golden*',
    '*',
    'tokens:golden',
    '{tokens}: golden',
    '^golden',
    'golden & | ! <-> (',
    ':*:A',
    "'; drop table tracks; --",
    '% _ \\',
    '🎧🔥',
    '🎧 golden',
    '\u200f\u202e',
    '-',
    'the of and',
    '1'.repeat(200),
    'é'.repeat(100),
    `${'a '.repeat(99)}b`,
    '\u{1D400}\u{10FFFF}',
    'ﷺ'.repeat(100),
  ];
  it.each(odd)('can contain any characters: %j', async (q) => {
    for (const path of PATHS) {
      const response = await ask(path, `q=${encodeURIComponent(q)}`);
      expect(response.statusCode).toBe(200);
    }
  });

  it.each(['"golden"', 'golden*', '^golden', '🎧 golden', "golden'; --", '(golden)', '+golden -'])(
    'ignores punctuation around words: %s',
    async (q) => {
      const response = await ask('/api/tracks/search', `q=${encodeURIComponent(q)}`);
      expect(response.json<SearchPage>().items.map(({ title }) => title)).toEqual(['Golden Hour']);
    },
  );

  it.each([
    ['nothing', 'q='],
    ['spaces', 'q=%20%20%09'],
    ['ten thousand letters', `q=${'x'.repeat(10_000)}`],
    ['a NUL', 'q=gol%00den'],
    ['two queries', 'q=a&q=b'],
    ['none', ''],
    ['an unknown field', 'q=a&sort=best'],
  ])('is rejected when it is invalid: %s', async (_name, query) => {
    for (const path of PATHS) expect(await readRefusal(path, query)).toEqual(REFUSED);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1.5'])(
    'is rejected with an invalid limit: %s',
    async (query) => {
      expect(await readRefusal('/api/tracks/search', `q=a&${query}`)).toEqual(REFUSED);
    },
  );
});

describe('a forged cursor', () => {
  it.each([
    ['letters', 'x'],
    ['no list', encode(null)],
    ['a short list', encode([0, 0])],
    ['an attempt there never was', encode([4, 0, 0])],
    ['a tier there never is', encode([0, 99, 0])],
    ['a fraction', encode([0, 0, 0.5])],
    ['a text for a number', encode([0, 0, '0 or 1=1'])],
    ['a number too large', encode([0, 0, 2 ** 60])],
  ])('is rejected: %s', async (_name, cursor) => {
    const refusal = await readRefusal('/api/tracks/search', `q=golden&cursor=${cursor}`);
    expect(refusal).toEqual(REFUSED);
  });

  it('shows nothing outside the list', async () => {
    for (const position of [
      [0, 0, 1],
      [0, 9, Number.MIN_SAFE_INTEGER],
    ]) {
      const response = await ask('/api/tracks/search', `q=golden&cursor=${encode(position)}`);
      expect(response.statusCode).toBe(200);
      const { items } = response.json<SearchPage>();
      expect(items.every(({ title }) => title === 'Golden Hour')).toBe(true);
    }
  });
});
