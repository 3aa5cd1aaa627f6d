import { z } from 'zod';
import { YEAR_SHAPES, type YearShape } from './art/card-shapes.ts';
import { defineRoutes } from './route.ts';

/** A mix in the grid of a year. */
const YearTrackView = z.object({
  id: z.string(),
  title: z.string(),
  week: z.int(),
  coverUrl: z.string().nullable(),
  /** Its sleeve is shown; the numeral of its week otherwise. */
  isHeard: z.boolean(),
});
export type YearTrackView = z.infer<typeof YearTrackView>;

const YearBar = z.object({
  week: z.int(),
  state: z.enum(['finished', 'started', 'unplayed', 'none', 'coming']),
  height: z.number().optional(),
  share: z.number().optional(),
});

const YearFact = z.object({ value: z.string(), text: z.string(), week: z.int().optional() });

export const YearView = z.object({
  year: z.int(),
  /** Years with a mix, newest first. */
  years: z.array(z.int()),
  tracks: z.array(YearTrackView),
  /** One for each week. */
  bars: z.array(YearBar),
  facts: z.array(YearFact),
  /** Who it is about: a member, or the site. */
  title: z.string(),
});
export type YearView = z.infer<typeof YearView>;

/** The public picture of a year; null while it isn't shared. */
export const YearShare = z.object({ token: z.string(), hasName: z.boolean() }).nullable();
export type YearShare = z.infer<typeof YearShare>;

const Year = z.object({ year: z.coerce.number().int().min(1000).max(9999) });
const PictureQuery = z.object({
  shape: z.enum(Object.keys(YEAR_SHAPES) as YearShape[]).default('poster'),
});

export const yearRoutes = defineRoutes({
  'GET /api/years/:year': {
    summary:
      'The year of the member: its mixes, what they heard of them, and their shared picture.',
    params: Year,
    response: YearView.extend({ share: YearShare }),
    errors: ['unauthenticated', 'not_found'],
  },
  'GET /api/years/:year/picture': {
    summary: 'The year of the member as a picture for them to save.',
    params: Year,
    query: PictureQuery,
    response: 'file',
    errors: ['unauthenticated', 'not_found', 'rate_limited'],
  },
  'PUT /api/years/:year/share': {
    summary: 'Give the picture of the year a public address, or change whether it shows the name.',
    params: Year,
    body: z.strictObject({ hasName: z.boolean() }),
    response: YearShare.unwrap(),
    errors: ['unauthenticated', 'not_found'],
  },
  'DELETE /api/years/:year/share': {
    summary: 'Turn the public picture off immediately; sharing again creates a new address.',
    params: Year,
    errors: ['unauthenticated'],
  },
  'GET /api/admin/years/:year': {
    summary: 'The year of the site: all its mixes, and how much they were heard.',
    params: Year,
    response: YearView,
    errors: ['not_found'],
  },
  'GET /api/admin/years/:year/picture': {
    summary: 'The year of the site as a picture.',
    params: Year,
    query: PictureQuery,
    response: 'file',
    errors: ['not_found', 'rate_limited'],
  },
});
