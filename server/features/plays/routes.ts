import type { FastifyInstance } from 'fastify';
import { MINUTE } from '#contract/rules/time.ts';
import { hasFullAccess } from '#contract/rules/access.ts';
import type { Deps } from '../../deps.ts';
import { defineRateLimit } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { reportStream } from '../streams/service.ts';
import { identifyListener, listListenerKeys } from './listener-key.ts';
import { recordHeartbeat, startPlay, startsByUser } from './service.ts';

/** Many visitors can share an address, but no one may push a mix up the chart by posing as many. */
const startsByVisitors = defineRateLimit({
  name: 'plays-visitors',
  what: 'Plays started by visitors from one address',
  limit: 300,
  periodMs: 10 * MINUTE,
});

export function registerPlayRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.viewer(
    'POST /api/tracks/:id/play',
    {
      rateLimits: ({ viewer, address }) =>
        viewer
          ? [{ rule: startsByUser, subject: viewer.user.id }]
          : [{ rule: startsByVisitors, subject: address }],
    },
    async ({ viewer, params, request, reply }) => {
      const listenerKey = identifyListener(deps.config, viewer, request, reply);
      return startPlay(deps, viewer, { trackId: params.id, listenerKey });
    },
  );
  router.viewer('POST /api/plays/:playId/heartbeat', async ({ viewer, params, body, request }) => {
    const listenerKeys = listListenerKeys(deps.config, viewer, request);
    const listener = { listenerKeys, address: request.ip };
    await recordHeartbeat(deps, viewer, { ...body, playId: params.playId, ...listener });
    if (viewer?.sessionHash && hasFullAccess(viewer.user, deps.clock.now()))
      await reportStream(deps, viewer.sessionHash);
  });
}
