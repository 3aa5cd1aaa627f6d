import type { AUDIT_SUBJECTS } from '#contract/admin/audit.ts';
import { pagedQuery } from '#web/lib/api/api-query.ts';

export type AuditFilter = { kind?: (typeof AUDIT_SUBJECTS)[number]; subject?: string };

const AUDIT_KEY = '/api/admin/audit';

export const auditQuery = (filter: AuditFilter) =>
  pagedQuery([AUDIT_KEY, filter], 'GET /api/admin/audit', { query: { limit: 20, ...filter } });
