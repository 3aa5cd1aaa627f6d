import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import build from 'fast-json-stringify';
import { z } from 'zod';

const compress = promisify(gzip);
/** Shorter answers fit into one packet anyway. */
const MIN_COMPRESSED_LENGTH = 1024;
/** Shrinks lists of tracks to a sixth; higher levels save only a few more bytes. */
export const COMPRESSION_LEVEL = 5;

export function acceptsGzip(accepted: string | undefined): boolean {
  const gzipRule = accepted?.split(',').find((part) => /^\s*(?:x-)?gzip\s*(?:;|$)/i.test(part));
  return gzipRule !== undefined && !/;\s*q=0(?:\.0*)?\s*$/i.test(gzipRule);
}

/** Compresses long answers, because mobile data is expensive. */
export async function sendJson(request: FastifyRequest, reply: FastifyReply, text: string) {
  reply.type('application/json; charset=utf-8');
  if (text.length < MIN_COMPRESSED_LENGTH) return reply.send(text);
  reply.header('vary', 'accept-encoding');
  if (!acceptsGzip(request.headers['accept-encoding']?.toString())) return reply.send(text);
  reply.header('content-encoding', 'gzip');
  return reply.send(await compress(text, { level: COMPRESSION_LEVEL }));
}

type Stringify = (answer: unknown) => string;

/** Serializes by the route's schema, so that fields missing from it never leave the server. */
function compile(schema: z.ZodType): Stringify {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-7' });
  return build(json as Parameters<typeof build>[0]);
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
