import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorStatus, type ErrorCode } from '#contract/errors.ts';
import type { Config } from '../config.ts';
import { AppError } from './app-error.ts';
import { securityHeaders } from './security-headers.ts';
import { newRequestId } from './log.ts';

/** Our codes for errors of the framework. */
const frameworkErrors: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('payload_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new AppError('malformed_request'),
  FST_ERR_BAD_URL: () => new AppError('malformed_request', { message: 'The URL is invalid.' }),
};

export function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code && frameworkErrors[code];
  if (known) return known();
  // Other errors that the framework blames on the client, such as broken JSON.
  return statusCode && statusCode >= 400 && statusCode < 500
    ? new AppError('malformed_request')
    : null;
}

const contentHeaders = ['etag', 'accept-ranges', 'content-range', 'content-length', 'content-type'];

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toAppError(error);
  if (!refusal) request.log.error({ reqId: request.id, err: error }, 'Request failed.');
  const answer = refusal ?? new AppError('internal');
  // These headers described the answer that failed.
  for (const name of contentHeaders) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
  return reply.code(answer.status).headers(answer.headers).send(answer.toBody());
}

export function handleErrors(app: FastifyInstance) {
  app.setErrorHandler(sendError);
}

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The whole HTTP response for a request that Node could not parse. */
export function formatClientError(reason: string | undefined, config: Config): string {
  const code = codes[reason ?? ''] ?? 'malformed_request';
  const status = errorStatus[code];
  const body = JSON.stringify(new AppError(code).toBody());
  const headers = {
    ...securityHeaders(config),
    'x-request-id': newRequestId(),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

/** Node keeps the current response on the socket. */
type AnsweringSocket = Socket & { _httpMessage?: { headersSent: boolean } | null };

/** Requests that Node's HTTP parser rejects reach no route and no error handler. */
export const handleClientErrors =
  (config: Config) =>
  (error: NodeJS.ErrnoException, socket: AnsweringSocket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const { _httpMessage: current } = socket;
    // A second response in the middle of the first would be read as part of it.
    if (socket.writable && !current?.headersSent)
      socket.write(formatClientError(error.code, config));
    socket.destroySoon();
  };
