import { z } from 'zod';
import { PageQuery, pageOf } from './paging.ts';
import { defineRoutes } from './route.ts';
import { Track } from './tracks.ts';

/** Whom a letter goes to. Staff get only those to everyone. */
export const LETTER_AUDIENCES = ['everyone', 'premium', 'free', 'lapsed'] as const;
export type LetterAudience = (typeof LETTER_AUDIENCES)[number];

/** Who reads a letter on the site, once it is out. */
export const LETTER_PAGES = ['none', 'members', 'everyone'] as const;
export type LetterPage = (typeof LETTER_PAGES)[number];

/** What feed readers load: the letters that everyone may read. */
export const LETTER_FEED_PATH = '/letters/feed.xml';

export const letterPath = (id: string): string => `/letters/${id}`;

export const LetterPicture = z.object({
  path: z.string(),
  smallPath: z.string(),
  width: z.int(),
  height: z.int(),
  /** What can be seen on it. */
  text: z.string(),
});

const LetterSummary = z.object({ id: z.string(), subject: z.string(), at: z.int() });
export type LetterSummary = z.infer<typeof LetterSummary>;

export const Letter = LetterSummary.extend({
  /** Safe to insert: only headings, text, lists and links. */
  html: z.string(),
  picture: LetterPicture.nullable(),
  /** If the reader may see it. */
  track: Track.nullable(),
});
export type Letter = z.infer<typeof Letter>;

export const letterRoutes = defineRoutes({
  'GET /api/letters': {
    summary: 'The letters that you may read on the site, newest first.',
    query: PageQuery,
    response: pageOf(LetterSummary),
  },
  'GET /api/letters/:id': {
    summary: 'A letter. One for members needs a login.',
    params: z.object({ id: z.string().max(64) }),
    response: Letter,
    errors: ['unauthenticated', 'not_found'],
  },
});
