import { z } from 'zod';
import { ArtistName } from './artists/artists.ts';
import { PageQuery } from './paging.ts';
import { defineRoutes } from './route.ts';
import { Chapter, Track } from './tracks.ts';

const MAX_SEARCH_LENGTH = 200;

const SearchText = z
  .string()
  .trim()
  .min(1, 'Enter something to search for.')
  .max(MAX_SEARCH_LENGTH, `Use at most ${MAX_SEARCH_LENGTH} characters.`);

/** The words to highlight in the results. */
const Terms = z.array(z.object({ word: z.string(), isPrefix: z.boolean() }));

/** A track, and the chapter that matches, if any. */
export const SearchResult = Track.extend({ chapter: Chapter.nullable() });
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchPage = z.object({
  items: z.array(SearchResult),
  /** Artists with such a name; left out if there are none, and on later pages. */
  artists: z.array(ArtistName).optional(),
  nextCursor: z.string().nullable(),
  terms: Terms,
  /** The query that these items match, when nothing matches what was typed. */
  correctedQuery: z.string().nullable(),
  /** A likelier query, when there are few results. */
  suggestedQuery: z.string().nullable(),
  /** Only when there are no results. */
  popularGenres: z.array(z.string()),
});
export type SearchPage = z.infer<typeof SearchPage>;

export const Suggestions = z.object({
  tracks: z.array(
    SearchResult.pick({
      id: true,
      title: true,
      artists: true,
      year: true,
      weekNumber: true,
      genre: true,
      bpm: true,
      series: true,
      coverUrl: true,
      chapter: true,
    }),
  ),
  weeks: z.array(z.object({ year: z.int(), week: z.int() })),
  genres: z.array(z.string()),
  /** Left out if there are none. */
  artists: z.array(ArtistName).optional(),
  terms: Terms,
  correctedQuery: z.string().nullable(),
});
export type Suggestions = z.infer<typeof Suggestions>;

export const searchRoutes = defineRoutes({
  'GET /api/tracks/search': {
    summary:
      'Tracks by title, artist, week, genre, BPM, tracklist and description; an exact week first.',
    query: PageQuery.extend({ q: SearchText }),
    response: SearchPage,
  },
  'GET /api/tracks/suggest': {
    summary: 'A few tracks, weeks, genres and artists while typing.',
    query: z.strictObject({ q: SearchText }),
    response: Suggestions,
  },
});
