import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { describeAttachment } from './attachment.ts';
import { isRangeCurrent, matchesEtag, readRange } from './byte-range.ts';
import { sendLocalFile } from './send-local-file.ts';

export type SendRules = {
  cacheControl: string;
  /** Small public files are better kept by the browser than fetched from a new address each time. */
  isAlwaysOurs?: boolean;
  /** A file to keep, under this name, instead of one to be played or shown. */
  attachmentName?: string;
};
export type SendableFile = { key: string; size: number; mediaType: string };

/** Long enough to start playing, short enough that a copied address is worth nothing. */
const PRESIGNED_SECONDS = 120;
/** A browser goes on with a broken download at the store, without asking us again. */
const PRESIGNED_ATTACHMENT_SECONDS = 60 * 60;

/** A key is generated for each file and never used again, so it names the exact bytes. */
const etagOf = (key: string): string => `"${key.split('/').at(-1)}"`;

/**
 * Tells nginx what to send: it takes these headers, drops all others, and writes the answer itself.
 * Past the framework and as a list, which need not be looked through before it is written.
 */
export function handToNginx(
  response: ServerResponse,
  prefix: string,
  { key, mediaType }: SendableFile,
  { cacheControl, disposition }: { cacheControl: string; disposition?: string | undefined },
) {
  const headers = ['x-accel-redirect', `${prefix}/${key}`, 'content-type', mediaType];
  headers.push('cache-control', cacheControl, 'content-length', '0');
  if (disposition) headers.push('content-disposition', disposition);
  response.sendDate = false;
  response.writeHead(200, headers).end();
}

/**
 * Answers with a stored file, whole or in part. Who may have it is decided before this is called.
 * The bytes come from the store itself or from the web server in front of us where that is possible.
 */
export async function sendFile(
  { storage, config }: Pick<Deps, 'storage' | 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  file: SendableFile,
  { cacheControl, isAlwaysOurs = false, attachmentName }: SendRules,
): Promise<FastifyReply> {
  const etag = etagOf(file.key);
  const { headers } = request;
  const disposition = attachmentName && describeAttachment(attachmentName);
  reply.headers({ etag, 'cache-control': cacheControl, 'accept-ranges': 'bytes' });
  if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send();
  if (storage.presignRead && !isAlwaysOurs) {
    const { mediaType } = file;
    const options = {
      expiresInSeconds: disposition ? PRESIGNED_ATTACHMENT_SECONDS : PRESIGNED_SECONDS,
      mediaType,
      ...(disposition && { disposition }),
    };
    // The address is personal and short-lived; the answer that holds it must not outlive it.
    reply.header('cache-control', 'private, no-store');
    return reply.redirect(await storage.presignRead(file.key, options), 302);
  }
  if (config.accelPrefix) {
    reply.hijack();
    handToNginx(reply.raw, config.accelPrefix, file, { cacheControl, disposition });
    return reply;
  }
  reply.type(file.mediaType);
  if (disposition) reply.header('content-disposition', disposition);

  const isPart = isRangeCurrent(headers['if-range']?.toString(), etag);
  const answer = readRange(isPart ? headers.range : undefined, file.size);
  if (answer.status === 416)
    return reply.code(416).header('content-range', `bytes */${file.size}`).send();
  const range = answer.status === 206 ? answer.range : { start: 0, end: file.size - 1 };
  reply.code(answer.status).header('content-length', range.end - range.start + 1);
  if (answer.status === 206)
    reply.header('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
  if (request.method === 'HEAD') return reply.send();
  if (storage.localPath) {
    await sendLocalFile(reply, storage.localPath(file.key), range);
    return reply;
  }
  const opened = await storage.open(file.key, answer.status === 206 ? range : undefined);
  if (!opened) throw new Error(`The file ${file.key} is missing from the store.`);
  return reply.send(opened.stream);
}
