import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { closeIssueByHand, keepSubscription, readIssues } from './service.ts';

export function registerPaymentIssueRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.admin('GET /api/admin/payment-issues', ({ query }) => readIssues(deps, query));
  router.admin('POST /api/admin/payment-issues/:id/close', ({ viewer, params, body }) =>
    closeIssueByHand(deps, viewer, params.id, body.note),
  );
  router.admin('PUT /api/admin/payment-issues/:id/keeps-subscription', ({ viewer, params, body }) =>
    keepSubscription(deps, viewer, params.id, body.keepsSubscription),
  );
}
