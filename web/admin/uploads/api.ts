import type { QueryClient } from '@tanstack/react-query';
import type { Upload } from '#contract/admin/uploads.ts';
import { call } from '#web/lib/api/api.ts';
import { pagedQuery } from '#web/lib/api/api-query.ts';

export const uploadPagesQuery = pagedQuery('GET /api/admin/uploads', {
  query: { limit: 50 },
});

export const refreshUploads = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: uploadPagesQuery.queryKey });

export const acceptUpload = (id: string): Promise<Upload> =>
  call('POST /api/admin/uploads/:id/accept', { params: { id } });

/** Cancels an upload, or dismisses one that has ended. */
export async function cancelUpload(id: string): Promise<void> {
  const response = await fetch(`/api/admin/uploads/${id}`, {
    method: 'DELETE',
    headers: { 'tus-resumable': '1.0.0' },
    credentials: 'include',
  });
  if (!response.ok && response.status !== 404) throw new Error(await response.text());
}
