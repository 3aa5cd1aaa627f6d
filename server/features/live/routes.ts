import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { route } from '../../http/route.ts';
import { readPulse } from '../reports/service.ts';
import { createHub } from './hub.ts';
import { listSignalsSince } from './service.ts';
import { createStreams } from './streams.ts';

const LOOK_EVERY_MS = 500;
/** However many listen, the figures of the moment are counted this often, and only while they are looked at. */
const PULSE_EVERY_MS = 3000;
/** A transaction that ends later than this after its signal was written goes unnoticed until the next one. */
const LOOK_BACK_MS = 30_000;

export function registerLiveRoutes(app: FastifyInstance, deps: Deps) {
  const { database, clock, log } = deps;
  const hub = createHub({
    read: () => listSignalsSince(database.db, clock.now() - LOOK_BACK_MS),
    onError: (error) => log.warn({ err: error }, 'looking for signals failed'),
    everyMs: LOOK_EVERY_MS,
    now: () => performance.now(),
    watch: { topic: 'admin:pulse', read: () => readPulse(deps), everyMs: PULSE_EVERY_MS },
  });
  const streams = createStreams(hub);
  app.addHook('preClose', async () => {
    streams.endAll();
    hub.close();
  });

  route(app, deps, 'GET /api/live', {
    guard: 'viewer',
    handler: async ({ viewer, reply }) => {
      // A browser that has just been signed out is told to stop asking, which is no error.
      if (!viewer) {
        reply.code(204);
        return Readable.from([]);
      }
      reply.headers({
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        // nginx would hold a stream back until it is long enough.
        'x-accel-buffering': 'no',
      });
      return streams.open(viewer.user);
    },
  });
}
