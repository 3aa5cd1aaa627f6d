import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { defineRateLimit, limitPerAddress } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { storeBatch } from './service.ts';

/** Fifty events with texts of maximum length, in base64. */
const BODY_LIMIT = 256 * 1024;
/** A browser sends at most twelve a minute, but many people can share an address. */
const perAddress = defineRateLimit({
  name: 'events-address',
  what: 'Batches of analytics events from one address',
  limit: 600,
  periodMs: 60_000,
});

export function registerAnalyticsRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.viewer(
    'POST /api/events',
    {
      bodyLimit: BODY_LIMIT,
      rateLimits: limitPerAddress(perAddress),
    },
    async ({ viewer, body, request }) => {
      const refusal = await storeBatch(deps, viewer, { form: body, address: request.ip });
      // Not an error of the browser: it deletes the events and goes on.
      return refusal === null ? { status: 1, error: null } : { status: 0, error: refusal };
    },
  );
}
