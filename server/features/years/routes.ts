import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { YearShape } from '#contract/art/card-shapes.ts';
import { MINUTE } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { toRateLimitAddress } from '../../http/route/address.ts';
import { defineRateLimit, enforceRateLimits } from '../../http/route/rate-limit.ts';
import { createRouter } from '../../http/route/route.ts';
import { buildContentDisposition, toFileName } from '../../http/send/attachment.ts';
import { drawCard, keepCards, sendPicture } from '../public-pages/service.ts';
import {
  getSharedYearCard,
  getSiteYear,
  getSiteYearCard,
  getYear,
  getYearCard,
  shareYear,
  unshareYear,
} from './service.ts';

/** Also those that nobody draws: a year is counted before anyone knows that its picture is the same. */
export const picturesByAddress = defineRateLimit({
  name: 'shared-year-address',
  what: 'Pictures of shared years loaded from one address',
  limit: 120,
  periodMs: 10 * MINUTE,
});

type YearCard = Awaited<ReturnType<typeof getYearCard>>;

/** `{token}.png` is the poster; `{token}.square.png` and `{token}.story.png` are for posts. */
function parseName(file: string): { token: string; shape: YearShape } {
  const [, token, shape = 'poster'] = /^([\w-]{1,64})(?:\.(square|story))?\.png$/.exec(file) ?? [];
  if (token === undefined) throw new AppError('not_found');
  return { token, shape: shape as YearShape };
}

export function registerYearRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  const pictures = keepCards();

  /** A picture to save, by a name that says what it is. */
  async function sendFile(
    card: YearCard,
    shape: YearShape,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<Readable> {
    const picture = await drawCard(deps, pictures, { kind: 'year', shape, ...card }, request);
    const name = toFileName([card.look.siteName, String(card.year.year), shape], 'png');
    reply.type('image/png').headers({
      'cache-control': 'private, no-cache',
      'content-length': picture.length,
      'content-disposition': buildContentDisposition(name),
    });
    return Readable.from([picture]);
  }

  router.user('GET /api/years/:year', ({ viewer, params }) => getYear(deps, viewer, params.year));
  router.user('GET /api/years/:year/picture', async (context) => {
    const { viewer, params, query } = context;
    return sendFile(await getYearCard(deps, viewer, params.year), query.shape, context);
  });
  router.user('PUT /api/years/:year/share', ({ viewer, params, body }) =>
    shareYear(deps, viewer, { ...params, ...body }),
  );
  router.user('DELETE /api/years/:year/share', ({ viewer, params }) =>
    unshareYear(deps, viewer, params.year),
  );
  router.helper('GET /api/admin/years/:year', ({ params }) => getSiteYear(deps, params.year));
  router.helper('GET /api/admin/years/:year/picture', async (context) => {
    const { params, query } = context;
    return sendFile(await getSiteYearCard(deps, params.year), query.shape, context);
  });

  app.get<{ Params: { name: string } }>('/media/cards/years/:name', async (request, reply) => {
    const { token, shape } = parseName(request.params.name);
    const use = { rule: picturesByAddress, subject: toRateLimitAddress(request.ip) };
    await enforceRateLimits(deps.database.db, [use], deps.clock.now());
    const card = await getSharedYearCard(deps, token);
    reply.header('x-robots-tag', 'noindex');
    // It ends as soon as the member turns it off.
    const sending = { request, reply, cacheControl: 'no-cache' };
    return sendPicture(deps, pictures, { kind: 'year', shape, ...card }, sending);
  });
}
