import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { registerIsolatedPlugin } from '../../http/route/body-parsers.ts';
import { explainError } from '../../http/route/error-handler.ts';
import type { WatchSignals } from '../live/service.ts';
import { pickFormat, sendAnswer, sendFailure } from './answer.ts';
import { authenticate, readClient } from './authenticate.ts';
import { UnknownCall } from './errors.ts';
import { Params } from './params.ts';

/** A queue or playlist of thousands of mixes. */
const FORM_LIMIT = 512 * 1024;

/** `ping` of `/rest/ping`, `/rest/ping.view` and `/rest/ping.view/`. */
const findName = (request: FastifyRequest): string =>
  (request.params as { '*': string })['*'].replace(/\/$/, '').replace(/\.view$/, '');

const findOwn = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const readParams = ({ url, body }: FastifyRequest): Params => {
  const start = url.indexOf('?');
  return new Params(start < 0 ? '' : url.slice(start + 1), typeof body === 'string' ? body : '');
};

const findFormat = (params: Params) => pickFormat(params.find('f'), params.find('v'));

/** No cookie is read here, so pages of other sites may call it: they need a password anyway. */
function allowAnyOrigin(reply: FastifyReply) {
  reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'content-length, content-range, accept-ranges',
  });
}

async function answer(
  deps: Deps,
  watchSignals: WatchSignals,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  allowAnyOrigin(reply);
  const params = readParams(request);
  const name = findName(request);
  const { calls, extensions, fileCalls } = await import('./call-list.ts');
  if (name === 'getOpenSubsonicExtensions')
    return sendAnswer(request, reply, findFormat(params), extensions);
  const call = findOwn(calls, name);
  const fileCall = findOwn(fileCalls, name);
  if (!call && !fileCall) throw new UnknownCall();
  const viewer = await authenticate(deps, params, request);
  request.viewer = viewer;
  const client = readClient(params);
  const context = { deps, viewer, params, client, request, reply, watchSignals };
  if (fileCall) return fileCall(context);
  const content = (await call?.(context)) ?? {};
  return sendAnswer(request, reply, findFormat(params), content);
}

/** Every failure below `/rest/` in the words of the protocol. */
export function failCall(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  allowAnyOrigin(reply);
  const explained = explainError(error, request);
  let format: ReturnType<typeof pickFormat> = 'xml';
  try {
    format = findFormat(readParams(request));
  } catch {
    // The parameter itself is the error.
  }
  return sendFailure(request, reply, format, explained);
}

/** The OpenSubsonic protocol, for music apps: one address per call, with every parameter in it. */
export function registerSubsonic(app: FastifyInstance, deps: Deps, watchSignals: WatchSignals) {
  registerIsolatedPlugin(app, (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT },
      (_request, body, done) => done(null, body),
    );
    // Ignore other content types.
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: FORM_LIMIT }, (_r, _b, done) =>
      done(null, undefined),
    );
    scope.setErrorHandler(failCall);
    scope.route({
      method: ['GET', 'HEAD', 'POST'],
      url: '/rest/*',
      bodyLimit: FORM_LIMIT,
      handler: (request, reply) => answer(deps, watchSignals, request, reply),
    });
    scope.route({
      method: 'OPTIONS',
      url: '/rest/*',
      handler: (_request, reply) => {
        allowAnyOrigin(reply);
        return reply
          .code(204)
          .headers({
            'access-control-allow-methods': 'GET, HEAD, POST',
            'access-control-allow-headers': 'content-type, range',
            'access-control-max-age': '86400',
          })
          .send();
      },
    });
  });
}
