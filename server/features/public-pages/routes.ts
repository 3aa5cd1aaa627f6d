import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CardShape } from '#contract/art/card-shapes.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { acceptsGzip } from '../../http/send/send-json.ts';
import { readLook } from '../look/service.ts';
import { getTrackDetail } from '../tracks/service.ts';
import { artistCardOf } from './artist-head.ts';
import { cardLookOf, cardVersion, type Card } from './card-pictures.ts';
import { buildRobots } from './robots.ts';
import { keepCards, sendPicture } from './send-picture.ts';
import { getCardWeek, getPublicArtist, isPossibleId } from './service.ts';
import { getSitemap } from './sitemap.ts';
import { cardOf } from './track-head.ts';

const decompress = promisify(gunzip);

/** `{id}.png` is as wide as link previews; `{id}.square.png` and `{id}.story.png` are for posts. */
function parseCardName(file: string): { name: string; shape: CardShape } {
  const [, name = '', shape = 'wide'] = /^(.{1,64}?)(?:\.(square|story))?\.png$/.exec(file) ?? [];
  if (!isPossibleId(name)) throw new AppError('not_found');
  return { name, shape: shape as CardShape };
}

/** What isn't for everyone looks as if it didn't exist. */
function hide(error: unknown): never {
  throw error instanceof AppError ? new AppError('not_found') : error;
}

export function registerPublicPages(app: FastifyInstance, deps: Deps) {
  const pictures = keepCards();
  const sendCard = (card: Card, request: FastifyRequest, reply: FastifyReply) => {
    // The address of a link's picture changes with it. People save pictures from one that doesn't.
    const isNamed = (request.query as { v?: unknown }).v === cardVersion(card);
    const cacheControl = isNamed ? 'public, max-age=604800' : 'public, no-cache';
    return sendPicture(deps, pictures, card, { request, reply, cacheControl });
  };

  app.get('/media/cards/site.png', (request, reply) =>
    sendCard({ kind: 'site', look: cardLookOf(readLook(deps)) }, request, reply),
  );

  app.get<{ Params: { name: string } }>('/media/cards/weeks/:name', async (request, reply) => {
    const { name, shape } = parseCardName(request.params.name);
    const [, year, week] = /^([1-9]\d{3})-([1-9]|[1-4]\d|5[0-3])$/.exec(name) ?? [];
    if (!year || !week) throw new AppError('not_found');
    const found = await getCardWeek(deps, { year: Number(year), week: Number(week) });
    return sendCard(
      { kind: 'week', look: cardLookOf(readLook(deps)), shape, week: found },
      request,
      reply,
    );
  });

  app.get<{ Params: { name: string } }>('/media/cards/artists/:name', async (request, reply) => {
    const { name, shape } = parseCardName(request.params.name);
    if (shape !== 'wide') throw new AppError('not_found');
    const { artist, tracks } = await getPublicArtist(deps, name).catch(hide);
    return sendCard(artistCardOf(artist, tracks, readLook(deps)), request, reply);
  });

  app.get<{ Params: { name: string } }>('/media/cards/:name', async (request, reply) => {
    const { name, shape } = parseCardName(request.params.name);
    // The card names the track, so only a track that everyone may see has one.
    const track = await getTrackDetail(deps, null, name).catch(hide);
    return sendCard(cardOf(track, readLook(deps), shape), request, reply);
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
