import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from './app-error.ts';
import { isInstalledAppFile, serveInstalledApp } from './installed-app.ts';
import type { Fallback } from './error-handler.ts';
import { type PageHead, addPageHead, etagOf, watchPage, type WebPage } from './web-page.ts';

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

function sendPage(page: WebPage, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': page.policy,
    'cache-control': page.status === 200 ? 'no-cache' : 'no-store',
    etag: page.etag,
  });
  if (page.status === 200 && request.headers['if-none-match']?.includes(page.etag))
    reply.code(304).send();
  else reply.code(page.status).type('text/html; charset=utf-8').send(page.html);
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

/** Serves the built web app, and its page for every path of the web app. */
export function serveWebApp(
  app: FastifyInstance,
  config: Config,
  findHead: FindHead,
  plainPages: PlainPages = {},
): Fallback {
  const { template, names } = listFiles(config.webRoot);
  const readPage = watchPage(template, config);
  if (template !== null) serveFiles(app, config.webRoot, names, readPage().policy);
  serveInstalledApp(app, config, readPage);
  return async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url.split('?', 1)[0] ?? '';
    const isWebAppPath = !/^\/(?:api|assets|media)(?:\/|$)/.test(path);
    if (!isPage || !isWebAppPath || !wantsPage(request, path)) return false;
    // The URL gives access to the account, so don't send it to other sites.
    if (/^\/+(?:reset-password|setup)\//.test(path)) reply.header('referrer-policy', 'no-referrer');
    const head = await findHead(path).catch((error: unknown) => {
      // The page works without its head.
      request.log.error({ err: error }, 'Building the head of a page failed.');
      return null;
    });
    const page = head ? addPageHead(readPage(), head) : readPage();
    const plain = plainPages[path] ?? head?.plain;
    sendPage(plain ? addPlainPage(page, plain) : page, request, reply);
    return true;
  };
}
