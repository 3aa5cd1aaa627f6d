import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { toRateLimitAddress } from '../../http/address.ts';
import { AppError } from '../../http/app-error.ts';
import { enforceRateLimits, type RateLimit } from '../../http/rate-limit.ts';
import { acceptsGzip } from '../../http/send-json.ts';
import { getTrackDetail } from '../tracks/service.ts';
import { createCardPictures, type Card } from './card-pictures.ts';
import { buildRobots } from './robots.ts';
import { isPossibleId } from './service.ts';
import { getSitemap } from './sitemap.ts';
import { cardOf } from './track-head.ts';

const decompress = promisify(gunzip);

/** Only pictures that have to be drawn count. */
export const drawnCards: RateLimit = { name: 'drawn-cards', limit: 60, periodMs: 60_000 };

export function registerPublicPages(app: FastifyInstance, deps: Deps) {
  const pictures = createCardPictures(deps.storage);

  async function sendCard(card: Card, request: FastifyRequest, reply: FastifyReply) {
    let picture = pictures.find(card);
    if (!picture) {
      const use = { rule: drawnCards, subject: toRateLimitAddress(request.ip) };
      await enforceRateLimits(deps.database.db, [use], deps.clock.now());
      picture = await pictures.draw(card);
    }
    return reply.type('image/png').header('cache-control', 'public, max-age=604800').send(picture);
  }

  app.get('/media/cards/site.png', (request, reply) =>
    sendCard({ kind: 'site', siteName: deps.config.siteName }, request, reply),
  );

  app.get<{ Params: { name: string } }>('/media/cards/:name', async (request, reply) => {
    const [, id = ''] = /^(.{1,64})\.png$/.exec(request.params.name) ?? [];
    if (!isPossibleId(id)) throw new AppError('not_found');
    // The card names the track, so only a track that everyone may see has one.
    const track = await getTrackDetail(deps, null, id).catch((error: unknown) => {
      throw error instanceof AppError ? new AppError('not_found') : error;
    });
    return sendCard(cardOf(track, deps.config.siteName), request, reply);
  });

  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(buildRobots(deps.site.origin)),
  );

  app.get<{ Querystring: { part?: string | string[] } }>('/sitemap.xml', async (request, reply) => {
    const { part } = request.query;
    if (part !== undefined && !/^[1-9]\d{0,4}$/.test(String(part))) throw new AppError('not_found');
    const file = await getSitemap(deps, part === undefined ? null : Number(part));
    reply
      .type('application/xml; charset=utf-8')
      .headers({ 'cache-control': 'public, max-age=600', vary: 'accept-encoding' });
    if (acceptsGzip(request.headers['accept-encoding']?.toString()))
      return reply.header('content-encoding', 'gzip').send(file);
    return reply.send(await decompress(file));
  });
}
