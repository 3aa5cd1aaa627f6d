import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route.ts';
import { readPulse } from '../reports/service.ts';
import { createHub } from './hub.ts';
import { listSignalsSince } from './service.ts';
import { createStreams } from './streams.ts';

const POLL_EVERY_MS = 500;
/** How often current figures are counted, and only while an administrator is watching. */
const PULSE_EVERY_MS = 3000;
/** A transaction that takes longer than this after writing its signal goes unnoticed. */
const LOOK_BACK_MS = 30_000;

export function registerLiveRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const { database, clock, log } = deps;
  const hub = createHub({
    read: () => listSignalsSince(database.db, clock.now() - LOOK_BACK_MS),
    onError: (error) => log.warn({ err: error }, 'Polling for signals failed.'),
    everyMs: POLL_EVERY_MS,
    now: () => performance.now(),
    watch: { topic: 'admin:pulse', read: () => readPulse(deps), everyMs: PULSE_EVERY_MS },
  });
  const streams = createStreams(hub);
  app.addHook('preClose', async () => {
    streams.endAll();
    hub.close();
  });
  router.viewer('GET /api/live', async ({ viewer, reply }) => {
    // 204 tells a browser that has just logged out to stop reconnecting.
    if (!viewer) {
      reply.code(204);
      return Readable.from([]);
    }
    reply.headers({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      // nginx would buffer the stream.
      'x-accel-buffering': 'no',
    });
    return streams.open(viewer.user);
  });
}
