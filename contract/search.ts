import { z } from 'zod';
import { PageQuery } from './paging.ts';
import { defineRoutes } from './route.ts';
import { Chapter, Track } from './tracks.ts';

export const MAX_SEARCH_LENGTH = 200;

/** A search needs a non-empty trimmed query. */
const SearchText = z
  .string()
  .trim()
  .min(1, 'Enter what you are looking for.')
  .max(MAX_SEARCH_LENGTH, `Search for at most ${MAX_SEARCH_LENGTH} characters.`);

/** What was looked for in the end, so that a page can mark it. */
const Terms = z.array(z.object({ word: z.string(), isPrefix: z.boolean() }));

/** A track, and the chapter of its tracklist that was meant, where one was. */
export const SearchResult = Track.extend({ chapter: Chapter.nullable() });
export type SearchResult = z.infer<typeof SearchResult>;

export const SearchPage = z.object({
  items: z.array(SearchResult),
  nextCursor: z.string().nullable(),
  terms: Terms,
  /** What the items answer instead, when nothing answers what was typed. */
  correctedQuery: z.string().nullable(),
  /** What was probably meant, when little answers what was typed. */
  suggestedQuery: z.string().nullable(),
  /** Without any item: genres that many mixes have. */
  popularGenres: z.array(z.string()),
});
export type SearchPage = z.infer<typeof SearchPage>;

export const Suggestions = z.object({
  tracks: z.array(
    SearchResult.pick({
      id: true,
      title: true,
      year: true,
      weekNumber: true,
      genre: true,
      coverUrl: true,
      chapter: true,
    }),
  ),
  weeks: z.array(z.object({ year: z.int(), week: z.int() })),
  genres: z.array(z.string()),
  terms: Terms,
  correctedQuery: z.string().nullable(),
});
export type Suggestions = z.infer<typeof Suggestions>;

export const searchRoutes = defineRoutes({
  'GET /api/tracks/search': {
    summary: 'Tracks by title, week, genre, tracklist and description; the exact week first.',
    query: PageQuery.extend({ q: SearchText }),
    response: SearchPage,
  },
  'GET /api/tracks/suggest': {
    summary: 'A few tracks, weeks and genres for what is being typed.',
    query: z.strictObject({ q: SearchText }),
    response: Suggestions,
  },
});
