import { buffer } from 'node:stream/consumers';
import type { FastifyReply } from 'fastify';
import { HOUR } from '#contract/rules/time.ts';
import { getPicture } from '../../http/load/get-picture.ts';
import { isUnchanged, sendFile } from '../../http/send/send-file.ts';
import { keepPictures, roundUpSide } from '../../ports/media/drawn-pictures.ts';
import { loadSharp } from '../../ports/media/load-sharp.ts';
import { buildSleevePicture, sleevePictures } from '../tracks/service.ts';
import { getSubsonicArtist } from './artists.ts';
import { listItemsOf } from './browsing.ts';
import type { CallContext } from './call.ts';
import { SubsonicError } from './errors.ts';
import { parseId } from './ids.ts';

const CACHE_CONTROL = `private, max-age=${(24 * HOUR) / 1000}`;

/** No cover is larger, so a larger size means the stored picture. */
const MAX_SIDE = 1000;

/** An app shows the same covers again and again, in one or two sizes. About 20 KB each. */
const smallerCovers = keepPictures(6 * 1024 * 1024);

async function sendStored({ deps, request, reply }: CallContext, key: string) {
  const stat = await deps.storage.stat(key);
  if (!stat) throw new SubsonicError(70);
  const mediaType = key.endsWith('.jpg') ? 'image/jpeg' : 'image/webp';
  const file = { key, size: stat.size, mediaType };
  return sendFile(deps, request, reply, file, {
    cacheControl: CACHE_CONTROL,
    isNeverRedirected: true,
  });
}

/** A JPEG, which every app can show. A small cover stays as small as it is. */
async function drawSmaller({ deps }: CallContext, key: string, side: number): Promise<Buffer> {
  const stored = await deps.storage.open(key);
  if (!stored) throw new SubsonicError(70);
  const sharp = await loadSharp();
  return sharp(await buffer(stored.stream))
    .resize(side, side, { withoutEnlargement: true })
    .jpeg({ quality: 86 })
    .toBuffer();
}

async function sendSmaller(context: CallContext, key: string, side: number) {
  const { deps, request, reply } = context;
  // A key is never used for another picture.
  const etag = `"${key.split('/').at(-1)}-${side}"`;
  reply.headers({ etag, 'cache-control': CACHE_CONTROL });
  if (isUnchanged(request, etag)) return reply.code(304).send();
  const picture = await getPicture(deps, request, smallerCovers, {
    key: `${key} ${side}`,
    draw: () => drawSmaller(context, key, side),
  });
  return reply.type('image/jpeg').send(picture);
}

/**
 * Of a mix, of the newest one of a week, year or artist, or the artist's own picture, in the size that
 * the app wants or a little larger. Without a size, and with 0, it is the picture as it is stored.
 */
export async function getCoverArt(context: CallContext): Promise<FastifyReply> {
  const { deps, params, request, reply } = context;
  const id = params.id();
  const wanted = params.number('size', { otherwise: 0, max: MAX_SIDE });
  const side = wanted > 0 ? roundUpSide(wanted) : 0;
  const send = (key: string) =>
    side > 0 && side < MAX_SIDE ? sendSmaller(context, key, side) : sendStored(context, key);
  if (parseId(id).kind === 'artist') {
    const { pictureKey } = await getSubsonicArtist(context, id);
    if (pictureKey) return send(pictureKey);
  }
  const [item] = await listItemsOf(context, id);
  if (!item) throw new SubsonicError(70);
  const { id: trackId, weekNumber: week, coverUrl } = item.track;
  if (coverUrl) return send(`covers/${coverUrl.split('/').at(-1)}`);
  const sleeve = buildSleevePicture(
    { style: deps.config.look.sleeves, week, trackId },
    side || undefined,
  );
  const picture = await getPicture(deps, request, sleevePictures, sleeve);
  return reply.type('image/png').header('cache-control', CACHE_CONTROL).send(picture);
}

export async function getAvatar(context: CallContext): Promise<FastifyReply> {
  const { viewer, params } = context;
  const username = params.find('username') ?? viewer.user.username;
  const { avatar_key: key } = viewer.user;
  if (username.toLowerCase() !== viewer.user.username.toLowerCase() || !key)
    throw new SubsonicError(70);
  return sendStored(context, key);
}
