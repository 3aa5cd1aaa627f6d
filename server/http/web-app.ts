import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from './app-error.ts';
import type { Fallback } from './not-found.ts';
import { fillPage, type WebPage } from './web-page.ts';

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
        (name) => !/^(?:assets\/|\.|index\.html)/.test(name) && !/\.(?:br|gz)$/.test(name),
      ),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { template: null, names: [] };
  }
}

const acceptsHtml = ({ headers: { accept } }: FastifyRequest) =>
  accept === undefined || /text\/html|\*\/\*/.test(accept);

function sendPage(page: WebPage, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({
    'content-security-policy': page.policy,
    'cache-control': page.status === 200 ? 'no-cache' : 'no-store',
    etag: page.etag,
  });
  if (page.status === 200 && request.headers['if-none-match']?.includes(page.etag))
    return reply.code(304).send();
  return reply.code(page.status).type('text/html; charset=utf-8').send(page.html);
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

/** Serves the built web app and answers the page for every address that is the web app's own. */
export function serveWebApp(app: FastifyInstance, config: Config): Fallback {
  const { template, names } = listFiles(config.webRoot);
  const page = fillPage(template, config);
  if (template !== null) serveFiles(app, config.webRoot, names, page.policy);
  return (request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const isOurs = !/^\/(?:api|assets|media)(?:[/?]|$)/.test(request.url);
    return isPage && isOurs && acceptsHtml(request) ? sendPage(page, request, reply) : null;
  };
}
