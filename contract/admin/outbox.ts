import { z } from 'zod';
import { PageQuery } from '../paging.ts';
import { defineRoutes } from '../route.ts';

export const OutboxEmail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  sentAt: z.number(),
});

export const outboxRoutes = defineRoutes({
  'GET /api/admin/outbox': {
    summary: 'E-mails stored instead of sent, newest first. Demo mode only.',
    query: PageQuery,
    response: z.object({ items: z.array(OutboxEmail), nextCursor: z.string().nullable() }),
    errors: ['unauthenticated', 'not_found'],
  },
});
