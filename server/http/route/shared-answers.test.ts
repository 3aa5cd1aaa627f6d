import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEncoder, keepAnswers, type SharedAnswer } from './shared-answers.ts';

const answerOf = (length: number): SharedAnswer => ({
  ...createEncoder(z.string())(''),
  bytes: Buffer.alloc(length),
});

describe('answers that are kept for many', () => {
  it('stay within their limit, and the ones last asked for stay', () => {
    const answers = keepAnswers(20_000);
    answers.set('/a', answerOf(4000));
    answers.set('/b', answerOf(4000));
    answers.get('/a');
    answers.set('/c', answerOf(4000));
    expect(['/a', '/b', '/c'].filter((url) => answers.get(url))).toEqual(['/a', '/c']);
  });

  it('don’t include one that is too long for the limit', () => {
    const answers = keepAnswers(20_000);
    answers.set('/a', answerOf(20_000));
    expect(answers.get('/a')).toBeUndefined();
    answers.set('/b', answerOf(9000));
    expect(answers.get('/b')).toBeDefined();
  });

  it('count each URL once, however often it is kept', () => {
    const answers = keepAnswers(20_000);
    answers.set('/a', answerOf(4000));
    for (let count = 0; count < 10; count += 1) answers.set('/b', answerOf(4000));
    expect(answers.get('/a')).toBeDefined();
  });

  it('are bounded in number, because URLs take memory too', () => {
    const answers = keepAnswers(20_000);
    for (let count = 0; count < 100; count += 1) answers.set(`/${count}`, answerOf(0));
    const kept = Array.from({ length: 100 }, (_, count) => answers.get(`/${count}`));
    expect(kept.filter(Boolean).length).toBeLessThan(40);
  });
});

describe('an answer with a list', () => {
  const Item = z.object({ name: z.string(), isFavorite: z.boolean() });
  const encode = createEncoder(z.object({ week: z.string(), items: z.array(Item), more: z.int() }));
  // Letters of one, two, three and four bytes, and what only looks like the end of an item.
  const names = ['A', 'Björk', '“Night”', '"},{"items":[]}', '🎧', 'last'];
  const items = names.map((name) => ({ name, isFavorite: false, secret: 'x' }));
  const answer = { week: '“46”', items, more: 2, secret: 'x' };
  const expected = (favorites: readonly number[]) => ({
    week: '“46”',
    items: names.map((name, index) => ({ name, isFavorite: favorites.includes(index) })),
    more: 2,
  });
  const parse = ({ bytes }: { bytes: Buffer }): unknown => JSON.parse(bytes.toString());
  const favor = (favorites: readonly number[]) =>
    items.map((item, index) => (favorites.includes(index) ? { ...item, isFavorite: true } : item));

  it('has only the fields of its schema', () => {
    expect(parse(encode(answer))).toEqual(expected([]));
  });

  it.each([[[0]], [[5]], [[2, 3]], [[1, 4, 5]], [[0, 1, 2, 3, 4, 5]], [[]]])(
    'can have other items at %j, and is itself the same afterwards',
    (favorites) => {
      const shared = encode(answer);
      const before = shared.bytes.toString();
      for (const _ of [1, 2])
        expect(parse(shared.replaceItems(favor(favorites)))).toEqual(expected(favorites));
      expect(shared.bytes.toString()).toBe(before);
    },
  );

  it('can be empty, or nothing but its list', () => {
    expect(parse(encode({ ...answer, items: [] }))).toEqual({ ...expected([]), items: [] });
    const encodeList = createEncoder(z.object({ items: z.array(Item) }));
    const shared = encodeList(answer);
    expect(parse(shared)).toEqual({ items: expected([]).items });
    expect(parse(shared.replaceItems(favor([1])))).toEqual({ items: expected([1]).items });
  });

  it('is its only item if it has no list', () => {
    const shared = createEncoder(Item)(items[4]);
    expect(parse(shared)).toEqual(expected([]).items[4]);
    expect(parse(shared.replaceItems([{ ...items[4], isFavorite: true }]))).toEqual(
      expected([4]).items[4],
    );
  });
});
