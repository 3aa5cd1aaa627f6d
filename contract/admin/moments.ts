import { z } from 'zod';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';

/** `writing`: no new lines. `lines`: and nobody sees the old ones while it lasts. */
const Ban = z.enum(['writing', 'lines']).nullable();
export type MomentBan = z.infer<typeof Ban>;

export const MomentAuthor = z.object({
  id: z.string(),
  username: z.string(),
  ban: Ban,
  isDisabled: z.boolean(),
  /** Administrators and helpers can't be banned. */
  isStaff: z.boolean(),
});
export type MomentAuthor = z.infer<typeof MomentAuthor>;

export const MomentTrack = z.object({
  id: z.string(),
  title: z.string(),
  weekNumber: z.int(),
  year: z.int(),
  /** Turned off for this track. */
  isOff: z.boolean(),
});
export type MomentTrack = z.infer<typeof MomentTrack>;

export const AdminMoment = z.object({
  id: z.string(),
  at: z.int(),
  text: z.string(),
  createdAt: z.int(),
  isHidden: z.boolean(),
  /** Its author deleted it after it was hidden; its text is empty. */
  isDeleted: z.boolean(),
  author: MomentAuthor,
  track: MomentTrack,
});
export type AdminMoment = z.infer<typeof AdminMoment>;

const id = z.string().max(64);
const params = z.object({ id });
const errors = ['unauthenticated', 'not_found'] as const;

export const momentAdminRoutes = defineRoutes({
  'GET /api/admin/moments': {
    summary: 'Lines that members left, newest first.',
    query: PageQuery.extend({
      /** Part of a member’s name or of a mix’s title. */
      q: z.string().trim().max(120).optional(),
      user: id.optional(),
      track: id.optional(),
    }),
    response: pageOf(AdminMoment),
    errors,
  },
  'PUT /api/admin/moments/:id/hidden': {
    summary: 'Hide a line, or show it again.',
    params,
    body: z.strictObject({ isHidden: z.boolean() }),
    errors,
  },
  'GET /api/admin/moments/authors/:id': {
    summary: 'Whether a member may leave lines.',
    params,
    response: MomentAuthor,
    errors,
  },
  'PUT /api/admin/moments/authors/:id': {
    summary: 'Ban a member from leaving lines, or let them again.',
    params,
    body: z.strictObject({ ban: Ban }),
    response: MomentAuthor,
    errors: [...errors, 'forbidden'],
  },
  'GET /api/admin/moments/tracks/:id': {
    summary: 'Whether members can leave lines at a mix.',
    params,
    response: MomentTrack,
    errors,
  },
  'PUT /api/admin/moments/tracks/:id': {
    summary: 'Turn lines off for a mix, or on again.',
    params,
    body: z.strictObject({ isOff: z.boolean() }),
    response: MomentTrack,
    errors,
  },
});
