import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ColumnRole, DateOrder, LineOutcome } from '#contract/admin/member-imports.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, pagedQuery } from '#web/lib/api/api-query.ts';
import { watchSignals } from '#web/lib/api/live.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

const IMPORTS_KEY = '/api/admin/member-imports';

export type CheckOptions = {
  roles?: readonly ColumnRole[];
  dateOrder?: DateOrder;
  payingUntil?: number;
};

/** The file stays in the browser: each change of the columns sends it again. */
export const checkMutation = {
  mutationFn: ({ file, roles, ...options }: CheckOptions & { file: File }) =>
    call('POST /api/admin/member-imports', {
      query: {
        fileName: file.name || 'members.csv',
        ...options,
        ...(roles && { roles: roles.join(',') }),
      },
      body: new Blob([file], { type: 'text/csv' }),
    }),
  retry: retryOnce,
};

/** The latest are enough here; the audit log has them all. */
export const importsQuery = apiQuery([IMPORTS_KEY, 'list'], 'GET /api/admin/member-imports', {
  query: { limit: 20 },
});

export const importQuery = (id: string) =>
  apiQuery([IMPORTS_KEY, 'one', id], 'GET /api/admin/member-imports/:id', { params: { id } });

export const linesQuery = (id: string, outcome: LineOutcome | null) => ({
  ...pagedQuery([IMPORTS_KEY, 'lines', id, outcome], 'GET /api/admin/member-imports/:id/lines', {
    params: { id },
    query: { limit: 50, ...(outcome && { outcome }) },
  }),
  retry: retryOnce,
});

/** Shows the progress of an import as it happens. */
export function useImportSignals(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      watchSignals((topic) => {
        if (topic !== 'admin:members' && topic !== 'all') return;
        void client.invalidateQueries({ queryKey: [IMPORTS_KEY] });
      }),
    [client],
  );
}
