import { z } from 'zod';
import { PageQuery, pageOf } from './paging.ts';
import { defineRoutes } from './route.ts';
import {
  cleanMomentText,
  countCharacters,
  hasVisibleText,
  MAX_MOMENT_TEXT,
} from './rules/moments.ts';

/** Plain text: markup is shown as it was typed. */
const MomentText = z
  .string()
  .max(2000, `Use at most ${MAX_MOMENT_TEXT} characters.`)
  .overwrite(cleanMomentText)
  .refine(hasVisibleText, 'Write a line.')
  .refine(
    (text) => countCharacters(text) <= MAX_MOMENT_TEXT,
    `Use at most ${MAX_MOMENT_TEXT} characters.`,
  );

export const MomentLine = z.strictObject({ text: MomentText });

/** One line at a second of a track. */
export const Moment = z.object({
  id: z.string(),
  /** Whole seconds from the start of the full track. */
  at: z.int(),
  text: z.string(),
  username: z.string(),
  /** The viewer's own, with how long they can still change it, in milliseconds. */
  own: z.object({ editableMs: z.int(), isHidden: z.boolean() }).nullable(),
});
export type Moment = z.infer<typeof Moment>;

/** Why somebody can't leave a line: they have no access to the full track, or were banned. */
const Obstacle = z.enum(['premium', 'banned']);
export type MomentObstacle = z.infer<typeof Obstacle>;

const OwnMoment = z.object({
  id: z.string(),
  at: z.int(),
  text: z.string(),
  createdAt: z.int(),
  /** Without a name if the user may not see it at the moment. */
  track: z.object({
    id: z.string(),
    title: z.string().nullable(),
    weekNumber: z.int().nullable(),
    year: z.int().nullable(),
  }),
});
export type OwnMoment = z.infer<typeof OwnMoment>;

const Id = z.object({ id: z.string().max(64) });
const reading = ['unauthenticated', 'not_found', 'subscribers_only'] as const;
const writing = [
  ...reading,
  'moments_off',
  'moments_banned',
  'moment_refused',
  'rate_limited',
] as const;

export const momentRoutes = defineRoutes({
  'GET /api/tracks/:id/moments': {
    summary: 'The lines that members left at seconds of a track, in their order.',
    params: Id,
    query: PageQuery.extend({
      /** The second to start at. */
      from: z.coerce.number().int().min(0).max(86_400).optional(),
    }),
    response: pageOf(Moment),
    errors: reading,
  },
  'GET /api/tracks/:id/moments/marks': {
    summary: 'A line for each part of the waveform, and whether the viewer can leave one.',
    params: Id,
    response: z.object({
      /** For the site and this track. */
      isOn: z.boolean(),
      obstacle: Obstacle.nullable(),
      /** At most one for each part, the viewer's own first. */
      marks: z.array(Moment),
    }),
    errors: reading,
  },
  'POST /api/tracks/:id/moments': {
    summary: 'Leave a line at a second of a track, one per minute of it.',
    params: Id,
    body: z.strictObject({ at: z.int('Choose a second.').min(0).max(86_400), text: MomentText }),
    response: Moment,
    errors: [...writing, 'moment_taken'],
  },
  'PATCH /api/moments/:id': {
    summary: 'Change a line of yours, within five minutes.',
    params: Id,
    body: MomentLine,
    response: Moment,
    errors: [...writing, 'moment_final'],
  },
  'DELETE /api/moments/:id': {
    summary: 'Delete a line of yours.',
    params: Id,
    errors: ['unauthenticated', 'not_found', 'rate_limited'],
  },
  'GET /api/me/moments': {
    summary: 'Every line of yours, newest first, also where others see none.',
    query: PageQuery,
    response: pageOf(OwnMoment),
    errors: ['unauthenticated'],
  },
});
