import { z } from 'zod';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';

export const AUDIT_SUBJECTS = [
  'user',
  'site',
  'job',
  'track',
  'recording',
  'artist',
  'coupon',
  'gift',
  'payment',
  'price',
  'letter',
] as const;

/** Null if the account is deleted: its actions stay, its name doesn't. */
const Named = z.object({ id: z.string().nullable(), name: z.string().nullable() });

export const AuditEntry = z.object({
  id: z.string(),
  at: z.int(),
  actor: Named,
  /** In the browser, with a command on the server, or with the setup link. */
  via: z.enum(['web', 'console', 'setup']),
  action: z.string(),
  subject: Named.extend({
    kind: z.string(),
    /** Of a track. */
    weekNumber: z.int().nullable(),
    /** A deleted track has no page to link to. */
    isDeleted: z.boolean(),
  }),
  changes: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  reason: z.string().nullable(),
  requestId: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const id = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .optional();

export const auditRoutes = defineRoutes({
  'GET /api/admin/audit': {
    summary: 'The audit log of administrators’ actions, newest first.',
    query: PageQuery.extend({
      kind: z.enum(AUDIT_SUBJECTS).optional(),
      actor: id,
      subject: id,
    }),
    response: pageOf(AuditEntry),
    errors: ['unauthenticated', 'not_found'],
  },
});
