import { once } from 'node:events';
import { closeSync, fstatSync, openSync, read } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defineGauge } from '../load/counters.ts';
import type { Deps } from '../../deps.ts';
import { buildContentDisposition } from './attachment.ts';
import { buildCdnPath, findAddressEnd, type CdnFile } from './cdn-address.ts';

export type SendOptions = {
  cacheControl: string;
  /** For small public files, which browsers cache better from one address than behind redirects. */
  isNeverRedirected?: boolean;
  /** The client may be sent to the CDN, which then gives it the file until the address ends. */
  isForCdn?: boolean;
  /** By nobody else, not even the nginx in front of us, which drops headers that it doesn't know. */
  isSentByUs?: boolean;
  /** Makes the browser save the file under this name instead of showing or playing it. */
  attachmentName?: string;
  /** For clients that remember a date instead of the ETag, as podcast apps do. */
  modifiedAt?: number;
};
export type SendableFile = {
  key: string;
  size: number;
  mediaType: string;
  /** When the site stops giving it; null if that isn't planned. */
  endsAt?: number | null;
  /** Set for files of released mixes, which a CDN may have. */
  cdnFile?: Omit<CdnFile, 'version'> & { durationMs: number };
};

/** Long enough to start playing, short enough that a copied URL is worthless. */
const PRESIGNED_SECONDS = 120;
/** A browser resumes a broken download at the store, without asking us again. */
const PRESIGNED_ATTACHMENT_SECONDS = 60 * 60;

/** No address outlives the file's end. What expires at once is no valid address. */
const limitLifetime = (seconds: number, endsAt: number | null | undefined, now: number): number =>
  Math.max(1, Math.min(seconds, Math.floor(((endsAt ?? Infinity) - now) / 1000)));

/** A key is generated for each file and never reused, so its last part identifies the exact bytes. */
export const versionOf = (key: string): string => key.split('/').at(-1) ?? '';
const etagOf = (key: string): string => `"${versionOf(key)}"`;

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

/** HTTP has no milliseconds. */
export const toHttpDate = (time: number): string => new Date(time).toUTCString();

/**
 * Whether the client has this very version. A date counts only if it is the one we sent: with any
 * other, it says nothing about the version.
 */
export function isUnchanged(
  { headers }: Pick<FastifyRequest, 'headers'>,
  etag: string,
  modifiedAt?: number,
): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, etag);
  return modifiedAt !== undefined && headers['if-modified-since'] === toHttpDate(modifiedAt);
}

/** A file that is missing because its disk isn't mounted comes back, and others are really missing. */
async function explainMissing(
  storage: Deps['storage'],
  key: string,
  error: unknown,
): Promise<unknown> {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error;
  const reason: unknown = await storage.open(key).then(
    (opened) => void opened?.stream.destroy(),
    (problem: unknown) => problem,
  );
  return reason ?? error;
}

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
    try {
      await sendLocalFile(reply, storage.localPath(key), range);
    } catch (error) {
      throw await explainMissing(storage, key, error);
    }
    return reply;
  }
  const opened = await storage.open(key, result.status === 206 ? range : undefined);
  if (!opened) throw new Error(`The file ${key} is missing from the store.`);
  return reply.send(opened.stream);
}

/** Where the file is for a while, so that we needn't send it; null if that is here. */
async function findAddressElsewhere(
  { storage, config, clock, database }: SendDeps,
  { key, mediaType, endsAt = null, cdnFile }: SendableFile,
  { isForCdn, isNeverRedirected, isSentByUs, attachmentName }: SendOptions,
): Promise<string | null> {
  if (isNeverRedirected || isSentByUs) return null;
  const now = clock.now();
  if (config.cdnUrl && isForCdn && cdnFile) {
    const { durationMs, ...named } = cdnFile;
    const grant = {
      ...named,
      version: versionOf(key),
      use: attachmentName ? 'save' : 'play',
      endsAt: findAddressEnd(now, { durationMs, endsAt }),
    } as const;
    return config.cdnUrl + (await buildCdnPath({ database }, grant));
  }
  if (!storage.presignRead) return null;
  const seconds = attachmentName ? PRESIGNED_ATTACHMENT_SECONDS : PRESIGNED_SECONDS;
  return storage.presignRead(key, {
    expiresInSeconds: limitLifetime(seconds, endsAt, now),
    mediaType,
    ...(attachmentName && { disposition: buildContentDisposition(attachmentName) }),
  });
}

type SendDeps = Pick<Deps, 'storage' | 'config' | 'clock' | 'database'>;

/**
 * Answers with a stored file, whole or in part. The caller has checked access. Where possible, a CDN,
 * the store itself or the nginx in front of us sends the bytes.
 */
export async function sendFile(
  deps: SendDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  file: SendableFile,
  options: SendOptions,
): Promise<FastifyReply> {
  const { storage, config } = deps;
  const { cacheControl, attachmentName, modifiedAt } = options;
  const etag = etagOf(file.key);
  reply.headers({ etag, 'cache-control': cacheControl, 'accept-ranges': 'bytes' });
  if (modifiedAt !== undefined) reply.header('last-modified', toHttpDate(modifiedAt));
  if (isUnchanged(request, etag, modifiedAt)) return reply.code(304).send();
  // The store would refuse a HEAD at an address that is signed for a GET.
  const elsewhere =
    request.method === 'HEAD' ? null : await findAddressElsewhere(deps, file, options);
  if (elsewhere !== null) {
    // Access was checked for this client, and the address ends: no one may cache the redirect.
    reply.header('cache-control', 'private, no-store');
    return reply.redirect(elsewhere, 302);
  }
  reply.type(file.mediaType);
  if (attachmentName) reply.header('content-disposition', buildContentDisposition(attachmentName));
  if (config.accelPrefix && !options.isSentByUs)
    return reply.header('x-accel-redirect', `${config.accelPrefix}/${file.key}`).send();
  return sendBytes({ storage }, request, reply, file);
}

const KB = 1024;
/** Reading happens on another thread, so few large pieces are quicker than many small ones. */
const LARGE_PIECE = 1024 * KB;
/** A piece stays in memory until the connection takes it, so a slow or paused one gets small pieces. */
const SMALL_PIECE = 64 * KB;
const SLOW_MS = 100;

export type ByteRange = { start: number; /** The last byte, included. */ end: number };

/** Filling a buffer that was used before takes half as long as filling a fresh one. */
const freeBuffers: Buffer[] = [];
const MAX_FREE_BUFFERS = 16;

const takeBuffer = (size: number): Buffer =>
  size > SMALL_PIECE
    ? (freeBuffers.pop() ?? Buffer.allocUnsafeSlow(LARGE_PIECE))
    : Buffer.allocUnsafe(size);

function returnBuffer(buffer: Buffer) {
  if (buffer.length === LARGE_PIECE && freeBuffers.length < MAX_FREE_BUFFERS)
    freeBuffers.push(buffer);
}

const readInto = promisify(read);

const countSending = defineGauge('weekender_files_sending', 'Audio and other files being sent.');

const TOO_SHORT = 'The file is shorter than it was when it was stored.';

/** Resolves once the connection has taken the bytes, so that the buffer can be used again. */
const write = (response: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });

async function sendPieces(
  file: number,
  { start, end }: ByteRange,
  response: ServerResponse,
  closed: Promise<never>,
) {
  let largest = LARGE_PIECE;
  for (let position = start; position <= end;) {
    const size = Math.min(largest, end - position + 1);
    const buffer = takeBuffer(size);
    const { bytesRead } = await readInto(file, buffer, 0, size, position);
    if (bytesRead === 0) throw new Error(TOO_SHORT);
    const startedAt = performance.now();
    // If this fails, the bytes may still be on their way: the buffer isn't used again.
    await Promise.race([write(response, buffer.subarray(0, bytesRead)), closed]);
    returnBuffer(buffer);
    largest = performance.now() - startedAt > SLOW_MS ? SMALL_PIECE : LARGE_PIECE;
    position += bytesRead;
  }
  response.end();
}

/** Rejects when the connection closes: Node never calls back a write that waits behind another answer. */
function watchClose({ socket }: FastifyReply['request']['raw']) {
  const controller = new AbortController();
  const closed = once(socket, 'close', { signal: controller.signal }).then(() => {
    throw new Error('The connection closed.');
  });
  closed.catch(() => undefined);
  return { closed, unwatch: () => controller.abort() };
}

/**
 * Sends a range of a local file. The reply has its status and headers already. Throws before it
 * sends anything if the file is missing or too short.
 */
export async function sendLocalFile(reply: FastifyReply, path: string, range: ByteRange) {
  // Opening and closing take less time than a trip to another thread.
  const file = openSync(path, 'r');
  const { raw: response, request } = reply;
  const { closed, unwatch } = watchClose(request.raw);
  countSending(1);
  try {
    if (fstatSync(file).size <= range.end) throw new Error(TOO_SHORT);
    reply.hijack();
    response.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
    await sendPieces(file, range, response, closed);
  } catch (error) {
    if (!response.headersSent) throw error;
    if (!request.socket.destroyed)
      reply.log.error({ reqId: request.id, err: error }, 'Sending a file failed.');
    // The client expects the promised length; closing the connection tells it that bytes are missing.
    response.destroy();
  } finally {
    unwatch();
    countSending(-1);
    closeSync(file);
  }
}
