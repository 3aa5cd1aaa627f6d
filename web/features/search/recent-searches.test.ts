import { describe, expect, it } from 'vitest';
import { addRecentSearch, parseRecentSearches } from './recent-searches.ts';

describe('recent searches', () => {
  it('are newest first, without duplicates, at most eight', () => {
    expect(addRecentSearch(['amapiano', 'Week 12'], 'week 12')).toEqual(['week 12', 'amapiano']);
    const many = Array.from({ length: 12 }, (_, i) => `q${i}`).reduce(
      addRecentSearch,
      [] as string[],
    );
    expect(many).toEqual(['q11', 'q10', 'q9', 'q8', 'q7', 'q6', 'q5', 'q4']);
  });

  it.each([
    [null, []],
    ['', []],
    ['{"a":1}', []],
    ['[1,"gqom",null,"",["x"]]', ['gqom']],
    [JSON.stringify(['x'.repeat(201), 'ok']), ['ok']],
  ])('ignore invalid stored values: %s', (stored, expected) => {
    expect(parseRecentSearches(stored)).toEqual(expected);
  });
});
