import { QueryClient, type QueryFunctionContext } from '@tanstack/react-query';
import { ApiError, request } from './api.ts';

/** A failed catalogue request. Callers branch on the status, never on the text. */
export class CatalogueError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`API Error: ${status}`);
    this.status = status;
  }
}

const CATALOGUE_PATHS = ['/api/tracks', '/api/top-20', '/api/downloads'];

/**
 * The default query function: the first part of the key is the URL. Catalogue requests throw the
 * status; all others return null when the user is logged out.
 */
export async function fetchByKey({ queryKey, signal }: QueryFunctionContext): Promise<unknown> {
  const url = String(queryKey[0]);
  const isCatalogue = CATALOGUE_PATHS.some((path) => url.includes(path));
  const response = await request(url, {
    signal,
    ...(isCatalogue && { headers: { 'content-type': 'application/json' } }),
  });
  if (response.ok) return response.json();
  if (isCatalogue) throw new CatalogueError(response.status);
  if (response.status === 401) return null;
  throw new ApiError(response.status, await response.text());
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // Also runs when the browser thinks it is offline: a failed request shows an error, a paused one doesn't.
      queries: {
        networkMode: 'always',
        queryFn: fetchByKey,
        retry: 1,
        staleTime: 0,
        refetchOnWindowFocus: true,
        refetchInterval: false,
      },
      mutations: { networkMode: 'always', retry: 1 },
    },
  });
