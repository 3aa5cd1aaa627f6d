import { describe, expect, it } from 'vitest';
import type { Suggestions } from '#contract/search.ts';
import { describeSuggestion, groupRecentSearches, groupSuggestions } from './suggestion-options.ts';

const suggestions: Suggestions = {
  tracks: [
    {
      id: 'relay',
      title: 'Relay Sessions',
      year: 2026,
      weekNumber: 25,
      genre: null,
      bpm: 120,
      coverUrl: null,
      chapter: { at: 312.8, title: 'Umlazi Siren', artist: 'Kasi Voltage' },
    },
  ],
  weeks: [{ year: 2025, week: 12 }],
  genres: ['Drum & Bass'],
  terms: [],
  correctedQuery: 'umlazi',
};

describe('suggestions', () => {
  it('link to tracks at their chapter, to weeks, genres and all results', () => {
    const groups = groupSuggestions('umlaxi', suggestions);
    expect(groups.map(({ title, options }) => [title, ...options.map(({ href }) => href)])).toEqual(
      [
        ['Weeks', '/search?q=week%2012%202025'],
        ['Mixes', '/track/relay?t=312'],
        ['Genres', '/search?q=Drum%20%26%20Bass'],
        ['Search', '/search?q=umlazi', '/search?q=umlaxi'],
      ],
    );
  });

  it.each([
    ['sir', 'In the tracklist: 5:12 Umlazi Siren, Kasi Voltage', {}],
    ['12', '120 BPM · Week 25, 2026 · Gqom', { chapter: null }],
    ['25', 'Week 25, 2026 · Gqom', { chapter: null }],
    ['rel', 'Week 25, 2026 · Gqom', { chapter: null }],
    ['sund', 'Slow Sundays · Week 25, 2026 · Gqom', { chapter: null, series: 'Slow Sundays' }],
  ])('say why “%s” finds a mix: %s', (word, text, change) => {
    const [track] = suggestions.tracks;
    if (!track) throw new Error('No track.');
    const found = { ...track, genre: 'Gqom', ...change };
    expect(describeSuggestion(found, [{ word, isPrefix: true }])).toBe(text);
  });

  it('offer the search itself before suggestions have loaded', () => {
    expect(groupSuggestions('gq', undefined)).toEqual([
      {
        title: 'Search',
        options: [
          {
            key: 'search:gq',
            kind: 'search',
            label: 'See all results for “gq”',
            href: '/search?q=gq',
          },
        ],
      },
    ]);
  });

  it('are empty without recent searches', () => {
    expect(groupRecentSearches([])).toEqual([]);
  });
});
