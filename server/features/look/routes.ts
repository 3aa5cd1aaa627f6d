import type { FastifyInstance } from 'fastify';
import { LOOK_IMAGE_MAX_BYTES } from '#contract/admin/look.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import { createRouter } from '../../http/route/route.ts';
import { sendFile } from '../../http/send/send-file.ts';
import { getAbout } from './about.ts';
import { keyOf, prepareImage, typeOf } from './images.ts';

const FILE = /^[0-9a-z]{20,40}-\d{1,5}x\d{1,5}(?:\.[a-z\d]{1,10})?\.(?:svg|png|webp|jpg)$/;

export function registerLookRoutes(app: FastifyInstance, deps: Deps) {
  const router = createRouter(app, deps);
  router.viewer('GET /api/about', ({ viewer }) => getAbout(deps, viewer));
  router.admin(
    'POST /api/admin/look/:kind',
    { bodyLimit: LOOK_IMAGE_MAX_BYTES, acceptsSvg: true },
    ({ viewer, params, body }) => prepareImage(deps, viewer, params.kind, body),
  );

  app.get<{ Params: { file: string } }>('/media/look/:file', async (request, reply) => {
    const { file } = request.params;
    const stat = FILE.test(file) ? await deps.storage.stat(keyOf(file)) : null;
    if (!stat) throw new AppError('not_found');
    reply.headers({
      // We built it ourselves, and still nothing in it could run.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      // A mask is only shown by a page that may read it, and the frame of an embed has no origin.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const sent = { key: keyOf(file), size: stat.size, mediaType: typeOf(file) };
    return sendFile(deps, request, reply, sent, {
      cacheControl: 'public, max-age=31536000, immutable',
      isNeverRedirected: true,
    });
  });
}
