import { z } from 'zod';
import { ErrorBody, errorStatus, type ErrorCode } from '#contract/errors.ts';
import type { RouteSpec } from '#contract/route.ts';
import type { Guard } from '../../http/route/guards.ts';

type Json = Record<string, unknown>;

/** A route's own error codes and those that follow from its path and input. */
export function listErrorCodes(method: string, path: string, spec: RouteSpec): ErrorCode[] {
  const codes: ErrorCode[] = [...(spec.errors ?? [])];
  if (path.startsWith('/api/admin/')) codes.push('two_step_required');
  if (spec.params || spec.query || spec.body) codes.push('validation_failed');
  if (spec.body) codes.push('malformed_request', 'payload_too_large', 'unsupported_media_type');
  if (method !== 'GET') codes.push('cross_origin');
  codes.push('internal');
  return [...new Set(codes)];
}

const toSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
};

const parametersIn = (location: 'path' | 'query', schema: z.ZodObject | undefined): Json[] =>
  Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: location,
    required: location === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: toSchema(field as z.ZodType, 'input'),
  }));

function describeContent(body: NonNullable<RouteSpec['body']>): Json {
  if (body === 'image') return { 'image/*': { schema: { type: 'string', format: 'binary' } } };
  if (body === 'csv') return { 'text/csv': { schema: { type: 'string', format: 'binary' } } };
  if (body === 'form')
    return { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } };
  return { 'application/json': { schema: toSchema(body, 'input') } };
}

const describeBody = (body: NonNullable<RouteSpec['body']>): Json => ({
  required: true,
  content: describeContent(body),
});

function describeErrors(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

const describeAnswer = (description: string, schema: z.ZodType): Json => ({
  description,
  content: { 'application/json': { schema: toSchema(schema, 'output') } },
});

function describeSuccess({ response }: RouteSpec): Json {
  if (!response) return { 204: { description: 'Done.' } };
  if (response === 'events')
    return { 200: { description: 'A stream.', content: { 'text/event-stream': {} } } };
  if (response !== 'file') return { 200: describeAnswer('Done.', response) };
  const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return { 200: { description: 'A file.', content } };
}

/** What the document says about the site besides its routes. */
export type ApiSite = {
  title: string;
  version: string;
  origin: string;
  /** Where the calls that reset a password are answered too; empty if that is the same origin. */
  authOrigin: string;
  sessionCookie: string;
  guardOf: (key: string) => Guard | undefined;
};

const SESSION = 'session';

/** An empty requirement means that it also works without. */
const securityOf: Record<Guard, Json[]> = {
  public: [],
  viewer: [{}, { [SESSION]: [] }],
  user: [{ [SESSION]: [] }],
  helper: [{ [SESSION]: ['helper'] }],
  admin: [{ [SESSION]: ['administrator'] }],
};

const describeSession = (name: string): Json => ({
  type: 'apiKey',
  in: 'cookie',
  name,
  description:
    'Logging in (POST /api/auth/login) sets this cookie. “administrator” says that the account has to be one, “helper” that it has to be one or the other; others get 404. Browsers may only write from the site itself: a request whose Origin or Sec-Fetch-Site names another site gets 403.',
});

const describeServers = ({ origin, authOrigin }: ApiSite, path: string): Json =>
  authOrigin && path.startsWith('/api/auth/reset-password')
    ? { servers: [{ url: authOrigin }, { url: origin }] }
    : {};

function describeOperation(key: string, path: string, spec: RouteSpec, site: ApiSite): Json {
  const [method = ''] = key.split(' ');
  const guard = site.guardOf(key);
  const success = describeSuccess(spec);
  const parameters = [...parametersIn('path', spec.params), ...parametersIn('query', spec.query)];
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-z0-9]+(.)?/gi, (_, next: string) => (next ?? '').toUpperCase())}`,
    summary: spec.summary,
    ...(guard && { security: securityOf[guard] }),
    ...describeServers(site, path),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(spec.body ? { requestBody: describeBody(spec.body) } : {}),
    responses: {
      ...success,
      ...describeErrors(listErrorCodes(method, path, spec)),
      ...(spec.downResponse ? { 503: describeAnswer('Down.', spec.downResponse) } : {}),
    },
  };
}

/** OpenAPI 3.1 from the table that the server registers and the client calls. */
export function buildOpenApi(api: Record<string, RouteSpec>, site: ApiSite): Json {
  const paths: Record<string, Json> = {};
  for (const [key, spec] of Object.entries(api)) {
    const [method = '', url = ''] = key.split(' ');
    const path = url.replace(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: describeOperation(key, path, spec, site),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: site.title, version: site.version },
    servers: [{ url: site.origin }],
    paths,
    components: {
      schemas: { Error: toSchema(ErrorBody, 'output') },
      securitySchemes: { [SESSION]: describeSession(site.sessionCookie) },
    },
  };
}
