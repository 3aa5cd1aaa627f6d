import { InfiniteQueryObserver, QueryObserver, type QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  loginMutation,
  logoutMutation,
  registerMutation,
  updateProfileMutation,
} from '#web/features/accounts/api.ts';
import { preferencesQuery } from '#web/features/accounts/settings-api.ts';
import {
  deletedPlaylistsQuery,
  playlistPagesQuery,
  playlistsForTrackQuery,
} from '#web/features/playlists/api.ts';
import { trackPagesQuery } from '#web/features/tracks/track-pages.ts';
import { call, request } from '#web/lib/api/api.ts';
import { createQueryClient, fetchByKey } from '#web/lib/api/query-client.ts';

type Sent = { method: string; url: string; body: unknown; credentials: string | undefined };

let sent: Sent[];

function answerWith(status: number, body: string): void {
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { method = 'GET', body: text, credentials } = init;
    const content: unknown = typeof text === 'string' ? JSON.parse(text) : text;
    sent.push({ method, url, body: content, credentials });
    return Promise.resolve(new Response(status === 204 ? null : body, { status }));
  });
}

beforeEach(() => {
  sent = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const login = { username: 'thandi', password: 'a-quiet-harbour' };
const account = { ...login, email: 'thandi@example.com' };

/** Sends only the request: what happens then is the subject of other tests. */
const send = <Variables>(
  mutation: { mutationFn?: (variables: Variables, context: never) => Promise<unknown> },
  variables: Variables,
) => mutation.mutationFn?.(variables, undefined as never);

describe('the payload', () => {
  it.each<[string, (client: QueryClient) => unknown, Omit<Sent, 'credentials'>]>([
    [
      'a login is the username and the password',
      (client) => send(loginMutation(client), login),
      { method: 'POST', url: '/api/auth/login', body: login },
    ],
    [
      'a registration is the account and isSubscriber, which is always false',
      (client) => send(registerMutation(client), account),
      { method: 'POST', url: '/api/auth/register', body: { ...account, isSubscriber: false } },
    ],
    [
      'a logout is nothing',
      (client) => send(logoutMutation(client), undefined),
      { method: 'POST', url: '/api/auth/logout', body: undefined },
    ],
    [
      'a profile update is what has changed',
      (client) => send(updateProfileMutation(client), { id: 'u1', username: 'zanele' }),
      { method: 'PATCH', url: '/api/users/u1', body: { username: 'zanele' } },
    ],
    [
      'a play is nothing',
      () => call('POST /api/tracks/:id/play', { params: { id: 't1' } }),
      { method: 'POST', url: '/api/tracks/t1/play', body: undefined },
    ],
  ])('of %s', async (_what, run, expected) => {
    answerWith(204, '');
    await run(createQueryClient());
    expect(sent).toMatchObject([expected]);
  });
});

it('every call includes credentials', async () => {
  answerWith(200, '{}');
  await call('GET /api/plans');
  await call('POST /api/auth/login', { body: login });
  await call('DELETE /api/playlists/:id', { params: { id: 'p1' } });
  await request('/healthz', { credentials: 'omit' });
  expect(sent.map(({ credentials }) => credentials)).toEqual(Array(4).fill('include'));
});

describe('a response that is not OK', () => {
  const runQuery = () =>
    fetchByKey({
      queryKey: ['/api/plans'],
      signal: new AbortController().signal,
      client: createQueryClient(),
      meta: undefined,
    });

  it.each([
    [409, '{"code":"email_taken","message":"This address is taken."}', 'This address is taken.'],
    [502, '<html>Bad gateway</html>', '502: <html>Bad gateway</html>'],
    [500, '{"code":"internal"}', '500: {"code":"internal"}'],
  ])('raises an error with the message of the server, or %i and the body', async (...answer) => {
    const [status, body, message] = answer;
    answerWith(status, body);
    const calls = [call('POST /api/auth/register', { body: account }), call('GET /api/plans')];
    for (const failing of [...calls, runQuery()])
      await expect(failing).rejects.toMatchObject({ status, message });
  });
});

it.each([
  ['/api/me/preferences', preferencesQuery],
  ['/api/deleted-playlists', deletedPlaylistsQuery],
  ['/api/playlists?trackId=t1&limit=100', playlistsForTrackQuery('t1')],
])('%s, which reads its own response, is null once the user is logged out', async (url, query) => {
  answerWith(401, '{"code":"unauthenticated","message":"Log in."}');
  const observer = new QueryObserver(createQueryClient(), query as never);
  const unsubscribe = observer.subscribe(() => {});
  await expect.poll(() => observer.getCurrentResult().isFetched).toBe(true);
  expect(observer.getCurrentResult()).toMatchObject({ data: null, error: null });
  expect(sent.map((one) => one.url)).toEqual([url]);
  unsubscribe();
});

describe('a list that loads page by page', () => {
  it.each([
    ['/api/favorites?limit=50', trackPagesQuery('GET /api/favorites')],
    ['/api/history?limit=50', trackPagesQuery('GET /api/history')],
    ['/api/playlists?limit=50', playlistPagesQuery],
  ])('%s fails once the user is logged out, and the login is checked', async (url, query) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    answerWith(401, '{"code":"unauthenticated","message":"Log in."}');
    const client = createQueryClient();
    client.setQueryData(['/api/auth/me'], { id: 'u1' });
    const observer = new InfiniteQueryObserver(client, query as never);
    const unsubscribe = observer.subscribe(() => {});
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sent[0]?.url).toBe(url);
    expect(observer.getCurrentResult()).toMatchObject({ data: undefined, error: { status: 401 } });
    expect(client.getQueryState(['/api/auth/me'])?.isInvalidated).toBe(true);
    unsubscribe();
  });
});
