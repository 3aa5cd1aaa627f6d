import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { route } from '../../http/route.ts';
import { changeSiteSettings, readSiteSettings, sendTestMail } from './service.ts';

const mailByUser: RateLimit = { name: 'test-mail-user', limit: 10, periodMs: 10 * 60_000 };

export function registerSettingRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/admin/settings', {
    guard: 'admin',
    handler: async () => readSiteSettings(deps),
  });
  route(app, deps, 'PATCH /api/admin/settings', {
    guard: 'admin',
    handler: async ({ viewer, body }) => changeSiteSettings(deps, viewer, body),
  });
  route(app, deps, 'POST /api/admin/settings/test-mail', {
    guard: 'admin',
    rateLimits: ({ viewer }) => [{ rule: mailByUser, subject: viewer.user.id }],
    handler: async ({ viewer }) => sendTestMail(deps, viewer),
  });
}
