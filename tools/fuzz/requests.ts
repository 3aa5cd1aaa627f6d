import fc, { type Arbitrary } from 'fast-check';
import { ROLES, type Role } from '#server/testing/access/people.ts';
import { hostileText, knownId, valuesOf, type JsonSchema } from './schema-values.ts';

type Parameter = { name: string; in: string; required?: boolean; schema?: JsonSchema };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema?: JsonSchema }> };
};
export type OpenApi = { paths: Record<string, Record<string, Operation>> };

export type FuzzRequest = {
  role: Role;
  method: string;
  /** With every parameter filled in and encoded. */
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: string | null;
  /** The last part of the client's address. */
  address: number;
};

const spoofedHeaders: Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  {
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
  },
  { 'x-forwarded-for': '::ffff:127.0.0.1, 10.0.0.1, garbage, ' },
  { forwarded: 'for="[::1]:80";proto=https;host=localhost' },
  { 'x-real-ip': '127.0.0.1', 'x-original-url': '/api/admin/settings', 'x-rewrite-url': '/' },
  { 'x-http-method-override': 'DELETE' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'null' },
  { host: 'evil.example' },
  { range: 'bytes=0-' },
  { range: 'bytes=-1,5-3,9999999999-' },
  { range: 'lines=a-b' },
  { 'if-none-match': '*', 'if-modified-since': 'yesterday' },
  { 'accept-encoding': 'br;q=x, gzip;q=0, *' },
  { accept: 'text/html' },
  { accept: 'a'.repeat(3000) },
  { cookie: 'session=%00; session=; =; listener=%ff' },
  { cookie: `session=${'x'.repeat(4000)}` },
  { 'content-encoding': 'gzip' },
  { 'tus-resumable': '1.0.0', 'upload-length': '99999999999999999999' },
  { 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-metadata': 'filename !!!,x' },
  { 'tus-resumable': '0.0.1', 'upload-offset': '-5' },
  { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'upload-defer-length': '1' },
  { 'user-agent': '\u00ff'.repeat(400) },
);

const contentTypes = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/offset+octet-stream',
  'image/png',
  'x',
);

const rawBody = fc.oneof(
  hostileText,
  fc.constantFrom(
    '{',
    '[[[[',
    '{"a":1}}',
    '"\\ud800"',
    '{"__proto__":null}',
    `${'['.repeat(2000)}${']'.repeat(2000)}`,
    `data=${Buffer.from('[{"event":1}]').toString('base64')}`,
    'card=success&answer=pay',
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--x--\r\n',
    'x'.repeat(70_000),
  ),
);

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const pathText = (schema: JsonSchema) =>
  fc.oneof(
    { arbitrary: knownId, weight: 8 },
    { arbitrary: valuesOf(schema).map(toText), weight: 3 },
    { arbitrary: hostileText, weight: 1 },
  );

const queryOf = (parameters: readonly Parameter[]): Arbitrary<[string, string][]> => {
  const known = parameters.map(({ name, required, schema = {} }) =>
    fc
      .option(valuesOf(schema).map(toText), { freq: required ? 15 : 1 })
      .map((value): [string, string][] => (value === null ? [] : [[name, value]])),
  );
  const unknown = fc
    .option(fc.tuple(hostileText, hostileText), { freq: 1 })
    .map((pair): [string, string][] => (pair === null ? [] : [pair]));
  const all = fc.tuple(...known, fc.oneof({ arbitrary: fc.constant([]), weight: 9 }, unknown));
  return all.map((parts) => parts.flat());
};

type Body = { text: string | null; type: string | null };

function bodyOf(operation: Operation): Arbitrary<Body> {
  const content = operation.requestBody?.content ?? {};
  const schema = content['application/json']?.schema;
  const raw = fc.tuple(rawBody, contentTypes).map(([text, type]) => ({ text, type }));
  const nothing = fc.constant({ text: null, type: null });
  if (!schema) return fc.oneof({ arbitrary: nothing, weight: 6 }, { arbitrary: raw, weight: 2 });
  const json = valuesOf(schema).map((value) => ({
    text: JSON.stringify(value) ?? null,
    type: 'application/json',
  }));
  return fc.oneof(
    { arbitrary: json, weight: 20 },
    { arbitrary: raw, weight: 1 },
    { arbitrary: nothing, weight: 1 },
  );
}

const encode = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a surrogate pair has no encoding.
    return '%ed%a0%80';
  }
};

/** Requests for one operation, mostly the way it is documented. */
function requestsOf(method: string, path: string, operation: Operation): Arbitrary<FuzzRequest> {
  const parameters = operation.parameters ?? [];
  const names = [...path.matchAll(/[{:](\w+)\}?|\*/g)].map(([, name]) => name ?? '*');
  const schemaOf = (name: string) =>
    parameters.find((parameter) => parameter.name === name)?.schema ?? { type: 'string' };
  return fc
    .record({
      role: fc.constantFrom(...ROLES),
      values: fc.tuple(...names.map((name) => pathText(schemaOf(name)))),
      query: queryOf(parameters.filter((parameter) => parameter.in === 'query')),
      headers: fc.oneof(
        { arbitrary: fc.constant({}), weight: 8 },
        { arbitrary: spoofedHeaders, weight: 1 },
      ),
      body: bodyOf(operation),
      address: fc.nat({ max: 65_535 }),
    })
    .map(({ role, values, query, headers, body, address }) => {
      let next = 0;
      const filled = path.replace(/[{:]\w+\}?|\*/g, () => encode(values[next++] ?? ''));
      return {
        role,
        method,
        path: filled,
        query,
        headers: { ...(body.type && { 'content-type': body.type }), ...headers },
        body: method === 'GET' || method === 'HEAD' ? null : body.text,
        address,
      };
    });
}

/** `{id}` and `:id` are the same path. */
const normalise = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** One generator per route: those of the document, and the rest of the running server's. */
export function listGenerators(
  document: OpenApi,
  routes: readonly string[],
): Arbitrary<FuzzRequest>[] {
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${normalise(path)}`,
      generator: requestsOf(method.toUpperCase(), path, operation),
    })),
  );
  const known = new Set(documented.map(({ key }) => key));
  const others = routes
    .filter((route) => !known.has(route))
    .map((route) => {
      const [method = '', path = ''] = route.split(' ');
      return requestsOf(method, path, {});
    });
  return [...documented.map(({ generator }) => generator), ...others];
}
