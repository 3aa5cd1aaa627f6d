import { describe, expect, it } from 'vitest';
import { cleanMomentText, countCharacters, findForbiddenWord, hasVisibleText } from './moments.ts';

describe('the text of a moment', () => {
  it.each([
    ['this blend!', 'this blend!'],
    ['  this \t\n blend!  ', 'this blend!'],
    ['two\u2028lines', 'two lines'],
    ['a \u0007 b', 'a b'],
    ['\u202eevil\u202c', 'evil'],
    ['\u2066left\u2069\u200e\u200f\u061c', 'left'],
    ['zero\u200bwidth\ufeff', 'zerowidth'],
    ['lone \ud800 half', 'lone half'],
    ['\u3164\u2800', ''],
    ['<b>bold</b> & co', '<b>bold</b> & co'],
    ['👩🏽‍🎤 yebo', '👩🏽‍🎤 yebo'],
    ['e\u0301', 'é'],
    [`Z${'\u0335'.repeat(40)}`, `Z${'\u0335'.repeat(4)}`],
  ])('of %j is %j', (typed, stored) => {
    expect(cleanMomentText(typed)).toBe(stored);
  });

  it('stays as it is when it is cleaned again', () => {
    for (const text of ['a \u200b b', ' \u202e \u0300', 'x\u0000 \u0000 y'])
      expect(cleanMomentText(cleanMomentText(text))).toBe(cleanMomentText(text));
  });

  it('is counted in characters, and joiners alone are no text', () => {
    expect(countCharacters('🎚️🎛️')).toBe(4);
    expect(countCharacters('yebo')).toBe(4);
    expect(hasVisibleText('\u200d\u0301')).toBe(false);
    expect(hasVisibleText('🔥')).toBe(true);
  });
});

describe('a forbidden word', () => {
  const setting = 'voetsek\n  Bad Apple \n\n!!!\nkak';
  it.each([
    ['VOETSEK, man', 'voetsek'],
    ['vóëtsék', 'voetsek'],
    ['ｖｏｅｔｓｅｋ', 'voetsek'],
    ['voet\u00adsek', 'voetsek'],
    ['what a bad   apple!', 'Bad Apple'],
    ['a bad-apple', 'Bad Apple'],
    ['kak', 'kak'],
  ])('is found in %j', (text, word) => {
    expect(findForbiddenWord(text, setting)).toBe(word);
  });

  it.each(['voetseks', 'kakistocracy', 'this blend!', 'bad pineapple', '!!!', ''])(
    'is not found in %j',
    (text) => {
      expect(findForbiddenWord(text, setting)).toBe(null);
    },
  );

  it('is none without a list', () => {
    expect(findForbiddenWord('anything', '\n \n')).toBe(null);
  });
});
