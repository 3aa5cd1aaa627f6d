import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { route } from '../../http/route.ts';
import { readInvoice, readInvoices } from './invoices.ts';
import { readPlans, readSubscription } from './service.ts';

export function registerBillingRoutes(app: FastifyInstance, deps: Deps) {
  route(app, deps, 'GET /api/plans', { guard: 'public', handler: async () => readPlans(deps) });

  route(app, deps, 'GET /api/subscription', {
    guard: 'member',
    handler: async ({ actor }) => readSubscription(deps, actor),
  });

  route(app, deps, 'GET /api/subscription/invoices', {
    guard: 'member',
    handler: async ({ actor, query }) => readInvoices(deps, actor, query),
  });

  route(app, deps, 'GET /api/subscription/invoices/:id', {
    guard: 'member',
    handler: async ({ actor, params }) => readInvoice(deps, actor, params.id),
  });

  const refuse = async () => {
    throw new AppError('provider_unavailable');
  };
  for (const key of [
    'GET /api/checkout/quote',
    'POST /api/checkout',
    'POST /api/checkout/:reference/settle',
    'POST /api/subscription/cancel',
    'POST /api/subscription/resume',
    'POST /api/subscription/change',
    'POST /api/subscription/card',
    'POST /api/gifts/:token/redeem',
  ] as const)
    route(app, deps, key, { guard: 'member', handler: refuse });
  route(app, deps, 'GET /api/gifts/:token', { guard: 'public', handler: refuse });
}
