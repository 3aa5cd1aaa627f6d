import type { FastifyInstance } from 'fastify';
import { LETTER_PICTURE_MAX_BYTES } from '#contract/admin/letters.ts';
import { LETTER_FEED_PATH } from '#contract/letters.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { defineRateLimit, limitPerUser } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { matchesEtag } from '../../http/send/send-file.ts';
import { uploadPicture } from './pictures.ts';
import { listPublicLetters, openLetterFeed, readLetter } from './public-letters.ts';
import {
  createLetter,
  deleteLetter,
  getLetter,
  getLetters,
  getReach,
  previewLetter,
  resumeLetter,
  saveLetter,
  sendLetter,
  stopLetter,
  testLetter,
} from './service.ts';

/** The longest text as JSON. */
const BODY_LIMIT = 256 * 1024;

const testsByUser = defineRateLimit({
  name: 'letter-test-user',
  what: 'Letters that one writer sends to themselves',
  limit: 30,
  periodMs: 10 * 60_000,
});

export function registerLetterRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const bodyLimit = BODY_LIMIT;
  router.viewer('GET /api/letters', ({ viewer, query }) => listPublicLetters(deps, viewer, query));
  router.viewer('GET /api/letters/:id', ({ viewer, params }) =>
    readLetter(deps, viewer, params.id),
  );
  router.helper('GET /api/admin/letters', ({ query }) => getLetters(deps, query));
  router.helper('POST /api/admin/letters', ({ viewer }) => createLetter(deps, viewer));
  router.helper('GET /api/admin/letters/reach', () => getReach(deps));
  router.helper(
    'POST /api/admin/letters/pictures',
    { bodyLimit: LETTER_PICTURE_MAX_BYTES },
    ({ viewer, body }) => uploadPicture(deps, viewer, body),
  );
  router.helper('POST /api/admin/letters/preview', { bodyLimit }, ({ viewer, body }) =>
    previewLetter(deps, viewer, body),
  );
  router.helper(
    'POST /api/admin/letters/test',
    { bodyLimit, rateLimits: limitPerUser(testsByUser) },
    ({ viewer, body }) => testLetter(deps, viewer, body),
  );
  router.helper('GET /api/admin/letters/:id', ({ params }) => getLetter(deps, params.id));
  router.helper('PATCH /api/admin/letters/:id', { bodyLimit }, ({ viewer, params, body }) =>
    saveLetter(deps, viewer, params.id, body),
  );
  router.helper('DELETE /api/admin/letters/:id', ({ viewer, params }) =>
    deleteLetter(deps, viewer, params.id),
  );
  // What goes to everyone needs more than a session.
  router.helper(
    'POST /api/admin/letters/:id/send',
    { needsConfirmation: true },
    ({ viewer, params, body }) => sendLetter(deps, viewer, params.id, body),
  );
  router.helper('POST /api/admin/letters/:id/stop', ({ viewer, params }) =>
    stopLetter(deps, viewer, params.id),
  );
  router.helper(
    'POST /api/admin/letters/:id/go-on',
    { needsConfirmation: true },
    ({ viewer, params }) => resumeLetter(deps, viewer, params.id),
  );
}

/** The letters that everyone may read, for feed readers. */
export function registerLetterFeed(app: FastifyInstance, deps: Deps) {
  app.get(LETTER_FEED_PATH, async (request, reply) => {
    const feed = await openLetterFeed(deps);
    if (!feed) throw new AppError('not_found');
    reply.headers({ 'cache-control': 'public, max-age=600', etag: feed.etag });
    if (matchesEtag(request.headers['if-none-match'], feed.etag)) return reply.code(304).send();
    return reply.type('application/rss+xml; charset=utf-8').send(await feed.read());
  });
}
