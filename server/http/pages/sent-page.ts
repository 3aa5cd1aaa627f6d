import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  compressBrotli,
  compressGzip,
  copyToKeep,
  decompressBrotli,
  decompressGzip,
} from '../../background/compress.ts';
import { acceptsBrotli, acceptsGzip } from '../send/send-json.ts';
import type { WebPage } from './web-page.ts';

/** Takes four milliseconds for Home, which then fits into the first packets that a server may send. */
const BROTLI_QUALITY = 7;

const ENCODINGS = {
  br: {
    compress: (bytes: Buffer) => compressBrotli(bytes, BROTLI_QUALITY),
    decompress: decompressBrotli,
  },
  gzip: { compress: compressGzip, decompress: decompressGzip },
};

type Encoding = keyof typeof ENCODINGS;

/**
 * A page as it is sent. It is compressed when a browser first wants it so, and from then on that is all
 * that is kept: up to 200 pages are, and their text takes four to twelve times the room.
 */
export type SentPage = Omit<WebPage, 'html'> & {
  etag: string;
  bytes?: Buffer;
  compressed: Map<Encoding, Promise<Buffer>>;
};

const RENDERED_AT = / data-rendered-at="\d+"/;

/** A page that shows the same keeps its tag, whenever it was rendered. */
export function etagOf(html: string): string {
  const hash = createHash('sha256');
  for (const part of html.split(RENDERED_AT)) hash.update(part);
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}

export const encodePage = ({ html, ...page }: WebPage): SentPage => ({
  ...page,
  etag: etagOf(html),
  bytes: Buffer.from(html),
  compressed: new Map(),
});

async function readBytes({ bytes, compressed }: SentPage): Promise<Buffer> {
  if (bytes) return bytes;
  const [first] = compressed;
  if (!first) throw new Error('Nothing is kept of this page.');
  const [encoding, kept] = first;
  return ENCODINGS[encoding].decompress(await kept);
}

async function compressPage(page: SentPage, encoding: Encoding): Promise<Buffer> {
  const compressed = copyToKeep(await ENCODINGS[encoding].compress(await readBytes(page)));
  delete page.bytes;
  return compressed;
}

function encodeOnce(page: SentPage, encoding: Encoding): Promise<Buffer> {
  const known = page.compressed.get(encoding);
  if (known) return known;
  const made = compressPage(page, encoding);
  page.compressed.set(encoding, made);
  made.catch(() => page.compressed.delete(encoding));
  return made;
}

function chooseEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = headers['accept-encoding']?.toString();
  if (acceptsBrotli(accepted)) return 'br';
  return acceptsGzip(accepted) ? 'gzip' : undefined;
}

export async function sendPage(page: SentPage, request: FastifyRequest, reply: FastifyReply) {
  reply.headers({
    'content-security-policy': page.policy,
    'cache-control': page.status === 200 ? 'private, no-cache' : 'no-store',
    etag: page.etag,
    vary: 'accept-encoding, cookie',
  });
  if (page.status === 200 && request.headers['if-none-match']?.includes(page.etag))
    return reply.code(304).send();
  reply.code(page.status).type('text/html; charset=utf-8');
  const encoding = chooseEncoding(request);
  if (!encoding) return reply.send(await readBytes(page));
  const compressed = await encodeOnce(page, encoding);
  return reply.header('content-encoding', encoding).send(compressed);
}
