import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { buildContentDisposition, toFileName } from '../../http/send/attachment.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { clearSessionCookie } from '../../http/route/sessions.ts';
import { forgetDevice, limitPasswordChecks } from '../accounts/service.ts';

/** An export reads every row of a user: enough for people, too little for scripts. */
const exportsByUser = defineRateLimit({
  name: 'export-user',
  what: 'Data exports by one user',
  limit: 10,
  periodMs: HOUR,
});

export function registerPrivacyRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const { config } = deps;

  router.user(
    'GET /api/me/export',
    { rateLimits: limitPerUser(exportsByUser) },
    async ({ viewer, reply }) => {
      const name = toFileName([config.siteName, viewer.user.username], 'zip');
      reply.headers({
        'content-type': 'application/zip',
        'content-disposition': buildContentDisposition(name),
      });
      const { exportArchive } = await import('./export-archive.ts');
      return exportArchive(deps, viewer);
    },
  );
  router.user(
    'DELETE /api/me',
    { rateLimits: limitPasswordChecks },
    async ({ viewer, body, request, reply }) => {
      const { deleteAccount } = await import('./delete-account.ts');
      await deleteAccount(deps, viewer, body);
      clearSessionCookie(config, reply);
      await forgetDevice(deps, request, reply, viewer.user.id);
    },
  );
}
