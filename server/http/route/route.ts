import type { Readable } from 'node:stream';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions as FastifyRoute,
} from 'fastify';
import { z } from 'zod';
import { api, type Api } from '#contract/api.ts';
import type { RouteOutput, RouteSpec } from '#contract/route.ts';
import type { Deps } from '../../deps.ts';
import { findOutage } from '../../outage.ts';
import { toRateLimitAddress } from './address.ts';
import {
  enforceConfirmation,
  enforceGuard,
  type Viewer,
  type ViewerFor,
  type Guard,
} from './guards.ts';
import { registerIsolatedPlugin } from './body-parsers.ts';
import { enforceRateLimits, releaseRateLimit, type RateLimitUse } from './rate-limit.ts';
import { sendJson, stringifyAnswer } from '../send/send-json.ts';
import { parseRequest } from './validation.ts';
import { shareAnswers, type Sharing } from './shared-answers.ts';

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

/** A browser sends a beacon, on leaving a page, as plain text. */
const FORM_TYPES = ['application/x-www-form-urlencoded', 'text/plain'] as const;

const ImageBytes = z.instanceof(Buffer, { error: 'Send the bytes of an image.' });
const CsvBytes = z.instanceof(Buffer, { error: 'Send the bytes of a CSV file.' });
const FormText = z.string('Send the text of a form.');

type Parsed<S, N extends 'params' | 'query' | 'body'> = S extends { [K in N]: infer Schema }
  ? Schema extends 'image' | 'csv'
    ? Buffer
    : Schema extends 'form'
      ? string
      : Schema extends z.ZodType
        ? z.output<Schema>
        : undefined
  : undefined;

type Context<S extends RouteSpec, G extends Guard> = {
  viewer: ViewerFor<G>;
  params: Parsed<S, 'params'>;
  query: Parsed<S, 'query'>;
  body: Parsed<S, 'body'>;
  request: FastifyRequest;
  reply: FastifyReply;
};

type Answer<S extends RouteSpec> = S extends { response: z.ZodType }
  ? RouteOutput<S>
  : S extends { response: 'file' | 'events' }
    ? Readable
    : void;

type RouteOptions<S extends RouteSpec, G extends Guard> = {
  /** Checked after validation, before the handler runs. */
  rateLimits?: (input: {
    viewer: ViewerFor<G>;
    body: Parsed<S, 'body'>;
    address: string;
    request: FastifyRequest;
  }) => readonly RateLimitUse[] | Promise<readonly RateLimitUse[]>;
  bodyLimit?: number;
  /** Besides other images. Whoever takes one must build it anew: it can contain anything. */
  acceptsSvg?: boolean;
  /** Requires that the user entered the password again on this device some minutes ago. */
  needsConfirmation?: boolean;
  /** Everyone with the same access gets the same bytes until the catalogue changes. */
  sharing?: Sharing<Answer<S>, Item<S>>;
};

type Item<S extends RouteSpec> = Answer<S> extends { items: (infer I)[] } ? I : Answer<S>;

type Handler<S extends RouteSpec, G extends Guard> = (context: Context<S, G>) => Promise<Answer<S>>;

type Registration<S extends RouteSpec, G extends Guard> = RouteOptions<S, G> & {
  guard: G;
  handler: Handler<S, G>;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Who may call each route of the contract. */
    registeredRoutes: Map<string, Guard>;
  }
  interface FastifyRequest {
    viewer: Viewer | null;
  }
}

function acceptImages(scope: FastifyInstance, bodyLimit: number, acceptsSvg = false) {
  const types = [...IMAGE_TYPES, ...(acceptsSvg ? ['image/svg+xml'] : [])];
  scope.addContentTypeParser(types, { parseAs: 'buffer', bodyLimit }, (_r, body, done) =>
    done(null, body),
  );
}

function acceptCsv(scope: FastifyInstance, bodyLimit: number) {
  scope.addContentTypeParser('text/csv', { parseAs: 'buffer', bodyLimit }, (_r, body, done) =>
    done(null, body),
  );
}

function acceptForms(scope: FastifyInstance, bodyLimit: number) {
  scope.addContentTypeParser([...FORM_TYPES], { parseAs: 'string', bodyLimit }, (_r, body, done) =>
    done(null, body),
  );
}

const rawBodies = {
  image: { schema: ImageBytes, accept: acceptImages },
  csv: { schema: CsvBytes, accept: acceptCsv },
  form: { schema: FormText, accept: acceptForms },
};

/** Compiling a schema takes time, so servers in one process share them. */
const strictSchemas = new WeakMap<z.ZodObject, z.ZodObject>();

function makeStrict(schema: z.ZodObject | undefined): z.ZodObject | undefined {
  if (!schema) return undefined;
  const strict = strictSchemas.get(schema) ?? schema.strict();
  strictSchemas.set(schema, strict);
  return strict;
}

/** Builds the function that parses a request for the handler. */
function createRequestParser<S extends RouteSpec, G extends Guard>(spec: RouteSpec) {
  const params = makeStrict(spec.params);
  const query = makeStrict(spec.query);
  const body = typeof spec.body === 'string' ? rawBodies[spec.body].schema : spec.body;
  return (request: FastifyRequest, reply: FastifyReply) => {
    const parsed = parseRequest([
      { name: 'params', schema: params, value: request.params },
      { name: 'query', schema: query, value: request.query },
      { name: 'body', schema: body, value: request.body },
    ]);
    return { viewer: request.viewer, ...parsed, request, reply } as Context<S, G>;
  };
}

async function runHandler<S extends RouteSpec, G extends Guard>(
  deps: Deps,
  registration: Registration<S, G>,
  context: Context<S, G>,
) {
  const { handler, rateLimits } = registration;
  if (!rateLimits) return handler(context);
  const { db } = deps.database;
  const { viewer, body, request } = context;
  const address = toRateLimitAddress(request.ip);
  const uses = await rateLimits({ viewer, body, address, request });
  await enforceRateLimits(db, uses, deps.clock.now());
  const answer = await handler(context);
  for (const use of uses) if (use.isReleasedOnSuccess) await releaseRateLimit(db, use);
  return answer;
}

/** A read whose connection to the database was lost runs once more, on another connection. */
async function runAgainIfLost<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (findOutage(error)?.kind !== 'lost') throw error;
    return run();
  }
}

function send(spec: RouteSpec, request: FastifyRequest, reply: FastifyReply, answer: unknown) {
  const { response, downResponse } = spec;
  if (!response) return reply.code(204).send();
  if (typeof response === 'string') return answer;
  const schema = reply.statusCode === 503 && downResponse ? downResponse : response;
  return sendJson(request, reply, stringifyAnswer(schema, answer));
}

function registerWithBodyParser(
  app: FastifyInstance,
  body: keyof typeof rawBodies,
  options: FastifyRoute,
  acceptsSvg: boolean | undefined,
) {
  registerIsolatedPlugin(app, (scope) => {
    rawBodies[body].accept(scope, options.bodyLimit ?? 0, acceptsSvg);
    scope.route(options);
  });
}

function registerRoute<K extends keyof Api, G extends Guard>(
  app: FastifyInstance,
  deps: Deps,
  key: K,
  registration: Registration<Api[K], G>,
) {
  if (app.registeredRoutes.has(key)) throw new Error(`The route ${key} is registered twice.`);
  app.registeredRoutes.set(key, registration.guard);
  const spec: RouteSpec = api[key];
  const [method, url] = key.split(' ') as [string, string];
  const parseContext = createRequestParser<Api[K], G>(spec);
  const { guard, needsConfirmation, sharing } = registration;
  const setViewer = async (request: FastifyRequest, viewer: null | Promise<Viewer | null>) => {
    request.viewer = await viewer;
    if (needsConfirmation) await enforceConfirmation(deps, request.viewer);
  };
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const context = parseContext(request, reply);
    const run = () => runHandler(deps, registration, context);
    return method === 'GET' ? runAgainIfLost(run) : run();
  };
  const options: FastifyRoute = {
    method,
    url,
    ...(registration.bodyLimit ? { bodyLimit: registration.bodyLimit } : {}),
    // Before reading the body, so that no one uploads megabytes just to be asked to log in.
    onRequest: (request, reply, done) => {
      const viewer = enforceGuard(guard, deps, request, reply);
      return viewer || needsConfirmation ? setViewer(request, viewer) : done();
    },
    handler:
      sharing && spec.response instanceof z.ZodType
        ? shareAnswers(deps, spec.response, sharing, answer)
        : async (request, reply) => send(spec, request, reply, await answer(request, reply)),
  };
  if (typeof spec.body !== 'string') app.route(options);
  else registerWithBodyParser(app, spec.body, options, registration.acceptsSvg);
}

type RegisterRoute<G extends Guard> = {
  <K extends keyof Api>(key: K, handler: Handler<Api[K], G>): void;
  <K extends keyof Api>(
    key: K,
    options: RouteOptions<Api[K], G>,
    handler: Handler<Api[K], G>,
  ): void;
};

/** Registers routes of the contract: `router.user('GET /api/playlists', handler)`. */
export function createRouter(app: FastifyInstance, deps: Deps): { [G in Guard]: RegisterRoute<G> } {
  const registerFor =
    <G extends Guard>(guard: G): RegisterRoute<G> =>
    <K extends keyof Api>(
      key: K,
      ...rest: [Handler<Api[K], G>] | [RouteOptions<Api[K], G>, Handler<Api[K], G>]
    ) => {
      const [options, handler] = rest.length === 1 ? [{}, rest[0]] : rest;
      registerRoute(app, deps, key, { ...options, guard, handler });
    };
  return {
    public: registerFor('public'),
    viewer: registerFor('viewer'),
    user: registerFor('user'),
    helper: registerFor('helper'),
    admin: registerFor('admin'),
  };
}

/** Finds a contract route without a handler at startup instead of when a user calls it. */
export function assertEveryRouteRegistered(app: FastifyInstance) {
  const missing = Object.keys(api).filter((key) => !app.registeredRoutes.has(key));
  if (missing.length > 0) throw new Error(`No handler for: ${missing.join(', ')}.`);
}
