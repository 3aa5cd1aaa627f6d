import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);
/** Below this a packet is a packet. */
const WORTH_IT = 1024;
/** Lists of mixes shrink to a sixth; more effort would save a few bytes more. */
const LEVEL = 5;

export function takesGzip(accepted: string | undefined): boolean {
  const gzipRule = accepted?.split(',').find((part) => /^\s*(?:x-)?gzip\s*(?:;|$)/i.test(part));
  return gzipRule !== undefined && !/;\s*q=0(?:\.0*)?\s*$/i.test(gzipRule);
}

/** Mobile data is dear: what is long goes out compressed to whoever can read it. */
export async function sendJson(request: FastifyRequest, reply: FastifyReply, text: string) {
  reply.type('application/json; charset=utf-8');
  if (text.length < WORTH_IT) return reply.send(text);
  reply.header('vary', 'accept-encoding');
  if (!takesGzip(request.headers['accept-encoding']?.toString())) return reply.send(text);
  reply.header('content-encoding', 'gzip');
  return reply.send(await compress(text, { level: LEVEL }));
}
