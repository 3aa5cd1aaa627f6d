import { apiQuery } from '#web/lib/api/api-query.ts';

export const outboxQuery = apiQuery(['/api/admin/outbox'], 'GET /api/admin/outbox', { query: {} });
