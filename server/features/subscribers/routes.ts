import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { endSubscription, refundPayment } from '../billing/admin/service.ts';
import { listInvoicesOf } from '../billing/invoices/service.ts';
import { changeAdmin, changeDisabled, logOutEverywhere } from './service.ts';
import { listPlaysOf } from './read-subscribers.ts';
import { readSubscriber, readSubscribers, requireSubscriber } from './read-subscribers.ts';

export function registerSubscriberRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/admin/subscribers', {
    guard: 'admin',
    handler: async ({ query }) => readSubscribers(deps, query),
  });
  route(app, deps, 'GET /api/admin/subscribers/:id', {
    guard: 'admin',
    handler: async ({ params }) => readSubscriber(deps, params.id),
  });
  route(app, deps, 'GET /api/admin/subscribers/:id/plays', {
    guard: 'admin',
    handler: async ({ params, query }) => listPlaysOf(deps, params.id, query),
  });
  route(app, deps, 'GET /api/admin/subscribers/:id/invoices', {
    guard: 'admin',
    handler: async ({ params, query }) => {
      await requireSubscriber(deps, params.id);
      return listInvoicesOf(deps, params.id, query);
    },
  });
  route(app, deps, 'PUT /api/admin/subscribers/:id/admin', {
    guard: 'admin',
    handler: async ({ viewer, params, body }) => changeAdmin(deps, viewer, params.id, body),
  });
  route(app, deps, 'PUT /api/admin/subscribers/:id/disabled', {
    guard: 'admin',
    handler: async ({ viewer, params, body }) => changeDisabled(deps, viewer, params.id, body),
  });
  route(app, deps, 'POST /api/admin/subscribers/:id/refund', {
    guard: 'admin',
    handler: async ({ viewer, params, body }) => {
      await requireSubscriber(deps, params.id);
      await refundPayment(deps, viewer, params.id, body);
      return readSubscriber(deps, params.id);
    },
  });
  route(app, deps, 'POST /api/admin/subscribers/:id/end', {
    guard: 'admin',
    handler: async ({ viewer, params, body }) => {
      await requireSubscriber(deps, params.id);
      await endSubscription(deps, viewer, params.id, body);
      return readSubscriber(deps, params.id);
    },
  });
  route(app, deps, 'DELETE /api/admin/subscribers/:id/sessions', {
    guard: 'admin',
    handler: async ({ viewer, params }) => logOutEverywhere(deps, viewer, params.id),
  });
}
