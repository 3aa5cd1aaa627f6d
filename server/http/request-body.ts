import type { FastifyInstance } from 'fastify';
import { AppError } from './app-error.ts';

export const JSON_BODY_LIMIT = 64 * 1024;

/** JSON only; an empty body is no body, whatever its content type says. */
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
