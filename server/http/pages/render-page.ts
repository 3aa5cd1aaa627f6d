import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Boot } from '#contract/boot.ts';
import { dayOf, startOfDay } from '#contract/rules/days.ts';
import { addDays } from '#contract/rules/report-days.ts';
import type { Deps } from '../../deps.ts';
import { createLongTurns } from '../load/long-turns.ts';
import { bootOf } from './web-page.ts';

/** What a rendered page adds to the empty one. */
export type PageContent = {
  /** Empty if the viewer is redirected, other than to the login page. */
  html: string;
  /** The login page that this shows instead, and whose address the browser takes over. */
  redirectedTo?: string;
  /** The page says that what it is about doesn't exist, or not for this viewer. */
  isMissing: boolean;
  /** When, which day that was in the site's time zone, and when that day ends. */
  rendered: { at: number; today: string; dayEndsAt: number };
  /** What the page asked for, so that the browser doesn't ask again. */
  answers: unknown[];
};

/** What the build of the web app exports for the server. */
type WebApp = {
  transport: { fetch: Ask };
  renderPage(
    url: { path: string; search: string },
    site: Boot,
    rendered: PageContent['rendered'],
  ): Promise<Omit<PageContent, 'rendered'>>;
};

/** A GET request to our own API by the viewer of a page. */
type Ask = (url: string) => Promise<Answer>;

/** A real `Response` would load Node's HTTP client, which is large and needed for nothing else. */
type Answer = Pick<Response, 'ok' | 'status' | 'text' | 'json'>;

const viewers = new AsyncLocalStorage<Ask>();

async function loadWebApp(file: string): Promise<WebApp> {
  const webApp = (await import(pathToFileURL(file).href)) as WebApp;
  webApp.transport.fetch = async (url) => {
    const ask = viewers.getStore();
    if (!ask) throw new Error(`Nobody is asking for ${url}.`);
    return ask(url);
  };
  return webApp;
}

/** While this many pages are being rendered, browsers render the next ones. */
const MAX_AT_ONCE = 32;
const TIMEOUT_MS = 3_000;

/** These say who asks, and from where. */
const FORWARDED = ['cookie', 'host', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto'];

const askAs =
  (
    app: FastifyInstance,
    { headers, socket }: FastifyRequest,
    onOutage: (error: Error) => void,
  ): Ask =>
  async (url) => {
    const forwarded = FORWARDED.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []));
    const { statusCode, payload } = await app.inject({
      method: 'GET',
      url,
      headers: Object.fromEntries(forwarded),
      ...(socket.remoteAddress && { remoteAddress: socket.remoteAddress }),
    });
    if (statusCode >= 500) {
      const error = new Error(`${url} answered ${statusCode}.`);
      if (statusCode === 503) onOutage(error);
      throw error;
    }
    return {
      ok: statusCode < 300,
      status: statusCode,
      text: async () => payload,
      json: async () => JSON.parse(payload) as unknown,
    };
  };

export type RenderPage = (request: FastifyRequest, path: string) => Promise<PageContent | null>;

/**
 * Renders pages with the code that also runs in the browser. Null when that isn't possible: then the
 * browser does it.
 */
export function createPageRenderer(
  app: FastifyInstance,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
): RenderPage {
  const file = join(config.webRoot, '..', 'render', 'render-page.js');
  if (!existsSync(file)) return async () => null;
  let webApp: Promise<WebApp> | undefined;
  let atOnce = 0;
  const takeTurn = createLongTurns(() => app.hasWaitingRequests());

  async function render(
    { renderPage }: WebApp,
    request: FastifyRequest,
    path: string,
  ): Promise<PageContent> {
    atOnce++;
    try {
      await takeTurn();
      const url = { path, search: request.url.slice(path.length) };
      const at = clock.now();
      const rendered = { at, ...readDay(at, config.timeZone) };
      // The web app would ask again after a while. A browser has the time for that.
      const outage = Promise.withResolvers<never>();
      const content = await Promise.race([
        viewers.run(askAs(app, request, outage.reject), () =>
          renderPage(url, bootOf(config), rendered),
        ),
        outage.promise,
      ]);
      return { ...content, rendered };
    } finally {
      atOnce--;
    }
  }

  return async (request, path) => {
    if (atOnce >= MAX_AT_ONCE) return null;
    try {
      // The first page after a start waits for the code, however slow the machine is.
      const loaded = await (webApp ??= loadWebApp(file));
      const content = await orNull(render(loaded, request, path), TIMEOUT_MS);
      // A busy machine, not a fault: the browser renders this one too.
      if (!content) request.log.warn({ reqId: request.id }, 'Rendering a page took too long.');
      return content;
    } catch (error) {
      request.log.error({ reqId: request.id, err: error }, 'Rendering a page failed.');
      return null;
    }
  };
}

function readDay(
  at: number,
  timeZone: string,
): Pick<PageContent['rendered'], 'today' | 'dayEndsAt'> {
  const today = dayOf(at, timeZone);
  return { today, dayEndsAt: startOfDay(addDays(today, 1), timeZone) };
}

/** Null if it takes longer. */
async function orNull<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
