import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import {
  connectByToken,
  disconnect,
  finishLastfm,
  getScrobbling,
  pauseScrobbling,
  startLastfm,
} from './service.ts';

const changesByUser = defineRateLimit({
  name: 'scrobbling-user',
  what: 'Changes of scrobbling by one user',
  limit: 60,
  periodMs: HOUR,
});
/** Each one is a request to another server. */
const connectsByUser = defineRateLimit({
  name: 'scrobbling-connect',
  what: 'Scrobbling services connected by one user',
  limit: 20,
  periodMs: HOUR,
});

export function registerScrobblingRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const changing = { rateLimits: limitPerUser(changesByUser) };
  const connecting = { rateLimits: limitPerUser(connectsByUser) };
  router.user('GET /api/me/scrobbling', ({ viewer }) => getScrobbling(deps, viewer));
  router.user('PATCH /api/me/scrobbling', changing, ({ viewer, body }) =>
    pauseScrobbling(deps, viewer, body.isPaused),
  );
  router.user('PUT /api/me/scrobbling/listenbrainz', connecting, ({ viewer, body }) =>
    connectByToken(deps, viewer, body),
  );
  router.user('POST /api/me/scrobbling/lastfm', changing, ({ viewer }) =>
    startLastfm(deps, viewer),
  );
  router.user('PUT /api/me/scrobbling/lastfm', connecting, ({ viewer, body }) =>
    finishLastfm(deps, viewer, body),
  );
  router.user('DELETE /api/me/scrobbling/:service', changing, ({ viewer, params }) =>
    disconnect(deps, viewer, params.service),
  );
}
