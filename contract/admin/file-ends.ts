import { z } from 'zod';
import { defineRoutes } from '../route.ts';
import { DAY } from '../rules/time.ts';

const MAX_AHEAD_MS = 3 * 366 * DAY;

const end = z
  .int('Choose a date.')
  .min(0, 'Choose a date.')
  .max(Date.UTC(2100, 0, 1), 'Choose a date.')
  .nullable();

export const FileEndValues = z.strictObject({
  downloadsEnd: end,
  losslessEnd: end,
  savingEnd: end,
});

/** Null if the date is near enough. */
export const findEndProblem = (at: number | null, now: number): string | null =>
  at !== null && at > now + MAX_AHEAD_MS ? 'Choose a date within the next three years.' : null;

const FileEndsState = FileEndValues.extend({
  /** Of all settings; it increases with every change. */
  version: z.int(),
  /** The server’s time, by which an end has come or not. */
  now: z.int(),
  /** How many members have access now, and so would be told. */
  subscribers: z.int(),
  /** How many of those who had access at the last change have been told. */
  lastChange: z.object({ at: z.int(), members: z.int(), told: z.int() }).nullable(),
});
export type FileEndsState = z.infer<typeof FileEndsState>;

export const fileEndRoutes = defineRoutes({
  'GET /api/admin/file-ends': {
    summary: 'From when the site gives no files to keep, and who was told.',
    response: FileEndsState,
    errors: ['unauthenticated', 'not_found'],
  },
  'PUT /api/admin/file-ends': {
    summary:
      'Say from when the site gives no files to keep. A time that has passed means now. Subscribers are told by e-mail; with less than 14 days’ notice it needs a reason.',
    body: FileEndValues.extend({
      version: z.int(),
      reason: z.string().trim().max(500, 'Use at most 500 characters.').optional(),
    }),
    response: FileEndsState,
    errors: ['unauthenticated', 'not_found', 'settings_changed', 'reason_needed'],
  },
});
