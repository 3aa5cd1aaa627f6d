import { describe, expect, it } from 'vitest';
import { foldWord, readCompounds, readWords } from './search-words.ts';

const words = (text: string) => readWords(text).map(({ word }) => word);

describe('the words of a text', () => {
  it.each([
    ['Golden Hour', ['golden', 'hour']],
    ['  Café—DÉJÀ Vu! ', ['cafe', 'deja', 'vu']],
    ["Don’t don't", ['dont', 'dont']],
    ['Lo-Fi, drum & bass', ['lo', 'fi', 'drum', 'and', 'bass']],
    ['Bjørn Łódź Straße Ǻ İ', ['bjorn', 'lodz', 'strasse', 'a', 'i']],
    ['2026-W12 №5 ①', ['2026', 'w12', '5', '1']],
    ['Подъезд 東京', ['подъезд', '東京']],
    ['🎧 *:"()', []],
    ['e\u0301te\u0301', ['ete']],
  ])('are the same however they are written: %s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('have their offsets', () => {
    expect(readWords('A Café')).toEqual([
      { word: 'a', start: 0, end: 1 },
      { word: 'cafe', start: 2, end: 6 },
    ]);
  });

  it('have a maximum length', () => {
    expect(foldWord('x'.repeat(1000))).toHaveLength(32);
  });

  it('joined by a hyphen are also one word', () => {
    expect(readCompounds('Lo-Fi House, R.E.M. - Live')).toEqual(['lofi', 're', 'em']);
  });
});
