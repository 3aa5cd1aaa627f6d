import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankCandidates } from './corrections.ts';
import {
  allowedTypos,
  countTypos,
  countTyposSoFar,
  listLookupKeys,
  listStemKeys,
  listStems,
} from './typos.ts';

const letter = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'é');
const slip = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'replace', 'swap'),
  at: fc.nat(20),
  letter,
});
type Slip = typeof slip extends fc.Arbitrary<infer S> ? S : never;

function makeSlip(word: string, { kind, at, letter: other }: Slip): string {
  const letters = [...word];
  const i = at % letters.length;
  if (kind === 'insert') return letters.toSpliced(i, 0, other).join('');
  if (kind === 'delete') return letters.toSpliced(i, 1).join('');
  if (kind === 'replace') return letters.toSpliced(i, 1, other).join('');
  return letters.toSpliced(i, 2, ...letters.slice(i, i + 2).toReversed()).join('');
}

describe('typos', () => {
  it.each([
    ['house', 'house', 0],
    ['huose', 'house', 1],
    ['hose', 'house', 1],
    ['housse', 'house', 1],
    ['mouse', 'house', 1],
    ['amapino', 'amapiano', 1],
    ['', 'abc', 3],
  ])('are counted: %s for %s', (typed, word, typos) => {
    expect(countTypos(typed, word)).toBe(typos);
  });

  it('are counted in an unfinished word', () => {
    expect(countTyposSoFar('amapn', 'amapiano')).toBe(1);
    expect(countTyposSoFar('depe', 'deepfield')).toBe(1);
  });

  it('lead to the intended word by a shared deletion', () => {
    const word = fc.array(letter, { minLength: 3, maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(word, fc.array(slip, { minLength: 1, maxLength: 2 }), (meant, slips) => {
        const typed = slips.reduce((text, one) => (text ? makeSlip(text, one) : text), meant);
        fc.pre(countTypos(typed, meant) <= allowedTypos([...typed].length));
        const keys = new Set(listStems(meant).flatMap(listStemKeys));
        expect(listLookupKeys(typed).some((key) => keys.has(key))).toBe(true);
      }),
    );
  });

  it('rank the nearest word first, then the same first letter, then the most common', () => {
    const typed = { word: 'hause', isLast: false };
    const words = ['cause', 'house', 'hauser', 'pause', 'horse'].map((word, i) => ({
      word,
      docs: 10 - i,
    }));
    expect(rankCandidates(typed, words)).toEqual(['house', 'hauser', 'cause', 'pause']);
  });
});
