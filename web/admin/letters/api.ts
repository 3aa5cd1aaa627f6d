import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { LetterContent, LetterValues } from '#contract/admin/letters.ts';
import { call } from '#web/lib/api/api.ts';
import { apiQuery, pagedQuery, refreshPaths } from '#web/lib/api/api-query.ts';
import { withConfirmation } from '#web/lib/api/confirm-identity.ts';
import { retryOnce } from '#web/lib/api/query-client.ts';

export const LETTERS_PATH = '/api/admin/letters';

export const lettersQuery = pagedQuery('GET /api/admin/letters', { query: {} });

export const letterQuery = (id: string) => ({
  ...apiQuery('GET /api/admin/letters/:id', { params: { id } }),
  // Don't replace what is being typed.
  refetchOnWindowFocus: false,
});

export const reachQuery = apiQuery('GET /api/admin/letters/reach');

/** What is written, as it will arrive. */
export const previewQuery = (content: LetterContent) =>
  queryOptions({
    queryKey: [`${LETTERS_PATH}/preview`, content] as const,
    queryFn: ({ signal }) => call('POST /api/admin/letters/preview', { body: content }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: retryOnce,
  });

export const createLetter = () => call('POST /api/admin/letters');

export const saveLetter = (id: string, body: Partial<LetterValues> & { version: number }) =>
  call('PATCH /api/admin/letters/:id', { params: { id }, body });

export const deleteLetter = (id: string) =>
  call('DELETE /api/admin/letters/:id', { params: { id } });

export const uploadPicture = (body: Blob) => call('POST /api/admin/letters/pictures', { body });

export const testLetter = (body: LetterContent) => call('POST /api/admin/letters/test', { body });

export const sendLetter = (id: string, body: { version: number; at: number | null }) =>
  withConfirmation(() => call('POST /api/admin/letters/:id/send', { params: { id }, body }));

export const stopLetter = (id: string) =>
  call('POST /api/admin/letters/:id/stop', { params: { id } });

export const resumeLetter = (id: string) =>
  withConfirmation(() => call('POST /api/admin/letters/:id/go-on', { params: { id } }));

/** The lists, also those of readers. */
export const refreshLetters = (client: QueryClient) =>
  refreshPaths(client, LETTERS_PATH, '/api/letters');
