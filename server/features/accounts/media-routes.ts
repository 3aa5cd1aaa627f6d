import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';

/** A picture never changes under its address: a new one has a new key. */
export function registerAvatarFiles(app: FastifyInstance, deps: Deps) {
  app.get<{ Params: { name: string } }>('/media/avatars/:name', async (request, reply) => {
    const { name } = request.params;
    const file = /^[a-z0-9]+\.webp$/.test(name) ? await deps.storage.open(`avatars/${name}`) : null;
    if (!file) throw new AppError('not_found');
    return reply
      .headers({
        'content-type': 'image/webp',
        'content-length': file.size,
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(file.stream);
  });
}
