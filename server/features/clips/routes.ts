import type { FastifyInstance } from 'fastify';
import { CLIP_FILES, type ClipFile } from '#contract/clips.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { sendFile } from '../../http/send/send-file.ts';
import { clipFiles } from './jobs.ts';
import {
  createClip,
  getPublicClip,
  getTrackClips,
  listAllClips,
  openClipFile,
  removeClipAsAdmin,
  removeOwnClip,
} from './service.ts';

const clipsByUser = defineRateLimit({
  name: 'clips-user',
  what: 'Clips that one member makes',
  limit: 20,
  periodMs: HOUR,
});

const clipsByDay = defineRateLimit({
  name: 'clips-user-day',
  what: 'Clips that one member makes in a day',
  limit: 40,
  periodMs: DAY,
});

const limitClips = ({ viewer }: { viewer: Viewer }) => [
  ...limitPerUser(clipsByUser)({ viewer }),
  ...limitPerUser(clipsByDay)({ viewer }),
];

/** So short that a clip that was removed is gone from caches a minute later. */
const CACHE = 'public, max-age=60, must-revalidate';

const findFile = (name: string): ClipFile => {
  const file = clipFiles.find((one) => CLIP_FILES[one].name === name);
  if (file === undefined) throw new AppError('not_found');
  return file;
};

export function registerClipRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.user('GET /api/tracks/:id/clips', ({ viewer, params }) =>
    getTrackClips(deps, viewer, params.id),
  );
  router.user(
    'POST /api/tracks/:id/clips',
    { rateLimits: limitClips },
    ({ viewer, params, body }) => createClip(deps, viewer, params.id, body),
  );
  router.public('GET /api/clips/:id', ({ params }) => getPublicClip(deps, params.id));
  router.user('DELETE /api/clips/:id', ({ viewer, params }) =>
    removeOwnClip(deps, viewer, params.id),
  );
  router.helper('GET /api/admin/clips', ({ query }) => listAllClips(deps, query));
  router.helper('DELETE /api/admin/clips/:id', ({ viewer, params }) =>
    removeClipAsAdmin(deps, viewer, params.id),
  );

  app.route<{ Params: { id: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/media/clips/:id/:name',
    handler: async (request, reply) => {
      const { id, name } = request.params;
      // PostgreSQL can't compare a text that contains a NUL.
      if (!/^[a-z0-9]{1,64}$/.test(id)) throw new AppError('not_found');
      const file = await openClipFile(deps, id, findFile(name));
      // It is made to be played by pages of other sites.
      reply.header('cross-origin-resource-policy', 'cross-origin');
      return sendFile(deps, request, reply, file, { cacheControl: CACHE });
    },
  });
}
