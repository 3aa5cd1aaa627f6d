import {
  QueryCache,
  QueryClient,
  type QueryFunctionContext,
  type QueryKey,
} from '@tanstack/react-query';
import { ApiError, isLoggedOut, readError, request } from './api.ts';
import { findStaleTime } from './fresh-for-a-moment.ts';
import { findKeptAnswer, loadWithFallback, type Fallback } from './offline-fallback.ts';

/**
 * The default query function: the first part of the key is the URL. Catalogue requests throw the
 * status; all others return null when the user is logged out.
 */
export function fetchByKey(
  { queryKey, signal, client }: QueryFunctionContext,
  fallback: Partial<Fallback> = {},
): Promise<unknown> {
  const url = String(queryKey[0]);
  const findFallback = () => findKeptAnswer(url);
  return loadWithFallback({ client, queryKey, signal, findFallback, ...fallback }, () =>
    fetchUrl(url, signal),
  );
}

/** The cursor of a list's first page. It may come with the page as JSON, which has no undefined. */
export const FIRST_PAGE = null as string | null;

/** One page of a list; `toPage` reads it from the response. */
export function fetchPage<Page>(
  { queryKey, signal, client, pageParam }: QueryFunctionContext<QueryKey, string | null>,
  url: string,
  toPage: (response: unknown) => Page,
): Promise<Page> {
  const findFallback = async () => {
    const kept = pageParam === FIRST_PAGE ? await findKeptAnswer(url) : undefined;
    return kept === undefined ? undefined : { pages: [toPage(kept)], pageParams: [pageParam] };
  };
  return loadWithFallback({ client, queryKey, signal, findFallback }, async () => {
    const page = await fetchUrl(url, signal);
    if (page === null) throw new ApiError(401, '');
    return toPage(page);
  });
}

async function fetchUrl(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await request(url, { signal });
  if (response.ok) return response.json();
  const error = await readError('GET', url, response);
  if (isLoggedOut(error)) return null;
  throw error;
}

/** Retries outages, but not what the server has rejected. */
export const retryOnce = (failures: number, error: Error): boolean =>
  failures < 1 && !(error instanceof ApiError && error.status < 500);

/** A server that can't answer now says when to ask again. */
const retryDelay = (failures: number, error: Error): number =>
  (error instanceof ApiError && error.retryAfterMs) || 1000 * 2 ** failures;

const USER_KEY = ['/api/auth/me'];

export function createQueryClient({ retry }: { retry: 1 | false } = { retry: 1 }): QueryClient {
  /** The session has ended elsewhere, so the page asks who is logged in now. */
  const checkLogin = () => {
    if (client.getQueryData(USER_KEY)) void client.invalidateQueries({ queryKey: USER_KEY });
  };
  const client = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: (data) => data === null && checkLogin(),
      onError: (error) => isLoggedOut(error) && checkLogin(),
    }),
    defaultOptions: {
      // Also runs when the browser thinks it is offline: a failed request shows an error, a paused one doesn't.
      queries: {
        networkMode: 'always',
        queryFn: (context) => fetchByKey(context),
        retry,
        retryDelay,
        staleTime: findStaleTime,
        refetchOnWindowFocus: true,
        refetchInterval: false,
      },
      mutations: { networkMode: 'always', retry: 1, retryDelay },
    },
  });
  return client;
}
