import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { cacheUntil, parseCdnPath } from '../../http/send/cdn-address.ts';
import { getPicture } from '../../http/load/get-picture.ts';
import { sendFile } from '../../http/send/send-file.ts';
import { readSessionToken } from '../../http/route/sessions.ts';
import type { WatchSignals } from '../live/service.ts';
import { continueStream, endWhenStopped } from '../streams/service.ts';
import { endWhenTakenDown, findSleeve, openTrackFile, parseFirstByte } from './service.ts';
import { nameDownload, openFileForCdn } from './track-files.ts';
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
      const options = { ...mediaRules[file.cachedBy], isForCdn: true };
      return sendFile(deps, request, reply, file, options);
    },
  });

  // What a CDN fetches: it has no session, only the address that a listener got from `sendFile`.
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/cdn/*',
    handler: async (request, reply) => {
      // The same for everyone, so that one copy serves pages, and players on other sites.
      reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'accept-ranges, content-range, content-length',
        'cross-origin-resource-policy': 'cross-origin',
        'x-robots-tag': 'noindex',
      });
      const grant = deps.config.cdnUrl ? await parseCdnPath(deps, request.url) : null;
      const now = deps.clock.now();
      if (!grant || grant.endsAt <= now)
        throw new AppError('forbidden', {
          message: 'This address is wrong or has ended. Start the mix or the download again.',
        });
      const file = await openFileForCdn(deps, grant);
      endWhenTakenDown(deps, watchSignals, grant.trackId, reply.raw);
      const { 'cache-control': cacheControl, expires } = cacheUntil(grant.endsAt, now);
      reply.header('expires', expires);
      return sendFile(deps, request, reply, file, {
        cacheControl,
        isSentByUs: true,
        ...(grant.use === 'save' && {
          attachmentName: nameDownload(deps.config, file, grant.rendition),
        }),
      });
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
