import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from './app-error.ts';

type Headers = {
  origin?: string | undefined;
  host?: string | undefined;
  site?: string | undefined;
};
type Site = { appOrigin: string | null };

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const sharedPrefix = '/api/auth/reset-password';
/** Music apps, also those that are web pages. They send a password with each call, and cookies mean nothing. */
const appPrefix = '/rest/';

const isOwnOrigin = ({ appOrigin }: Site, { origin, host }: Headers): boolean =>
  appOrigin ? origin === appOrigin : URL.parse(origin ?? '')?.host === host;

/** The app may send reset-password calls to AUTH_ORIGIN, which is another origin. */
const isAllowedCrossOrigin = ({ appOrigin }: Site, path: string, origin?: string): boolean =>
  appOrigin !== null && origin === appOrigin && path.startsWith(sharedPrefix);

/**
 * Browsers send Origin or Sec-Fetch-Site. A client that sends neither is not a browser, so it can't
 * send the cookies of an unsuspecting user. The origin is `null` in a form of ours whose page sends no
 * referrer, but also in a page of anyone that is sandboxed: only Sec-Fetch-Site tells them apart.
 */
function isCrossOriginWrite(
  site: Site,
  request: { method: string; path: string; headers: Headers },
): boolean {
  const { method, path, headers } = request;
  if (safeMethods.has(method)) return false;
  if (isAllowedCrossOrigin(site, path, headers.origin)) return false;
  if (headers.site !== undefined && headers.site !== 'same-origin' && headers.site !== 'none')
    return true;
  if (headers.origin === 'null' && headers.site === 'same-origin') return false;
  return headers.origin !== undefined && !isOwnOrigin(site, headers);
}

function allowOrigin(reply: FastifyReply, origin: string) {
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'retry-after, x-request-id',
  });
}

const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

export function rejectCrossOriginWrites(app: FastifyInstance, config: Config) {
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    if (!request.url.startsWith(sharedPrefix) && safeMethods.has(request.method)) return done();
    if (request.url.startsWith(appPrefix)) return done();
    const path = request.url.split('?', 1)[0] ?? '';
    const { origin, host } = request.headers;
    const site = first(request.headers['sec-fetch-site']);
    if (path.startsWith(sharedPrefix)) reply.header('vary', 'Origin');
    if (origin && isAllowedCrossOrigin(config, path, origin)) {
      allowOrigin(reply, origin);
      if (request.method === 'OPTIONS')
        return void reply
          .code(204)
          .headers({
            'access-control-allow-methods': 'POST',
            'access-control-allow-headers': 'content-type, accept, cache-control, pragma',
            'access-control-max-age': '600',
          })
          .send();
    }
    if (
      isCrossOriginWrite(config, { method: request.method, path, headers: { origin, host, site } })
    )
      return done(new AppError('cross_origin'));
    return done();
  });
}
