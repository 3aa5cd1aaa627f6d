import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { getPicture } from '../../http/load/get-picture.ts';
import { sendFile } from '../../http/send/send-file.ts';
import { readSessionToken } from '../../http/route/sessions.ts';
import type { WatchSignals } from '../live/service.ts';
import { continueStream, endWhenStopped } from '../streams/service.ts';
import { endWhenTakenDown, findSleeve, openTrackFile, parseFirstByte } from './service.ts';
import { sendSleeveFile } from './sleeve-file.ts';
import { buildCoverForMail, buildSleeveForMail } from './mail-pictures.ts';
import { buildSleevePicture, sleevePictures } from './sleeve-picture.ts';

const Params = z.object({
  id: z.string().max(64),
  rendition: z.enum(['stream', 'dataSaver', 'preview']),
});

/** What a browser adds to the address of a full track that it saves for offline listening. */
const Query = z.object({ save: z.literal('1') });

/**
 * Anyone may cache what everyone may hear. The rest only the user's own browser caches, and it asks
 * again each time: when a subscription ends, so does access, with the next request.
 */
const mediaRules = {
  anyone: { cacheControl: 'public, max-age=86400' },
  viewer: { cacheControl: 'private, no-cache' },
  cover: { cacheControl: 'public, max-age=31536000, immutable', isNeverRedirected: true },
};

export function registerTrackMedia(app: FastifyInstance, deps: Deps, watchSignals: WatchSignals) {
  app.route<{ Params: unknown }>({
    method: ['GET', 'HEAD'],
    url: '/media/tracks/:id/:rendition',
    handler: async (request, reply) => {
      const params = Params.safeParse(request.params);
      if (!params.success) throw new AppError('not_found');
      const token = readSessionToken(deps.config, request);
      const file = await openTrackFile(deps, token, params.data);
      const isSave = Query.safeParse(request.query).success;
      if (isSave && !file.canSave)
        throw new AppError('files_off', { message: 'This mix can’t be saved offline any more.' });
      if (file.listening) {
        const { listener, stream } = file.listening;
        const firstByte = parseFirstByte(request.headers.range, file.size);
        await continueStream(deps, listener, stream, { firstByte, isSave });
        endWhenStopped(deps, watchSignals, listener, reply.raw);
        endWhenTakenDown(deps, watchSignals, params.data.id, reply.raw);
      }
      return sendFile(deps, request, reply, file, mediaRules[file.cachedBy]);
    },
  });

  // The name of a sheet of sleeves is longer than Fastify lets a parameter be.
  app.get<{ Params: { '*': string } }>('/media/sleeves/*', async (request, reply) => {
    const file = request.params['*'];
    if (file.endsWith('.svg')) return sendSleeveFile(request, reply);
    const drawn = buildSleeveForMail(file);
    if (drawn) {
      const picture = await getPicture(deps, request, sleevePictures, drawn);
      reply.type('image/png').header('cache-control', mediaRules.cover.cacheControl);
      return reply.send(picture);
    }
    const [, id] = /^(.{1,64})-square\.png$/.exec(file) ?? [];
    const sleeve = id === undefined ? null : await findSleeve(deps, id);
    if (!sleeve) throw new AppError('not_found');
    const picture = await getPicture(
      deps,
      request,
      sleevePictures,
      buildSleevePicture({ ...sleeve, style: deps.config.look.sleeves }),
    );
    return reply.type('image/png').header('cache-control', 'public, max-age=604800').send(picture);
  });

  app.get<{ Params: { name: string } }>('/media/covers/:name', async (request, reply) => {
    const { name } = request.params;
    const [, cover] = /^([a-z0-9]+)\.mail\.jpg$/.exec(name) ?? [];
    if (cover !== undefined) {
      const forMail = buildCoverForMail(deps.storage, cover);
      const picture = await getPicture(deps, request, sleevePictures, forMail);
      if (!picture) throw new AppError('not_found');
      reply.type('image/jpeg').header('cache-control', mediaRules.cover.cacheControl);
      return reply.send(picture);
    }
    const key = `covers/${name}`;
    const stat = /^[a-z0-9]+\.(webp|jpg)$/.test(name) ? await deps.storage.stat(key) : null;
    if (!stat) throw new AppError('not_found');
    const mediaType = name.endsWith('.jpg') ? 'image/jpeg' : 'image/webp';
    const file = { key, size: stat.size, mediaType };
    return sendFile(deps, request, reply, file, mediaRules.cover);
  });
}
