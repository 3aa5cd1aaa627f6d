import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import { AppError } from './app-error.ts';

/** Registers routes with their own body parsers, which no other route uses. */
export function registerIsolatedPlugin(
  app: FastifyInstance,
  register: (scope: FastifyInstance) => void,
) {
  const plugin: FastifyPluginCallback = (scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    register(scope);
    done();
  };
  // Without a name, Fastify searches all loaded modules for one, which is slow.
  app.register(Object.assign(plugin, { [Symbol.for('fastify.display-name')]: 'isolated plugin' }));
}

export const JSON_BODY_LIMIT = 64 * 1024;

/** Accepts only JSON. An empty body counts as no body, whatever its content type. */
export function acceptJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string', bodyLimit: JSON_BODY_LIMIT },
    (request, body, done) => {
      if (body.trim() === '') return done(null, undefined);
      void parse(request, body, (error, value) =>
        error
          ? done(new AppError('malformed_request', { message: 'The body is not valid JSON.' }))
          : done(null, value),
      );
    },
  );
}
