import { createRequire } from 'node:module';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type build from 'fast-json-stringify';
import { z } from 'zod';
import { compressGzip, copyToKeep } from '../../background/compress.ts';

/** Shorter answers fit into one packet anyway. */
const MIN_COMPRESSED_LENGTH = 1024;

export function acceptsGzip(accepted: string | undefined): boolean {
  const gzipRule = accepted?.split(',').find((part) => /^\s*(?:x-)?gzip\s*(?:;|$)/i.test(part));
  return gzipRule !== undefined && !/;\s*q=0(?:\.0*)?\s*$/i.test(gzipRule);
}

export const acceptsBrotli = (accepted = ''): boolean => /(?:^|,)\s*br\s*(?:,|$)/i.test(accepted);

/** An answer that is sent many times. It is compressed when a client first wants it so. */
export type EncodedAnswer = { readonly bytes: Buffer; gzipped?: Promise<Buffer> };

const gzipOnce = (answer: EncodedAnswer) =>
  (answer.gzipped ??= compressGzip(answer.bytes).then(copyToKeep));

/** Compresses long answers, because mobile data is expensive. */
export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: string | EncodedAnswer,
  mediaType = 'application/json; charset=utf-8',
): FastifyReply | Promise<FastifyReply> {
  const body = typeof answer === 'string' ? answer : answer.bytes;
  reply.type(mediaType);
  if (body.length < MIN_COMPRESSED_LENGTH) return reply.send(body);
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding']?.toString())) return reply.send(body);
  reply.header('content-encoding', 'gzip');
  const gzipped = typeof answer === 'string' ? compressGzip(answer) : gzipOnce(answer);
  return gzipped.then((bytes) => reply.send(bytes));
}

type Stringify = (answer: unknown) => string;

/** The serializer validates every value against all branches of an `anyOf`, which takes long. */
function simplifyNullable(schema: z.core.JSONSchema.BaseSchema) {
  const [value, other, ...more] = schema.anyOf ?? [];
  if (value?.type === undefined || other?.type !== 'null' || more.length > 0) return;
  delete schema.anyOf;
  Object.assign(schema, value, { nullable: true });
}

/** Large, with a validator of its own, and needed with the first JSON answer. */
const loadSerializer = () => createRequire(import.meta.url)('fast-json-stringify') as typeof build;

/** Serializes by the route's schema, so that fields missing from it never leave the server. */
function compile(schema: z.ZodType): Stringify {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-7',
    override: ({ jsonSchema }) => simplifyNullable(jsonSchema),
  });
  return loadSerializer()(json as Parameters<typeof build>[0]);
}

const compiled = new WeakMap<z.ZodType, Stringify>();

/** Compiles a schema on first use, which keeps the start fast. */
export function stringifyAnswer(schema: z.ZodType, answer: unknown): string {
  let stringify = compiled.get(schema);
  if (!stringify) {
    stringify = compile(schema);
    compiled.set(schema, stringify);
  }
  return stringify(answer);
}
