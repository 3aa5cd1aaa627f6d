import { gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { drawSleeveFile } from '#contract/art/cover-art.ts';
import { AppError } from '../../http/route/app-error.ts';
import { matchesEtag } from '../../http/send/send-file.ts';
import { COMPRESSION_LEVEL } from '../../background/compress.ts';
import { acceptsGzip } from '../../http/send/send-json.ts';

/** Every page shows the newest and the most played ones. About 1 KB each. */
const files = new LRUCache<string, Buffer>({ max: 300 });

/** The compressed drawing. The most recently used ones stay in memory. */
function getFile(path: string): Buffer | undefined {
  const known = files.get(path);
  if (known) return known;
  const drawing = drawSleeveFile(path);
  if (drawing === undefined) return undefined;
  const file = gzipSync(drawing, { level: COMPRESSION_LEVEL });
  files.set(path, file);
  return file;
}

/** The name of a drawn sleeve says what is on it, so that a browser asks for it once. */
export function sendSleeveFile(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = ''] = request.url.split('?');
  const file = getFile(path);
  if (!file) throw new AppError('not_found');
  const etag = `"${path.slice(path.lastIndexOf('/') + 1)}"`;
  reply
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('etag', etag)
    .header('vary', 'accept-encoding');
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type('image/svg+xml');
  if (!acceptsGzip(request.headers['accept-encoding']?.toString()))
    return reply.send(gunzipSync(file));
  return reply.header('content-encoding', 'gzip').send(file);
}
