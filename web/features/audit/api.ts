import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AUDIT_SUBJECTS } from '#contract/admin/audit.ts';
import { call } from '#web/lib/api.ts';

export type AuditFilter = { kind?: (typeof AUDIT_SUBJECTS)[number]; subject?: string };

export const AUDIT_KEY = '/api/admin/audit';

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [AUDIT_KEY, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        'GET /api/admin/audit',
        { query: { limit: 20, ...filter, ...(cursor && { cursor }) } },
        { signal },
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
