import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { AppError } from './app-error.ts';
import { isInstalledAppFile, serveInstalledApp } from './installed-app.ts';
import type { Fallback } from './error-handler.ts';
import { acceptsGzip, COMPRESSION_LEVEL } from './send-json.ts';
import { readSessionToken } from './sessions.ts';
import { addPreloads, readPageFiles } from './page-files.ts';
import { createPageRenderer } from './render-page.ts';
import {
  type PageHead,
  addContent,
  addPageHead,
  etagOf,
  watchPage,
  type WebPage,
} from './web-page.ts';

type Files = { template: string | null; names: string[] };

/** Lists the build's files once; they don't change while the server runs. */
function listFiles(root: string): Files {
  try {
    const names = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
    return {
      template: readFileSync(join(root, 'index.html'), 'utf8'),
      names: names.filter(
        (name) =>
          !/^(?:assets\/|\.|index\.html)/.test(name) &&
          !/\.(?:br|gz)$/.test(name) &&
          !isInstalledAppFile(name),
      ),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { template: null, names: [] };
  }
}

/**
 * Browsers ask for HTML by name. Clients that accept anything get the page too, unless the path is
 * that of a file: a missing script or icon must not be a page.
 */
function wantsPage({ headers: { accept } }: FastifyRequest, path: string): boolean {
  if (accept?.includes('text/html')) return true;
  const isFile = /\.(?!html$)\w+$/.test(path);
  return !isFile && (accept === undefined || accept.includes('*/*'));
}

const compress = promisify(gzip);

/** A page as it is sent, compressed when a browser first wants it so. */
type SentPage = WebPage & { gzipped?: Promise<Buffer> };

async function sendPage(page: SentPage, request: FastifyRequest, reply: FastifyReply) {
  reply.headers({
    'content-security-policy': page.policy,
    'cache-control': page.status === 200 ? 'private, no-cache' : 'no-store',
    etag: page.etag,
    vary: 'accept-encoding, cookie',
  });
  if (page.status === 200 && request.headers['if-none-match']?.includes(page.etag))
    return reply.code(304).send();
  reply.code(page.status).type('text/html; charset=utf-8');
  if (!acceptsGzip(request.headers['accept-encoding']?.toString())) return reply.send(page.html);
  page.gzipped ??= compress(page.html, { level: COMPRESSION_LEVEL });
  return reply.header('content-encoding', 'gzip').send(await page.gzipped);
}

function serveFiles(app: FastifyInstance, root: string, names: readonly string[], policy: string) {
  app.register(async (scope) => {
    // A service worker runs under the policy of its own file, so it gets the page's.
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', policy);
    });
    await scope.register(fastifyStatic, {
      root,
      serve: false,
      preCompressed: true,
      index: false,
    });
    scope.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
      const name = request.params['*'];
      if (!/[^/]$/.test(name)) throw new AppError('not_found');
      return reply.sendFile(`assets/${name}`, { maxAge: '365d', immutable: true });
    });
    for (const name of names)
      scope.get(`/${name}`, (_request, reply) => reply.sendFile(name, { maxAge: '5m' }));
  });
}

/** Finds the title and description of a page for search engines and link previews. */
export type FindHead = (path: string) => Promise<PageHead | null>;

/** HTML for pages that also work without scripts, by path. */
export type PlainPages = Record<string, string>;

const addPlainPage = (page: WebPage, plain: string): WebPage => {
  const html = page.html.replace(
    /<noscript>[\s\S]*?<\/noscript>/,
    () => `<noscript>${plain}</noscript>`,
  );
  return { ...page, html, etag: etagOf(html) };
};

/** Pages that arrive with their content. The browser renders all others itself. */
const RENDERED = [
  '/',
  '/contact',
  '/landing',
  '/library',
  '/login',
  '/pricing',
  '/privacy',
  '/refunds',
  '/register',
  '/terms',
  '/top-20',
  '/track/:id',
];

/** Serves the built web app, and its page for every path of the web app. */
export function serveWebApp(
  app: FastifyInstance,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  findHead: FindHead,
  plainPages: PlainPages = {},
): Fallback {
  const { template, names } = listFiles(config.webRoot);
  const readPage = watchPage(template, config);
  const render = createPageRenderer(app, config);
  const findPageFiles = readPageFiles(config.webRoot);
  if (template !== null) serveFiles(app, config.webRoot, names, readPage().policy);
  serveInstalledApp(app, config, readPage);

  async function buildPage(request: FastifyRequest, path: string, isRendered: boolean) {
    const [head, content] = await Promise.all([
      findHead(path).catch((error: unknown) => {
        // The page works without its head.
        request.log.error({ err: error }, 'Building the head of a page failed.');
        return null;
      }),
      isRendered ? render(request, path) : null,
    ]);
    let page = addPreloads(readPage(), findPageFiles(path));
    if (head) page = addPageHead(page, head);
    if (content) page = addContent(page, content);
    const plain = plainPages[path] ?? (content ? undefined : head?.plain);
    return plain ? addPlainPage(page, plain) : page;
  }
  const findPage = shareWithVisitors({ config, clock }, buildPage);

  for (const path of RENDERED)
    app.get(path, async (request, reply) => sendPage(await findPage(request), request, reply));

  return async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const path = pathOf(request);
    const isWebAppPath = !/^\/(?:api|assets|media)(?:\/|$)/.test(path);
    if (!isPage || !isWebAppPath || !wantsPage(request, path)) return false;
    // The URL gives access to the account, so don't send it to other sites.
    if (/^\/+(?:reset-password|setup)\//.test(path)) reply.header('referrer-policy', 'no-referrer');
    await sendPage(await buildPage(request, path, false), request, reply);
    return true;
  };
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '';

/** Visitors share a page for this long. */
const SHARED_MS = 2_000;
const MAX_SHARED = 200;

type BuildPage = (request: FastifyRequest, path: string, isRendered: boolean) => Promise<WebPage>;

/** Every visitor sees the same page, so it is built once for all who ask within a short time. */
function shareWithVisitors(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  buildPage: BuildPage,
) {
  const shared = new Map<string, { until: number; page: Promise<SentPage> }>();
  return (request: FastifyRequest): Promise<SentPage> => {
    const { url } = request;
    const known = shared.get(url);
    const isVisitor = readSessionToken(config, request) === null;
    if (isVisitor && known && known.until > clock.now()) return known.page;
    const path = pathOf(request);
    const page = buildPage(request, path, true);
    // A query string could be anything, so its pages aren't kept.
    if (isVisitor && path === url) {
      shared.delete(url);
      shared.set(url, { until: clock.now() + SHARED_MS, page });
      const [oldest] = shared.keys();
      if (shared.size > MAX_SHARED && oldest !== undefined) shared.delete(oldest);
      page.catch(() => shared.delete(url));
    }
    return page;
  };
}
