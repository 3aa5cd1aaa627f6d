import { describe, expect, it } from 'vitest';
import { splitByHits } from '#contract/rules/search-words.ts';
import { buildSnippet } from './snippet.ts';

const siren = [{ word: 'siren', isPrefix: false }];

describe('a snippet', () => {
  it('is the beginning, where that has what was found', () => {
    expect(buildSnippet('A siren\nfar  away.', siren)).toBe('A siren far away.');
  });

  it('begins at a word shortly before what was found, and says that there is more', () => {
    const text = `${'slow words '.repeat(20)}then a siren ${'and more '.repeat(30)}`;
    const snippet = buildSnippet(text, siren) ?? '';
    expect(snippet.startsWith('…')).toBe(true);
    expect(snippet.endsWith('…')).toBe(true);
    expect(snippet).toContain('then a siren');
    expect(snippet.length).toBeLessThan(170);
  });

  it('is none where nothing was found', () => {
    expect(buildSnippet('Log drums.', siren)).toBeNull();
  });
});

describe('what was found in a text', () => {
  it('is told apart without changing a letter of it', () => {
    const text = 'Café <b>Déjà</b> Vu & café';
    const terms = [
      { word: 'cafe', isPrefix: false },
      { word: 'dej', isPrefix: true },
    ];
    const pieces = splitByHits(text, terms);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.filter((piece) => piece.isHit).map((piece) => piece.text)).toEqual([
      'Café',
      'Déjà',
      'café',
    ]);
  });
});
