import { z } from 'zod';
import { PageQuery, pageOf } from '../paging.ts';
import { defineRoutes } from '../route.ts';

const OutboxEmail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sentAt: z.number(),
});

export const outboxRoutes = defineRoutes({
  'GET /api/admin/outbox': {
    summary: 'E-mails stored instead of sent, newest first. Demo mode only.',
    query: PageQuery,
    response: pageOf(OutboxEmail),
    errors: ['unauthenticated', 'not_found'],
  },
});
