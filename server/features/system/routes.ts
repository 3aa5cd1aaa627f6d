import type { FastifyInstance } from 'fastify';
import { api } from '#contract/api.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { route } from '../../http/route.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { readDemoProgress } from './demo-progress.ts';
import { renderDocs } from './docs-page.ts';
import { createHealthCheck } from './health.ts';
import { buildOpenApi } from './openapi.ts';
import { listOutbox } from './outbox.ts';

/** When it is first asked for: most servers are never asked for their documentation. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

export function registerSystemRoutes(app: FastifyInstance, deps: Deps) {
  const { version } = packageJson;
  const checkHealth = createHealthCheck(deps);

  route(app, deps, 'GET /api/version', { guard: 'public', handler: async () => ({ version }) });

  route(app, deps, 'GET /api/health', {
    guard: 'public',
    handler: async ({ reply }) => {
      const health = await checkHealth();
      reply.code(health.status === 'error' ? 503 : 200);
      return health;
    },
  });

  app.get('/healthz', async (_request, reply) => {
    const { status } = await checkHealth();
    return reply
      .code(status === 'error' ? 503 : 200)
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .send(status === 'error' ? 'error' : 'ok');
  });

  route(app, deps, 'GET /api/demo/progress', {
    guard: 'public',
    handler: async () => {
      if (!deps.config.demo) throw new AppError('not_found');
      return readDemoProgress(deps.database.db);
    },
  });

  route(app, deps, 'GET /api/admin/outbox', {
    guard: 'admin',
    handler: async ({ query }) => {
      if (!deps.config.demo) throw new AppError('not_found');
      return listOutbox(deps.database.db, query);
    },
  });

  const info = { title: deps.config.siteName, version };
  const openApi = once(() => JSON.stringify(buildOpenApi(api, info)));
  app.get('/api/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(openApi()),
  );

  const docs = once(() => renderDocs(api, info));
  app.get('/api/docs', async (_request, reply) => {
    const { html, policy } = docs();
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(html);
  });
}
