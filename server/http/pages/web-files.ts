import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsBrotli, acceptsGzip } from '../send/send-json.ts';

/** A file of the web app, ready to be sent. */
export type WebFile = {
  type: string;
  etag: string;
  bytes: Buffer;
  gzipped: Buffer | undefined;
  brotli: Buffer | undefined;
};

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export const hashContent = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 27);

/**
 * Reads the build's files by name, each with its compressed copies. They are few, so they stay in
 * memory: that is quicker, and a new build next to a running server can't mix with the old one.
 */
export function readWebFiles(root: string): Map<string, WebFile> {
  if (!existsSync(root)) return new Map();
  const contents = new Map<string, Buffer>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) contents.set(relative(root, path).split(sep).join('/'), readFileSync(path));
  }
  const files = [...contents].filter(([name]) => !/^\.|\.(?:br|gz)$/.test(name));
  return new Map(
    files.map(([name, bytes]) => [
      name,
      {
        type: TYPES[extname(name)] ?? 'application/octet-stream',
        etag: `"${hashContent(bytes)}"`,
        bytes,
        gzipped: contents.get(`${name}.gz`),
        brotli: contents.get(`${name}.br`),
      },
    ]),
  );
}

export function sendWebFile(
  { type, etag, bytes, gzipped, brotli }: WebFile,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.header('etag', etag);
  if (gzipped ?? brotli) reply.header('vary', 'accept-encoding');
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  reply.type(type);
  const accepted = request.headers['accept-encoding']?.toString();
  if (brotli && acceptsBrotli(accepted)) return reply.header('content-encoding', 'br').send(brotli);
  if (gzipped && acceptsGzip(accepted))
    return reply.header('content-encoding', 'gzip').send(gzipped);
  return reply.send(bytes);
}
