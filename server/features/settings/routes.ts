import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { changeSiteSettings, readSiteSettings, sendTestMail } from './service.ts';

const mailByUser = defineRateLimit({
  name: 'test-mail-user',
  what: 'Test e-mails by one administrator',
  limit: 10,
  periodMs: 10 * 60_000,
});

export function registerSettingRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/settings', () => readSiteSettings(deps));
  router.admin('PATCH /api/admin/settings', ({ viewer, body }) =>
    changeSiteSettings(deps, viewer, body),
  );
  router.admin(
    'POST /api/admin/settings/test-mail',
    { rateLimits: limitPerUser(mailByUser) },
    ({ viewer }) => sendTestMail(deps, viewer),
  );
}
