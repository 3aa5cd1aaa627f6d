import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify';
import type { Socket } from 'node:net';
import { errorStatus, type ErrorCode } from '#contract/errors.ts';
import { isPagePath } from '#contract/page-paths.ts';
import { defineCounter } from '../load/counters.ts';
import type { Config } from '../../config.ts';
import { securityHeaders } from '../send/security-headers.ts';
import { logOutage } from '../../log/log-outage.ts';
import { newRequestId } from '../../log/log.ts';
import { QueueFull } from '../../background/limited-queue.ts';
import { findOutage } from '../../outage.ts';
import { AppError } from './app-error.ts';
import { escapeHtml } from '../send/escape-html.ts';
import { isShownAsPage, sendPlainPage } from '../pages/plain-page.ts';

const DISK_FULL =
  'The server’s disk is full, so this can’t be saved now. Listening still works. Try again later.';
const STORE_REFUSES =
  'The store with this site’s files refuses this site, so this didn’t work. Waiting doesn’t help: whoever runs the site finds in its log which setting to check.';
const NEEDS_SCRIPTS = 'This form needs JavaScript. Turn it on in your browser, then try again.';
/** Seconds after which a client may try again. */
export const RETRY_AFTER = '5';

/** Something that the server needs is gone or silent, or its disk is full. */
function describeOutage(error: unknown): AppError | null {
  const outage = findOutage(error);
  if (!outage) return null;
  if (outage.kind === 'full') return new AppError('disk_full', { message: DISK_FULL });
  return new AppError('unavailable', outage.kind === 'refused' ? { message: STORE_REFUSES } : {});
}

/** Our codes for errors of the framework. */
const frameworkErrors: Record<string, (request: FastifyRequest) => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ({ routeOptions }) => {
    const megabytes = Math.floor((routeOptions.bodyLimit ?? 0) / 1024 ** 2);
    const message = `This file is too large. Use one of at most ${megabytes} MB.`;
    return new AppError('payload_too_large', megabytes > 0 ? { message } : {});
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new AppError('malformed_request'),
  FST_ERR_BAD_URL: () => new AppError('malformed_request', { message: 'The URL is invalid.' }),
};

function toAppError(error: unknown, request: FastifyRequest): AppError | null {
  if (error instanceof AppError) return error;
  if (error instanceof QueueFull)
    return new AppError('unavailable', {
      message: error.message,
      headers: { 'retry-after': '3' },
    });
  const { code, statusCode } = error as Partial<FastifyError>;
  const known = code && frameworkErrors[code];
  if (known) return known(request);
  // Other errors that the framework blames on the client, such as broken JSON.
  return statusCode && statusCode >= 400 && statusCode < 500
    ? new AppError('malformed_request')
    : null;
}

/** Someone tries a password, a code or a passkey that is wrong, tries too often, or from another site. */
const watchedCodes = new Set<ErrorCode>([
  'invalid_credentials',
  'totp_invalid',
  'passkey_refused',
  'wrong_password',
  'account_disabled',
  'demo_only_local',
  'rate_limited',
  'cross_origin',
]);

const countRefusal = defineCounter(
  'weekender_refusals_total',
  'Wrong passwords, codes and passkeys, and attempts beyond a limit, from another site or at an admin page.',
  ['code'],
);

/** What an operator needs to see who tries what, and nothing that was typed. */
function logRefusal({ code, logged }: AppError, request: FastifyRequest) {
  if (!watchedCodes.has(code) && !logged.account) return;
  countRefusal(code);
  const { id: reqId, ip, routeOptions, viewer } = request;
  const account = viewer?.user.id;
  const route = `${request.method} ${routeOptions.url ?? '(page)'}`;
  request.log.warn({ reqId, code, route, ip, ...(account && { account }), ...logged }, 'Refused.');
}

const contentHeaders = [
  'etag',
  'last-modified',
  'accept-ranges',
  'content-range',
  'content-length',
  'content-type',
  'expires',
];

const noteOutage = ({ log, id: reqId }: FastifyRequest, err: unknown) =>
  logOutage(log, (details, message) => log.warn(details, message), {
    details: { reqId, err },
    message: 'Part of the site is down.',
  });

/** Logs what an operator must know, and returns what the client may. */
export function explainError(error: unknown, request: FastifyRequest): AppError {
  const refusal = toAppError(error, request);
  const outage = refusal ? null : describeOutage(error);
  if (refusal) logRefusal(refusal, request);
  else if (outage) noteOutage(request, error);
  else request.log.error({ reqId: request.id, err: error }, 'Request failed.');
  return refusal ?? outage ?? new AppError('internal');
}

/** Removes the headers that described the answer that failed. */
export function resetHeaders(reply: FastifyReply, answer: AppError) {
  for (const name of contentHeaders) reply.removeHeader(name);
  reply.header('cache-control', 'no-store');
  if (answer.status === 503) reply.header('retry-after', RETRY_AFTER);
  reply.headers(answer.headers);
}

/** JSON for programs, a page for people: a form that was sent without scripts shows what it gets. */
export const sendError =
  (site: Pick<Config, 'siteName'>) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const answer = explainError(error, request);
    resetHeaders(reply, answer);
    reply.code(answer.status);
    if (!isShownAsPage(request)) return reply.send(answer.toBody());
    const isForm = request.method !== 'GET' && answer.status !== 404;
    return sendPlainPage(reply, {
      siteName: site.siteName,
      title: answer.status === 404 ? 'Page not found' : 'That didn’t work',
      body: [
        `<p>${escapeHtml(answer.message)}</p>`,
        isForm ? '<p>Your browser’s Back button brings back what you entered.</p>' : '',
        '<p><a href="/">Go home</a></p>',
      ].join(''),
    });
  };

export function handleErrors(app: FastifyInstance, site: Pick<Config, 'siteName'>) {
  app.setErrorHandler(sendError(site));
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
  // Any text may follow the status. Node's own ones are in `node:http`: importing it here would load
  // Node's HTTP client too, which takes 12 MB.
  return [`HTTP/1.1 ${status} ${code}`, ...lines, '', body].join('\r\n');
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

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route that the server answers, with its method. */
    routeList: Pick<RouteOptions, 'method' | 'url'>[];
  }
}

type RoutePattern = { method: string; segments: readonly string[] };

const split = (path: string) => path.split('/').filter(Boolean);

const toPatterns = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>): RoutePattern[] =>
  [method].flat().map((name) => ({ method: name, segments: split(url) }));

const matches = (pattern: readonly string[], path: readonly string[]) =>
  pattern.length === path.length &&
  pattern.every((segment, index) => segment.startsWith(':') || segment === path[index]);

/** The methods that a path allows. */
function findAllowedMethods(patterns: readonly RoutePattern[], path: string): string[] {
  const segments = split(path);
  return [
    ...new Set(
      patterns
        .filter((pattern) => matches(pattern.segments, segments))
        .map((pattern) => pattern.method),
    ),
  ];
}

/** Returns true if it has answered. */
export type Fallback = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

/** Answers 405 for a known path, the web app's page for a browser, and 404 for the rest. */
export function handleUnknownPaths(app: FastifyInstance) {
  const routes: FastifyInstance['routeList'] = [];
  app.decorate('routeList', routes);
  app.addHook('onRoute', ({ method, url }) => void routes.push({ method, url }));
  let patterns: RoutePattern[] | null = null;
  return (fallback: Fallback) => {
    app.setNotFoundHandler(async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      patterns ??= routes.flatMap(toPatterns);
      const allowed = findAllowedMethods(patterns, path);
      // A route that wants to look like an unknown path calls this handler itself.
      if (request.method === 'POST' && isPagePath(path) && isShownAsPage(request))
        throw new AppError('method_not_allowed', { message: NEEDS_SCRIPTS });
      if (allowed.length > 0 && !allowed.includes(request.method))
        throw new AppError('method_not_allowed', { headers: { allow: allowed.join(', ') } });
      if (await fallback(request, reply)) return reply;
      throw new AppError('not_found');
    });
  };
}
