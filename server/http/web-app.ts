import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from './app-error.ts';
import { isInstalledAppFile, serveInstalledApp } from './installed-app.ts';
import type { Fallback } from './not-found.ts';
import type { PageHead } from './page-head.ts';
import { describePage, etagOf, followPage, type WebPage } from './web-page.ts';

type Files = { template: string | null; names: string[] };

/** Everything the build left there, read once: the folder does not change under a running server. */
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
 * A page is for a person, whose browser asks for HTML by name. Whoever takes anything gets it too,
 * unless the name is that of a file: a script or an icon that is not there must not be a page.
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
    // Scripts that run on their own, such as a service worker, live under the page's policy.
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

/** What the page at a path is about, where there is something to say to those who only read it. */
export type FindHead = (path: string) => Promise<PageHead | null>;

/** Pages that also work without scripting, by path: what stands there instead. */
export type PlainPages = Record<string, string>;

const writePlain = (page: WebPage, plain: string): WebPage => {
  const html = page.html.replace(
    /<noscript>[\s\S]*?<\/noscript>/,
    () => `<noscript>${plain}</noscript>`,
  );
  return { ...page, html, etag: etagOf(html) };
};

/** Serves the built web app and answers the page for every address that is the web app's own. */
export function serveWebApp(
  app: FastifyInstance,
  config: Config,
  findHead: FindHead,
  plainPages: PlainPages = {},
): Fallback {
  const { template, names } = listFiles(config.webRoot);
  const readPage = followPage(template, config);
  if (template !== null) serveFiles(app, config.webRoot, names, readPage().policy);
  serveInstalledApp(app, config, readPage);
  return async (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url.split('?', 1)[0] ?? '';
    const isOurs = !/^\/(?:api|assets|media)(?:\/|$)/.test(path);
    if (!isPage || !isOurs || !wantsPage(request, path)) return false;
    // The address itself opens the account, so no other address is told it.
    if (/^\/+(?:reset-password|setup)\//.test(path)) reply.header('referrer-policy', 'no-referrer');
    const head = await findHead(path).catch((error: unknown) => {
      // The page works without it.
      request.log.error({ err: error }, 'What a page is about could not be told.');
      return null;
    });
    const page = readPage();
    const plain = plainPages[path];
    if (plain) sendPage(writePlain(page, plain), request, reply);
    else sendPage(head ? describePage(page, head) : page, request, reply);
    return true;
  };
}
