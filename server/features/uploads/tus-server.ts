import { IncomingMessage } from 'node:http';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { DataStore, Server, Upload } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { UPLOAD_PATH } from '#contract/admin/upload-path.ts';
import { MAX_UPLOAD_BYTES } from '#contract/admin/uploads.ts';
import { SECOND } from '#contract/rules/time.ts';
import type { Tx } from '../../db/connect.ts';
import type { Deps } from '../../deps.ts';
import { AppError, isDiskFull } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { isUploadId, uploadFolder, uploadPath } from './upload-folder.ts';
import {
  createUpload,
  markUploadReceived,
  newUploadId,
  cancelUpload,
  refuseUpload,
} from './upload-lifecycle.ts';
import { enqueue } from '../../jobs/queue.ts';
import { describeRefusal } from '../../ports/media/refusals.ts';
import { measureId3, sniffAudio } from '../../ports/media/sniff-audio.ts';
import { publishSignal } from '../live/service.ts';
import { readUploadTags, TAG_BYTES } from './jobs.ts';
import { addPart, adoptLocalFile } from './parts.ts';
import { findUpload, type UploadRow } from './queries.ts';
import { writeChunks } from './write-chunks.ts';

/** Our codes for the errors of the protocol. */
const codes: Record<number, ErrorCode> = {
  404: 'not_found',
  409: 'upload_offset',
  410: 'upload_gone',
  412: 'tus_required',
  413: 'payload_too_large',
  // An unsupported extension.
  501: 'malformed_request',
};

const LOCK_TIMEOUT = 'failed to acquire lock';

async function toAppError(response: Response): Promise<AppError> {
  const text = await response.text();
  const body = text.startsWith('{') ? ErrorBody.safeParse(JSON.parse(text)) : null;
  if (body?.success) return new AppError(body.data.code, { message: body.data.message });
  if (text.startsWith(LOCK_TIMEOUT)) return new AppError('upload_busy');
  const code = codes[response.status];
  if (code) return new AppError(code);
  return new AppError(response.status < 500 ? 'malformed_request' : 'internal');
}

/** Drops CORS headers, and the header that would close a reusable connection. */
const isForwarded = (header: string) =>
  !header.startsWith('access-control-') && header !== 'connection';

const hasBody = (method: string) => method === 'POST' || method === 'PATCH';

/**
 * The tus server expects a web request. Its body is the Node request itself, which only
 * `writeToStore` reads: wrapping it in a web stream would cost more than writing to disk.
 */
function toWebRequest({ raw, method, url, headers }: FastifyRequest, origin: string): Request {
  const plain = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const request = new Request(new URL(url, origin), { method, headers: plain });
  Object.defineProperty(request, 'body', { value: hasBody(method) ? raw : null });
  return Object.assign(request, { runtime: { name: 'node', node: { req: raw } } });
}

type WriteToStore = (
  body: IncomingMessage | null,
  upload: Upload,
  length: number,
  context: { signal: AbortSignal },
) => Promise<number>;

/** Writes the request to disk. Another request for the same file ends this one. */
function createWriteToStore(store: UploadStore): WriteToStore {
  return async (body, { id, offset }, length, { signal }) => {
    if (!body) return offset;
    const abort = () => void body.destroy();
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await store.receive(body, id, { offset, length });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
}

/** The tus protocol on our own table of uploads. */
export function createTusServer(deps: Deps) {
  const viewers = new WeakMap<Request, Viewer>();
  /** What isn't about the protocol, such as a store that is away. The tus server would hide it. */
  const failures = new WeakMap<Request, Error>();

  const store = new UploadStore(deps);
  const tus = new Server({
    path: UPLOAD_PATH,
    datastore: store,
    maxSize: MAX_UPLOAD_BYTES,
    relativeLocation: true,
    // A second request means that the first connection is dead, even if we have not noticed yet.
    lockDrainTimeout: 500,
    allowedOrigins: () => false,
    namingFunction: () => newUploadId(deps),
    getFileIdFromRequest: (_request, id) => (id && isUploadId(id) ? id : undefined),
    onUploadCreate: async (request: Request, { id, size, metadata }: Upload) => {
      const viewer = viewers.get(request);
      if (!viewer || size === undefined) throw new AppError('malformed_request');
      await createUpload(deps, {
        id,
        userId: viewer.user.id,
        fileName: metadata?.filename ?? '',
        size,
        replacesId: metadata?.replaces || null,
      });
      return {};
    },
    onUploadFinish: async (_request, { id }) => {
      await markUploadReceived(deps, id);
      return {};
    },
    onResponseError: (request, error) => {
      if (error instanceof AppError)
        return { status_code: error.status, body: JSON.stringify(error.toBody()) };
      if (error instanceof Error) failures.set(request, error);
      return undefined;
    },
  });

  const writeToStore = createWriteToStore(store);
  for (const handler of [tus.handlers.PATCH, tus.handlers.POST])
    Object.assign(handler, { writeToStore });

  return async (request: FastifyRequest, reply: FastifyReply, viewer: Viewer) => {
    const web = toWebRequest(request, deps.site.origin);
    viewers.set(web, viewer);
    const response = await tus.handleWeb(web);
    const failure = failures.get(web);
    if (failure) throw failure;
    if (response.status >= 400) throw await toAppError(response);
    for (const [name, value] of response.headers) if (isForwarded(name)) reply.header(name, value);
    return reply.code(response.status).send((await response.text()) || null);
  };
}

/** Often enough for other pages that watch the upload. */
const REPORT_INTERVAL_MS = 2 * SECOND;

const MB = 1024 * 1024;
/** A picture can precede the text tags, so they are read again after more bytes. */
const TAG_READ_OFFSETS = [64 * 1024, 4 * MB, TAG_BYTES];

/** What else happens when the row accepts a part. */
async function handleAcceptedPart(
  tx: Tx,
  { id, size, tags, updated_at }: UploadRow,
  { from, received, now }: { from: number; received: number; now: number },
) {
  if (now - updated_at >= REPORT_INTERVAL_MS) await publishSignal(tx, 'admin:tracks', now);
  const isNew = TAG_READ_OFFSETS.some((bytes) => from < bytes && bytes <= received);
  // The tags of a complete file are read anyway.
  if (tags === null && isNew && received < size)
    await enqueue(tx, readUploadTags, { uploadId: id }, { now, uniqueKey: `tags:${id}` });
}

const HEAD_BYTES = 64 * 1024;

const toDiskFullError = (error: unknown): unknown =>
  isDiskFull(error) ? new AppError('disk_full') : error;

/** Checks the first bytes, so that no one uploads a gigabyte just to learn that it is a video. */
async function findEarlyRefusal(path: string): Promise<string | null> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  // The audio starts later, after a long tag; the complete file is checked anyway.
  if (bytesRead < HEAD_BYTES || measureId3(buffer) > 0) return null;
  const sniffed = sniffAudio(buffer);
  return 'refusal' in sniffed ? describeRefusal(sniffed.refusal).sentence : null;
}

/** Uploads are rows in the database, and their bytes parts in the store: any server continues any upload. */
class UploadStore extends DataStore {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    super();
    this.deps = deps;
    // Without `creation-defer-length`: a file must declare its size.
    this.extensions = ['creation', 'creation-with-upload', 'termination'];
  }

  private async getOpenUpload(id: string): Promise<UploadRow> {
    const upload = await findUpload(this.deps.database.db, id);
    if (!upload) throw new AppError('not_found');
    if (upload.state === 'refused') throw new AppError('upload_gone');
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await adoptLocalFile(this.deps, await this.getOpenUpload(id));
    const metadata = { filename: row.file_name };
    const offset = row.state === 'uploading' ? row.received : row.size;
    // The server stopped after the last byte but before the row said so.
    if (row.state === 'uploading' && offset === row.size) await markUploadReceived(this.deps, id);
    return new Upload({ id, size: row.size, offset, metadata });
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    return this.receive(stream, id, { offset });
  }

  /** Stores a part of a file, or as much of it as arrives. */
  async receive(
    stream: Readable,
    id: string,
    { offset, length = Infinity }: { offset: number; length?: number },
  ): Promise<number> {
    const row = await this.getOpenUpload(id);
    if (row.state !== 'uploading') throw new AppError('upload_over');
    // A name of its own: a request on another server may be sending the same bytes.
    const path = `${uploadPath(this.deps.config, id)}-${newUploadId(this.deps)}`;
    try {
      await mkdir(uploadFolder(this.deps.config), { recursive: true });
      await writeFile(path, '', { flag: 'wx' });
      const { end: size } = await writeChunks(path, stream, {
        offset: 0,
        limit: Math.min(row.size - offset, length),
        // Nothing else uses the chunks of a socket.
        ownsChunks: stream instanceof IncomingMessage,
      });
      return size === 0 ? offset : await this.accept(row, { offset, size, path });
    } catch (error) {
      throw toDiskFullError(error);
    } finally {
      await rm(path, { force: true });
    }
  }

  private async accept(
    row: UploadRow,
    { offset, size, path }: { offset: number; size: number; path: string },
  ): Promise<number> {
    const { id } = row;
    const refusal = offset === 0 ? await findEarlyRefusal(path) : null;
    if (refusal) {
      await refuseUpload(this.deps, id, refusal);
      throw new AppError('audio_refused', { message: refusal });
    }
    const received = offset + size;
    const now = this.deps.clock.now();
    const isAccepted = await addPart(this.deps, { id, firstByte: offset, size, path }, (tx) =>
      handleAcceptedPart(tx, row, { from: offset, received, now }),
    );
    if (!isAccepted) throw new AppError('upload_offset');
    this.deps.jobs.wake();
    return received;
  }

  override remove(id: string): Promise<void> {
    return cancelUpload(this.deps, id);
  }
}
