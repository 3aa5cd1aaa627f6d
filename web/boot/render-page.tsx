import type { Query, QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToReadableStream, renderToString } from 'react-dom/server';
import type { Boot } from '#contract/boot.ts';
import { describePlay } from '#contract/rules/data-use.ts';
import { ApiError } from '#web/lib/api/api.ts';
import { boot } from '#web/lib/store/boot.ts';
import { currentUserQuery } from '#web/lib/api/current-user.ts';
import { startHydration, type Rendered } from '#web/lib/format/now.ts';
import { omitDescriptions, type DehydratedQuery } from './dehydrated-queries.ts';
import { createQueryClient } from '#web/lib/api/query-client.ts';
import type { Player } from '#web/player/create-player.ts';
import { serverWords } from '#web/player/view/data-line.tsx';
import { createPlayerStore } from '#web/player/store.ts';
import { findPage, findRoute } from '#web/router/find-page.ts';
import { loadData } from '#web/router/prefetch.ts';
import { Site } from './site.tsx';

/** The server answers the requests of the pages that it renders. */
export { transport } from '#web/lib/api/api.ts';

type RenderedPage = {
  /** Empty if the viewer is redirected, other than to the login page. */
  html: string;
  /** The login page that this shows instead, and whose address the browser takes over. */
  redirectedTo?: string;
  /** What the page is about doesn't exist, or not for this viewer. */
  isMissing: boolean;
  answers: DehydratedQuery[];
};

serverWords.describeData = (track) =>
  describePlay(track, { isDataSaver: false, dataPrice: boot.dataPrice });

/** Data that depends on other data is asked for at most this many times in a row. */
const MAX_ROUNDS = 4;

/** Nothing plays on the server. */
const player = { store: createPlayerStore() } as Player;

type Address = { path: string; search: string };

/** Renders a page as one viewer sees it, and says what the page asked for. */
export async function renderPage(
  url: Address,
  site: Boot,
  rendered: Rendered,
): Promise<RenderedPage> {
  Object.assign(boot, site);
  startHydration(rendered);
  const client = createQueryClient({ retry: false });
  try {
    await client.fetchQuery(currentUserQuery);
    return await renderOrLogin(client, url, rendered);
  } finally {
    client.clear();
  }
}

/** Visitors who open a page for members get the login page at once, with what their link is about. */
async function renderOrLogin(
  client: QueryClient,
  url: Address,
  rendered: Rendered,
): Promise<RenderedPage> {
  await loadAhead(client, url);
  const { redirectTo, ...page } = await renderWith(client, url, rendered);
  if (!redirectTo?.startsWith('/login?')) return page;
  const login = { path: '/login', search: redirectTo.slice('/login'.length) };
  await loadAhead(client, login);
  const { redirectTo: _, ...shown } = await renderWith(client, login, rendered);
  return { ...shown, redirectedTo: redirectTo };
}

/** Asks for what the client lacks, and renders again with it. */
export async function renderWith(
  client: QueryClient,
  { path, search }: Address,
  rendered: Rendered,
): Promise<RenderedPage & { redirectTo?: string | undefined }> {
  for (let round = 1; ; round++) {
    const redirect: { redirectTo?: string } = {};
    // Others render while this one waits, so each says its own time just before.
    startHydration(rendered);
    const html = await renderOnce(
      <Site
        client={client}
        player={player}
        ssrPath={path}
        ssrSearch={search}
        ssrContext={redirect}
      />,
    );
    const isRedirected = redirect.redirectTo !== undefined;
    const unanswered = isRedirected || round === MAX_ROUNDS ? [] : findUnanswered(client);
    if (unanswered.length === 0)
      return {
        html: isRedirected ? '' : html,
        redirectTo: redirect.redirectTo,
        isMissing: findRoute(path).route.access !== 'visitors' && hasMissing(client),
        answers: listAnswers(client),
      };
    await Promise.all(unanswered.map((query) => query.fetch().catch(throwUnlessRefused)));
  }
}

/** Loads what the page says it needs, so that most pages are rendered once. */
async function loadAhead(client: QueryClient, { path, search }: Address): Promise<void> {
  const address = { pathname: path, search };
  const found = await findPage(address);
  if (found) await loadData(client, address, found);
  for (const { state } of client.getQueryCache().getAll())
    if (state.error) throwUnlessRefused(state.error);
}

/** React leaves it where code was still loading, or where rendering failed. */
const INCOMPLETE = '<!--$!-->';

/** A string takes much less time than a stream, but only a stream waits for code that loads. */
async function renderOnce(page: ReactNode): Promise<string> {
  const html = renderToString(page);
  return html.includes(INCOMPLETE) ? renderAndWait(page) : html;
}

/** Waits for everything, so that the page arrives complete. */
async function renderAndWait(page: ReactNode): Promise<string> {
  let failure: Error | undefined;
  const stream = await renderToReadableStream(page, {
    onError: (error) => {
      failure ??= error as Error;
    },
    // Otherwise long parts would come last, with a script that moves them to their place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
  });
  await stream.allReady;
  if (failure) throw failure;
  const decoder = new TextDecoder();
  let html = '';
  for await (const chunk of stream) html += decoder.decode(chunk, { stream: true });
  return html;
}

const findUnanswered = (client: QueryClient): Query[] =>
  client
    .getQueryCache()
    .getAll()
    .filter(
      ({ state, options }) =>
        state.status === 'pending' && (options as { enabled?: unknown }).enabled !== false,
    );

/** A page can show that there is no such mix. All other failures are left to the browser. */
function throwUnlessRefused(error: unknown): void {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
}

const hasMissing = (client: QueryClient): boolean =>
  client
    .getQueryCache()
    .getAll()
    .some(({ state: { error } }) => error instanceof ApiError && error.status === 404);

const listAnswers = (client: QueryClient): DehydratedQuery[] =>
  client
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.status === 'success')
    .map(({ queryKey, state }) => [queryKey, omitDescriptions(state.data)]);
