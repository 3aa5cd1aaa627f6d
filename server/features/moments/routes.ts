import type { FastifyInstance } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import {
  banAuthor,
  hideMoment,
  listAllMoments,
  readAuthor,
  readTrack,
  turnOff,
} from './moderate.ts';
import {
  changeMoment,
  deleteMoment,
  leaveMoment,
  listOwnMoments,
  listTrackMoments,
  readMarks,
} from './service.ts';

/** More than anybody has to say, and less than a program would. */
const linesByUser = defineRateLimit({
  name: 'moment-user',
  what: 'Moments left by one user',
  limit: 60,
  periodMs: HOUR,
});
const changesByUser = defineRateLimit({
  name: 'moment-change-user',
  what: 'Changes and deletions of moments by one user',
  limit: 240,
  periodMs: HOUR,
});

export function registerMomentRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const changing = { rateLimits: limitPerUser(changesByUser) };
  router.user('GET /api/tracks/:id/moments', ({ viewer, params, query }) =>
    listTrackMoments(deps, viewer, params.id, query),
  );
  router.user('GET /api/tracks/:id/moments/marks', ({ viewer, params }) =>
    readMarks(deps, viewer, params.id),
  );
  router.user(
    'POST /api/tracks/:id/moments',
    { rateLimits: limitPerUser(linesByUser) },
    ({ viewer, params, body }) => leaveMoment(deps, viewer, params.id, body),
  );
  router.user('PATCH /api/moments/:id', changing, ({ viewer, params, body }) =>
    changeMoment(deps, viewer, params.id, body.text),
  );
  router.user('DELETE /api/moments/:id', changing, ({ viewer, params }) =>
    deleteMoment(deps, viewer, params.id),
  );
  router.user('GET /api/me/moments', ({ viewer, query }) => listOwnMoments(deps, viewer, query));
  router.helper('GET /api/admin/moments', ({ query }) => listAllMoments(deps, query));
  router.helper('PUT /api/admin/moments/:id/hidden', ({ viewer, params, body }) =>
    hideMoment(deps, viewer, params.id, body.isHidden),
  );
  router.helper('GET /api/admin/moments/authors/:id', ({ params }) => readAuthor(deps, params.id));
  router.helper('PUT /api/admin/moments/authors/:id', ({ viewer, params, body }) =>
    banAuthor(deps, viewer, params.id, body.ban),
  );
  router.helper('GET /api/admin/moments/tracks/:id', ({ params }) => readTrack(deps, params.id));
  router.helper('PUT /api/admin/moments/tracks/:id', ({ viewer, params, body }) =>
    turnOff(deps, viewer, params.id, body.isOff),
  );
}
