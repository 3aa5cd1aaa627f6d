import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { currentUserQuery, useCurrentUser, type Login } from './current-user.ts';
import { createQueryClient } from './query-client.ts';

const user: User = {
  id: 'u1',
  username: 'thandi',
  email: 'thandi@example.com',
  isSubscriber: true,
  isAdmin: false,
  avatarUrl: null,
  offlineUntil: null,
};

let copy: string | null;
beforeEach(() => {
  copy = null;
  vi.stubGlobal('sessionStorage', { getItem: () => copy });
});
afterEach(() => vi.unstubAllGlobals());

function readLogin(client: QueryClient): Login {
  const page = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <ShowLogin />
    </QueryClientProvider>,
  );
  return JSON.parse(page.replaceAll('&quot;', '"')) as Login;
}

const ShowLogin = () => JSON.stringify(useCurrentUser());

async function checkLogin(client: QueryClient, answer: () => Response): Promise<void> {
  vi.stubGlobal('fetch', async () => answer());
  await client.fetchQuery({ ...currentUserQuery, retry: false }).catch(() => undefined);
}

const logIn = () => Response.json(user);
const refuse = (status: number) => () => Response.json({ message: 'No.' }, { status });
const loseLine = () => {
  throw new TypeError('Failed to fetch');
};

const authenticated = { user, isLoading: false, isUnconfirmed: false, isUnknown: false };
const visitor = { ...authenticated, user: null };

it('the login is loading until the first check is done', () => {
  expect(readLogin(createQueryClient())).toMatchObject({ user: null, isLoading: true });
});

it.each([
  { what: 'a user is authenticated', answer: logIn, login: authenticated },
  { what: '401 is public, with no user', answer: refuse(401), login: visitor },
  { what: '500 leaves the user unauthenticated', answer: refuse(500), login: visitor },
  { what: '403 leaves the user unauthenticated', answer: refuse(403), login: visitor },
  {
    what: 'no answer leaves the user unauthenticated, but not known to be a visitor',
    answer: loseLine,
    login: { ...visitor, isUnconfirmed: true, isUnknown: true },
  },
])('a first check: $what', async ({ answer, login }) => {
  const client = createQueryClient();
  await checkLogin(client, answer);
  expect(readLogin(client)).toEqual(login);
});

it.each([
  { what: '401 logs the user out', answer: refuse(401), login: visitor },
  { what: '500 keeps the user', answer: refuse(500), login: authenticated },
  { what: 'no answer keeps the user', answer: loseLine, login: authenticated },
])('a later check: $what', async ({ answer, login }) => {
  const client = createQueryClient();
  await checkLogin(client, logIn);
  await checkLogin(client, answer);
  expect(readLogin(client)).toEqual(login);
});

it.each([
  { what: 'no answer', answer: loseLine },
  { what: 'a 500', answer: refuse(500) },
])('$what on a page that remembers the user shows that user, unconfirmed', async ({ answer }) => {
  copy = JSON.stringify(user);
  const client = createQueryClient();
  await checkLogin(client, answer);
  expect(readLogin(client)).toEqual({ ...authenticated, isUnconfirmed: true });
});
