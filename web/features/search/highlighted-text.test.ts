import { describe, expect, it } from 'vitest';
import { splitByHits } from '#contract/rules/search-words.ts';
import { buildSnippet } from './highlighted-text.tsx';

const siren = [{ word: 'siren', isPrefix: false }];

describe('a snippet', () => {
  it('is the start of the text if the match is there', () => {
    expect(buildSnippet('A siren\nfar  away.', siren)).toBe('A siren far away.');
  });

  it('starts at a word shortly before the match, with an ellipsis', () => {
    const text = `${'slow words '.repeat(20)}then a siren ${'and more '.repeat(30)}`;
    const snippet = buildSnippet(text, siren) ?? '';
    expect(snippet.startsWith('…')).toBe(true);
    expect(snippet.endsWith('…')).toBe(true);
    expect(snippet).toContain('then a siren');
    expect(snippet.length).toBeLessThan(170);
  });

  it('is null without a match', () => {
    expect(buildSnippet('Log drums.', siren)).toBeNull();
  });
});

describe('the matches in a text', () => {
  it('are split out without changing the text', () => {
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
