import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { defineGauge } from '../../http/load/counters.ts';
import type { Deps } from '../../deps.ts';
import { createRouter } from '../../http/route/route.ts';
import { createHub, type Hub } from './hub.ts';
import { listSignalsSince, type WatchSignals } from './service.ts';
import { reloadSettings } from '../settings/service.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { SessionUser } from '../../http/route/sessions.ts';

const POLL_EVERY_MS = 500;
/** How often current figures are counted, and only while an administrator is watching. */
const PULSE_EVERY_MS = 3000;
/** A transaction that takes longer than this after writing its signal goes unnoticed. */
const LOOK_BACK_MS = 30_000;

export function registerLiveRoutes(app: FastifyInstance, deps: Deps): WatchSignals {
  const router = createRouter(app, deps);
  const { database, clock, log } = deps;
  const readFigures = async () => {
    const { readPulse } = await import('../week/service.ts');
    return readPulse(deps);
  };
  const hub = createHub({
    read: () => listSignalsSince(database.db, clock.now() - LOOK_BACK_MS),
    // What pages ask for when they hear of it is answered with what another server has saved.
    prepare: async (topics) => {
      if (topics.has('admin:settings')) await reloadSettings(deps);
    },
    onError: (error) => log.warn({ err: error }, 'Polling for signals failed.'),
    everyMs: POLL_EVERY_MS,
    now: () => performance.now(),
    watch: { topic: 'admin:pulse', read: readFigures, everyMs: PULSE_EVERY_MS },
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
  return (topic, send) =>
    hub.subscribe({ isInterestedIn: (candidate) => candidate === topic, send });
}

/** Proxies end idle connections. */
const BEAT_MS = 25_000;
/** Then the browser reconnects, and we check access again. */
const STREAM_MS = 5 * 60_000;
const MAX_PER_USER = 10;
/** How many unread bytes a browser may accumulate before we disconnect it. */
const MAX_UNREAD = 64 * 1024;

const countStreams = defineGauge('weekender_live_streams', 'Open pages that listen for changes.');

type Streams = { open: (user: SessionUser) => Readable; endAll: () => void };

const createTopicFilter = (user: SessionUser) => {
  const own = `user:${user.id}`;
  return (topic: string): boolean =>
    topic === own ||
    topic === 'everyone/mixes' ||
    topic.startsWith(`${own}/`) ||
    (user.is_admin === 1 && topic.startsWith('admin:')) ||
    (user.is_helper === 1 && (topic === 'admin:tracks' || topic === 'admin:letters'));
};

function createStreams(hub: Hub): Streams {
  const open = new Map<Readable, string>();
  let isClosed = false;

  function addStream(user: SessionUser): Readable {
    // A browser that reconnects while the server closes would keep it open.
    if (isClosed) return Readable.from([]);
    const openCount = [...open.values()].filter((id) => id === user.id).length;
    if (openCount >= MAX_PER_USER) throw new AppError('rate_limited');
    const stream = new Readable({ read() {} });
    open.set(stream, user.id);
    countStreams(1);
    const send = (text: string) => {
      if (stream.readableLength > MAX_UNREAD) stream.destroy();
      else stream.push(text);
    };
    const unsubscribe = hub.subscribe({
      isInterestedIn: createTopicFilter(user),
      send: (topic) => send(`data: ${topic.replace(/^(?:everyone|user:[^/]*)/, 'me')}\n\n`),
    });
    const beat = setInterval(() => send(': still here\n\n'), BEAT_MS).unref();
    const end = setTimeout(() => stream.push(null), STREAM_MS).unref();
    stream.once('close', () => {
      open.delete(stream);
      countStreams(-1);
      clearInterval(beat);
      clearTimeout(end);
      unsubscribe();
    });
    send('retry: 2000\n\n');
    return stream;
  }

  return {
    open: addStream,
    endAll: () => {
      isClosed = true;
      for (const stream of open.keys()) stream.push(null);
    },
  };
}
