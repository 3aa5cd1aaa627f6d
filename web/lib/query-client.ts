import { QueryCache, QueryClient, type QueryFunctionContext } from '@tanstack/react-query';
import { isLoggedOut, readError, request } from './api.ts';

/**
 * The default query function: the first part of the key is the URL. Catalogue requests throw the
 * status; all others return null when the user is logged out.
 */
export async function fetchByKey({ queryKey, signal }: QueryFunctionContext): Promise<unknown> {
  const url = String(queryKey[0]);
  const response = await request(url, { signal });
  if (response.ok) return response.json();
  const error = await readError('GET', url, response);
  if (isLoggedOut(error)) return null;
  throw error;
}

const USER_KEY = ['/api/auth/me'];

export function createQueryClient(): QueryClient {
  /** The session has ended elsewhere: the page finds out who is there now. */
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
        queryFn: fetchByKey,
        retry: 1,
        staleTime: 0,
        refetchOnWindowFocus: true,
        refetchInterval: false,
      },
      mutations: { networkMode: 'always', retry: 1 },
    },
  });
  return client;
}
