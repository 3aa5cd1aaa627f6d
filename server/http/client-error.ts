import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorStatus, type ErrorCode } from '#contract/errors.ts';
import type { Config } from '../config.ts';
import { AppError } from './app-error.ts';
import { securityHeaders } from './security-headers.ts';
import { newRequestId } from './request-id.ts';

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The whole answer to a request that never became one, in the words of every other error. */
export function writeClientError(reason: string | undefined, config: Config): string {
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

/** Node's own mark on a socket: the answer that is on its way there. */
type AnsweringSocket = Socket & { _httpMessage?: { headersSent: boolean } | null };

/** What the HTTP parser refuses reaches no route and no error handler. */
export const answerClientErrors =
  (config: Config) =>
  (error: NodeJS.ErrnoException, socket: AnsweringSocket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const { _httpMessage: underWay } = socket;
    // Half an answer and then another one would be read as one.
    if (socket.writable && !underWay?.headersSent)
      socket.write(writeClientError(error.code, config));
    socket.destroySoon();
  };
