import { expect, it } from 'vitest';
import { packAnswer, unpackAnswer } from './page-answers.ts';

const peaks = Array.from({ length: 101 }, (_, i) => Number((i / 100).toFixed(2)));

it('peaks come with a page as text, and are the same afterwards', () => {
  const packed = packAnswer({ peaks });
  expect(JSON.stringify(packed)).toHaveLength('{"peaks":""}'.length + peaks.length);
  expect(JSON.stringify(packed)).not.toContain('<');
  expect(unpackAnswer(packed)).toEqual({ peaks });
});

it('other answers stay as they are', () => {
  for (const data of [null, 'peaks', [1, 2], { items: [{ peak: 1 }] }]) {
    expect(packAnswer(data)).toBe(data);
    expect(unpackAnswer(data)).toBe(data);
  }
});
