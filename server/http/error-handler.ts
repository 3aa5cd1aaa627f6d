import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

/** What the framework refuses by itself, in our codes. */
const frameworkErrors: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('payload_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new AppError('malformed_request'),
  FST_ERR_BAD_URL: () =>
    new AppError('malformed_request', { message: 'The address could not be read.' }),
};

export function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code && frameworkErrors[code];
  if (known) return known();
  // Whatever else the framework blames on the caller, such as broken JSON, is a 4xx of ours too.
  return statusCode && statusCode >= 400 && statusCode < 500
    ? new AppError('malformed_request')
    : null;
}

const aboutContent = ['etag', 'accept-ranges', 'content-range', 'content-length', 'content-type'];

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toAppError(error);
  if (!refusal) request.log.error({ reqId: request.id, err: error }, 'request failed');
  const answer = refusal ?? new AppError('internal');
  // What was said of the answer that did not come to be does not hold for this one.
  for (const name of aboutContent) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
  return reply.code(answer.status).headers(answer.headers).send(answer.toBody());
}

export function handleErrors(app: FastifyInstance) {
  app.setErrorHandler(sendError);
}
