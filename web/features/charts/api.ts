import { apiQuery } from '#web/lib/api/api-query.ts';

/** The live chart, or the archived chart of a week. */
export const chartQuery = (week: string | null) =>
  apiQuery('GET /api/top-20', { query: { ...(week !== null && { week }) } });
