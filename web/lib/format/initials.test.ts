import fc from 'fast-check';
import { expect, it } from 'vitest';
import { initials } from './initials.ts';

it.each([
  ['thandi.nkosi', 'TN'],
  ['free', 'FR'],
  ['dj_black_coffee', 'DB'],
  ['a-b-c', 'AB'],
  ['7eleven', '7E'],
  ['Ünal', 'ÜN'],
  ['x', 'X'],
  ['日本語', '日本'],
  ['...', ''],
  ['', ''],
])('%j has the initials %s', (username, letters) => {
  expect(initials(username)).toBe(letters);
});

it('are at most two letters, all from the name', () => {
  const letters = 'abcxyzABC019äé'.split('');
  const word = fc.array(fc.constantFrom(...letters), { minLength: 1 }).map((l) => l.join(''));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const found = [...initials(words.join('.'))];
      expect(found.length).toBeLessThanOrEqual(2);
      for (const letter of found) expect(words.join('').toLocaleUpperCase('en')).toContain(letter);
    }),
  );
});
