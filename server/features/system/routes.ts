import type { FastifyInstance } from 'fastify';
import { api } from '#contract/api.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { cookieName } from '../../http/route/cookies.ts';
import { RETRY_AFTER } from '../../http/route/error-handler.ts';
import { createRouter } from '../../http/route/route.ts';
import { SESSION_COOKIE } from '../../http/route/sessions.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { readDemoProgress } from './demo-progress.ts';
import { renderDocs } from './docs-page.ts';
import { createHealthCheck } from './health.ts';
import { buildOpenApi, type ApiSite } from './openapi.ts';

/** Computes a value on first use: most servers never serve their documentation. */
function lazy<T>(create: () => T): () => T {
  let created: { value: T } | null = null;
  return () => (created ??= { value: create() }).value;
}

export function registerSystemRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const { version } = packageJson;
  const checkHealth = createHealthCheck(deps);

  router.public('GET /api/version', async () => ({
    version,
    commit: await deps.commit,
  }));
  router.public('GET /api/health', async ({ reply }) => {
    const health = await checkHealth();
    if (health.status === 'error') reply.code(503).header('retry-after', RETRY_AFTER);
    return health;
  });

  // Only says that this process answers: a busy server, or one whose database is gone, must not be
  // restarted. `/api/health` says whether it can do its work.
  app.get('/healthz', (_request, reply) => {
    reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .send('ok');
  });
  router.public('GET /api/demo/progress', async () => {
    if (!deps.config.demo) throw new AppError('not_found');
    return readDemoProgress(deps.database.db);
  });

  const { config, site } = deps;
  // Asked once everything is registered and, in demo mode, the port is known.
  const readSite = (): ApiSite => ({
    title: config.siteName,
    version,
    origin: site.origin,
    authOrigin: config.authOrigin,
    sessionCookie: cookieName(config, SESSION_COOKIE),
    guardOf: (key) => app.registeredRoutes.get(key),
  });
  const openApi = lazy(() => JSON.stringify(buildOpenApi(api, readSite())));
  app.get('/api/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(openApi()),
  );

  const docs = lazy(() => renderDocs(api, readSite()));
  app.get('/api/docs', async (_request, reply) => {
    const { html, policy } = docs();
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(html);
  });
}
