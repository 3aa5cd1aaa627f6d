import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { listMails, previewMail, readPace, sendSampleMail } from './service.ts';

const sentByUser = defineRateLimit({
  name: 'sample-mail-user',
  what: 'E-mails that one administrator sends to themselves',
  limit: 30,
  periodMs: 10 * 60_000,
});

export function registerMailPreviewRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/mails', ({ viewer }) => listMails(deps, viewer));
  router.admin('POST /api/admin/mails/:name/preview', ({ viewer, params, body }) =>
    previewMail(deps, viewer, { ...params, ...body }),
  );
  router.admin('GET /api/admin/mails/pace', () => readPace(deps));
  router.admin(
    'POST /api/admin/mails/:name/test',
    { rateLimits: limitPerUser(sentByUser) },
    ({ viewer, params, body }) => sendSampleMail(deps, viewer, { ...params, ...body }),
  );
}
