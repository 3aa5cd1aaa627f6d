import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CastRendition } from '#contract/clients/casting.ts';
import { HOUR } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { sendFile } from '../../http/send/send-file.ts';
import type { WatchSignals } from '../live/service.ts';
import { endWhenStopped } from '../streams/service.ts';
import { endWhenTakenDown, parseFirstByte } from '../tracks/service.ts';
import { createCastUrl, openCast } from './service.ts';

/** One per mix, and again when a speaker loses its connection. */
const castsByUser = defineRateLimit({
  name: 'cast-user',
  what: 'Cast addresses for one user',
  limit: 200,
  periodMs: HOUR,
});

const Params = z.object({ id: z.string().max(64), rendition: CastRendition });

export function registerCastRoutes(app: FastifyInstance, deps: Deps, watchSignals: WatchSignals) {
  const router = createRouter(app, deps);
  router.user(
    'POST /api/tracks/:id/cast',
    { rateLimits: limitPerUser(castsByUser) },
    ({ viewer, params, body }) =>
      createCastUrl(deps, viewer, { id: params.id, rendition: body.rendition }),
  );
  app.route<{ Params: unknown; Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: '/media/casts/:id/:rendition',
    handler: async (request, reply) => {
      const params = Params.safeParse(request.params);
      if (!params.success) throw new AppError('not_found');
      const { token } = request.query;
      const firstByte = (size: number) => parseFirstByte(request.headers.range, size);
      const file = await openCast(deps, { ...params.data, token, firstByte });
      if (file.listening) endWhenStopped(deps, watchSignals, file.listening.listener, reply.raw);
      endWhenTakenDown(deps, watchSignals, params.data.id, reply.raw);
      // Some speakers load audio as a page would, from an origin of their own.
      reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'accept-ranges, content-range, content-length',
      });
      // Not by the CDN: a speaker may load only for as long as the device that cast it plays.
      return sendFile(deps, request, reply, file, { cacheControl: 'private, no-cache' });
    },
  });
}
