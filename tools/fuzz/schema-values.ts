import fc, { type Arbitrary } from 'fast-check';

/** The parts of JSON Schema that our OpenAPI document uses. */
export type JsonSchema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  pattern?: string;
  format?: string;
};

/** Stands for one of the site's own ids and tokens; the number picks it when the request is sent. */
export const KNOWN_ID = /\u{F0000}(\d+)\u{F0001}/gu;
export const knownId: Arbitrary<string> = fc
  .nat({ max: 9999 })
  .map((index) => `\u{F0000}${index}\u{F0001}`);

/** Texts that have broken other software. */
export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e\u200b\ufeff',
    "' or 1=1 --",
    '"; drop table users; --',
    '../../../../etc/passwd',
    '..%2f..%2f',
    '%',
    '%00',
    '%c0%ae',
    '<script>alert(1)</script>',
    '{{7*7}}${7*7}',
    '__proto__',
    'constructor',
    'NaN',
    'null',
    'undefined',
    '-0',
    '1e999',
    '9007199254740993',
    '99999999999999999999',
    '٣',
    'İ',
    'ﬀ',
    'é'.normalize('NFD'),
    '\r\nset-cookie: session=x',
    '(',
    '[',
    '*',
    '"*"',
    'AND OR NOT NEAR',
    '-1',
    '2026-W54',
    '0000-00-00',
    'x'.repeat(10_000),
    '🎵'.repeat(300),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
);

const hostileNumber: Arbitrary<unknown> = fc.constantFrom(
  -1,
  0,
  -0,
  0.1,
  1e21,
  -1e21,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  Number.MIN_SAFE_INTEGER,
  2 ** 31,
  2 ** 63,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  8.64e15 + 1,
);

/** Any JSON, whatever the schema says. */
const anyJson: Arbitrary<unknown> = fc.oneof(
  { maxDepth: 2 },
  fc.constantFrom<unknown>(null, true, false, {}, [], ''),
  hostileText,
  hostileNumber,
  knownId,
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(hostileText, { maxLength: 4 }),
  fc.constant(JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}')),
);

const emails = fc.emailAddress();

const patterns = new Map<string, Arbitrary<string>>();
/** Texts that match a pattern, or any if it can't be inverted. */
function matching(pattern: string): Arbitrary<string> {
  const known = patterns.get(pattern);
  if (known) return known;
  let texts: Arbitrary<string>;
  try {
    texts = fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: 60 });
  } catch {
    texts = fc.string({ maxLength: 60 });
  }
  patterns.set(pattern, texts);
  return texts;
}

function textOf({ pattern, format, minLength = 0, maxLength = 40 }: JsonSchema): Arbitrary<string> {
  const longest = Math.min(maxLength, 6000);
  const options: Arbitrary<string>[] = [
    fc.string({ minLength, maxLength: Math.max(minLength, Math.min(longest, 40)) }),
    fc.constantFrom('x'.repeat(minLength), 'x'.repeat(longest), 'é'.repeat(longest)),
    knownId,
  ];
  if (format === 'email') options.push(emails);
  if (format === 'date-time') options.push(fc.constantFrom('2026-11-16T12:00:00Z'));
  // Inverting a class such as `\p{L}` takes minutes, and the other texts match it.
  if (pattern && !/\\p\{/i.test(pattern)) options.push(matching(pattern));
  return fc.oneof(...options);
}

function numberOf(schema: JsonSchema, isWhole: boolean): Arbitrary<number> {
  const min = schema.minimum ?? schema.exclusiveMinimum ?? -1000;
  const max = schema.maximum ?? schema.exclusiveMaximum ?? min + 1e6;
  const low = Math.max(min, Number.MIN_SAFE_INTEGER);
  const high = Math.min(max, Number.MAX_SAFE_INTEGER);
  const edges = fc.constantFrom(min, max, min - 1, max + 1);
  const within = isWhole
    ? fc.integer({ min: Math.ceil(low), max: Math.floor(high) })
    : fc.double({ min: low, max: high, noNaN: true });
  return fc.oneof({ arbitrary: within, weight: 3 }, { arbitrary: edges, weight: 1 });
}

function valueOf(schema: JsonSchema): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice)));
  const [type] = [schema.type].flat();
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return numberOf(schema, true);
    case 'number':
      return numberOf(schema, false);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 4, 4)),
      });
    case 'object':
      return objectOf(schema);
    case undefined:
    default:
      return anyJson;
  }
}

function objectOf({ properties = {}, required = [] }: JsonSchema): Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, valuesOf(field)]),
  );
  const whole = fc.record(fields, { requiredKeys: required });
  const partial = fc.record(fields, { requiredKeys: [] });
  const extended = fc
    .tuple(whole, hostileText, anyJson)
    .map(([value, name, extra]) => ({ ...value, [name]: extra }));
  return fc.oneof(
    { arbitrary: whole, weight: 12 },
    { arbitrary: partial, weight: 1 },
    { arbitrary: extended, weight: 1 },
  );
}

/** Values that the schema allows, its edges, and now and then something else entirely. */
export const valuesOf = (schema: JsonSchema): Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: valueOf(schema), weight: 20 },
    { arbitrary: hostileText, weight: 1 },
    { arbitrary: anyJson, weight: 1 },
  );
