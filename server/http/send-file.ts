import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { buildContentDisposition } from './attachment.ts';
import { sendLocalFile, type ByteRange } from './send-local-file.ts';

export type SendOptions = {
  cacheControl: string;
  /** For small public files, which browsers cache better from one address than behind redirects. */
  isNeverRedirected?: boolean;
  /** Makes the browser save the file under this name instead of showing or playing it. */
  attachmentName?: string;
};
export type SendableFile = { key: string; size: number; mediaType: string };

/** Long enough to start playing, short enough that a copied URL is worthless. */
const PRESIGNED_SECONDS = 120;
/** A browser resumes a broken download at the store, without asking us again. */
const PRESIGNED_ATTACHMENT_SECONDS = 60 * 60;

/** A key is generated for each file and never reused, so it identifies the exact bytes. */
const etagOf = (key: string): string => `"${key.split('/').at(-1)}"`;

type RangeResult = { status: 200 } | { status: 206; range: ByteRange } | { status: 416 };

/**
 * Parses a Range header by RFC 9110: it serves one range, a suffix counts from the end, and an end
 * past the file is cut. Several ranges or a malformed header get the whole file, as the RFC allows.
 */
export function parseRange(header: string | undefined, size: number): RangeResult {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return { status: 200 };
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(first) > Number(last)) return { status: 200 };
  if (start >= size || (first === '' && Number(last) === 0)) return { status: 416 };
  return { status: 206, range: { start, end } };
}

/** With If-Range, a range is only correct if the client has the rest of this very file. */
export const isRangeCurrent = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag;

/** RFC 9110: a list of ETags, compared weakly, or `*`. */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch
    .split(',')
    .map((candidate) => candidate.trim().replace(/^W\//, ''))
    .some((candidate) => candidate === '*' || candidate === etag);

/** Sends the bytes ourselves: all of them, or the range that the client asked for. */
async function sendBytes(
  { storage }: Pick<Deps, 'storage'>,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { key, size }: SendableFile,
): Promise<FastifyReply> {
  const isCurrent = isRangeCurrent(headers['if-range']?.toString(), etagOf(key));
  const result = parseRange(isCurrent ? headers.range : undefined, size);
  if (result.status === 416)
    return reply.code(416).header('content-range', `bytes */${size}`).send();
  const range = result.status === 206 ? result.range : { start: 0, end: size - 1 };
  reply.code(result.status).header('content-length', range.end - range.start + 1);
  if (result.status === 206)
    reply.header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  if (method === 'HEAD') return reply.send();
  if (storage.localPath) {
    await sendLocalFile(reply, storage.localPath(key), range);
    return reply;
  }
  const opened = await storage.open(key, result.status === 206 ? range : undefined);
  if (!opened) throw new Error(`The file ${key} is missing from the store.`);
  return reply.send(opened.stream);
}

/**
 * Answers with a stored file, whole or in part. The caller has checked access. Where possible, the
 * store itself or the nginx in front of us sends the bytes.
 */
export async function sendFile(
  { storage, config }: Pick<Deps, 'storage' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  file: SendableFile,
  { cacheControl, isNeverRedirected = false, attachmentName }: SendOptions,
): Promise<FastifyReply> {
  const etag = etagOf(file.key);
  const disposition = attachmentName && buildContentDisposition(attachmentName);
  reply.headers({ etag, 'cache-control': cacheControl, 'accept-ranges': 'bytes' });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (storage.presignRead && !isNeverRedirected) {
    const options = {
      expiresInSeconds: disposition ? PRESIGNED_ATTACHMENT_SECONDS : PRESIGNED_SECONDS,
      mediaType: file.mediaType,
      ...(disposition && { disposition }),
    };
    // The URL is personal and expires soon, so no one may cache the redirect.
    reply.header('cache-control', 'private, no-store');
    return reply.redirect(await storage.presignRead(file.key, options), 302);
  }
  reply.type(file.mediaType);
  if (disposition) reply.header('content-disposition', disposition);
  if (config.accelPrefix)
    return reply.header('x-accel-redirect', `${config.accelPrefix}/${file.key}`).send();
  return sendBytes({ storage }, request, reply, file);
}
