import type { FastifyReply, FastifyRequest } from 'fastify';
import { createQueue } from '../../background/limited-queue.ts';
import type { Deps } from '../../deps.ts';
import { getPicture } from '../../http/load/get-picture.ts';
import { defineRateLimit } from '../../http/route/rate-limit.ts';
import { matchesEtag } from '../../http/send/send-file.ts';
import { keepPictures, type KeptPictures } from '../../ports/media/drawn-pictures.ts';
import { CARD_BYTES, cardVersion, type Card } from './card-pictures.ts';
import { drawInProcess } from './draw-in-process.ts';

/** Only cards that have to be drawn count: each takes a process of its own. */
export const drawnCards = defineRateLimit({
  name: 'drawn-cards',
  what: 'Pictures of links and posts drawn for one address',
  limit: 60,
  periodMs: 60_000,
});

/** Each card takes a process of its own half a second, for which no cover should wait. */
const drawCardInTurn = createQueue({
  maxRunning: 1,
  maxWaiting: 8,
  maxPerSubject: 4,
  refusal: 'Too many pictures are being drawn right now. Try again in a moment.',
});

export const keepCards = () => keepPictures(CARD_BYTES, drawCardInTurn);

/** A card as a PNG, for someone who may see it. */
export const drawCard = (
  deps: Deps,
  kept: KeptPictures,
  card: Card,
  request: FastifyRequest,
): Promise<Buffer> =>
  getPicture(deps, request, kept, {
    key: cardVersion(card),
    draw: () => drawInProcess(card, deps.storage),
    limit: drawnCards,
  });

type Sending = { request: FastifyRequest; reply: FastifyReply; cacheControl: string };

/** Sends a card to whoever asks for it. */
export async function sendPicture(
  deps: Deps,
  kept: KeptPictures,
  card: Card,
  { request, reply, cacheControl }: Sending,
) {
  const etag = `"${cardVersion(card)}"`;
  reply.headers({ 'cache-control': cacheControl, etag });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('image/png').send(await drawCard(deps, kept, card, request));
}
