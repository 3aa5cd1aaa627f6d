import { IncomingMessage } from 'node:http';
import { open, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Server, Upload } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FileStore } from '@tus/file-store';
import { ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { MAX_UPLOAD_BYTES, UPLOAD_PATH } from '#contract/admin/uploads.ts';
import { SECOND } from '#contract/rules/time.ts';
import type { Deps } from '../../deps.ts';
import { AppError, isDiskFull } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
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
import { readUploadTags } from './jobs.ts';
import { findUpload, updateUpload, type UploadRow } from './queries.ts';
import { syncFile, writeChunks } from './write-chunks.ts';

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
  const { log } = deps;

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
    onResponseError: (_request, error) => {
      if (error instanceof AppError)
        return { status_code: error.status, body: JSON.stringify(error.toBody()) };
      if (!('status_code' in error)) log.error({ err: error }, 'An upload failed.');
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
    if (response.status >= 400) throw await toAppError(response);
    for (const [name, value] of response.headers) if (isForwarded(name)) reply.header(name, value);
    return reply.code(response.status).send((await response.text()) || null);
  };
}

/** Often enough for other pages that watch the upload. */
const REPORT_INTERVAL_MS = 2 * SECOND;

const MB = 1024 * 1024;
/** A picture can precede the text tags, so they are read again after more bytes. */
const TAG_READ_OFFSETS = [64 * 1024, 4 * MB, 16 * MB];

type Progress = { id: string; received: number; isReported: boolean; hasNewTags?: boolean };

async function saveProgress(
  { database, clock, jobs }: Deps,
  { id, received, isReported, hasNewTags = false }: Progress,
) {
  const now = clock.now();
  await database.db.transaction().execute(async (tx) => {
    await updateUpload(tx, id, ['uploading'], { received, updated_at: now });
    if (isReported) await publishSignal(tx, 'admin:tracks', now);
    const uniqueKey = `tags:${id}`;
    if (hasNewTags) await enqueue(tx, readUploadTags, { uploadId: id }, { now, uniqueKey });
  });
  if (hasNewTags) jobs.wake();
}

/** Reports progress now and then while a part arrives, which takes long on a slow connection. */
function createProgressReporter(
  deps: Deps,
  { id, size, tags, updated_at }: UploadRow,
  from: number,
) {
  let reportedAt = updated_at;
  let reporting: Promise<unknown> | null = null;
  const isDue = () => deps.clock.now() - reportedAt >= REPORT_INTERVAL_MS;
  return {
    report: (received: number) => {
      if (reporting || !isDue()) return;
      reportedAt = deps.clock.now();
      reporting = saveProgress(deps, { id, received, isReported: true })
        .catch((error: unknown) =>
          deps.log.warn({ err: error }, 'Could not save the progress of an upload.'),
        )
        .finally(() => (reporting = null));
    },
    end: async (received: number) => {
      await reporting;
      const isNew = TAG_READ_OFFSETS.some((bytes) => from < bytes && bytes <= received);
      // The tags of a complete file are read anyway.
      const hasNewTags = tags === null && isNew && received < size;
      await saveProgress(deps, { id, received, isReported: isDue(), hasNewTags });
    },
  };
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

/** Uploads are rows in the database; the files on disk only say how much has arrived. */
class UploadStore extends FileStore {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    const nothing = async () => undefined;
    super({
      directory: uploadFolder(deps.config),
      configstore: { get: nothing, set: nothing, delete: nothing },
    });
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

  override async create(file: Upload): Promise<Upload> {
    try {
      return await super.create(file);
    } catch (error) {
      throw toDiskFullError(error);
    }
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.getOpenUpload(id);
    const metadata = { filename: row.file_name };
    if (row.state !== 'uploading')
      return new Upload({ id, size: row.size, offset: row.size, metadata });
    const path = uploadPath(this.deps.config, id);
    const { size: offset } = await stat(path).catch(() => {
      throw new AppError('upload_gone');
    });
    // The browser never sends these bytes again, so they must be on disk before we report them.
    if (offset > 0) await syncFile(path);
    // The server stopped after the last byte but before the row said so.
    if (offset === row.size) await markUploadReceived(this.deps, id);
    return new Upload({ id, size: row.size, offset, metadata });
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    return this.receive(stream, id, { offset });
  }

  /** Writes a part of a file, or as much of it as arrives. */
  async receive(
    stream: Readable,
    id: string,
    { offset, length = Infinity }: { offset: number; length?: number },
  ): Promise<number> {
    const path = uploadPath(this.deps.config, id);
    const row = await this.getOpenUpload(id);
    if (row.state !== 'uploading') throw new AppError('upload_over');
    const progress = createProgressReporter(this.deps, row, offset);
    const limit = Math.min(row.size, offset + length);
    const { end } = await writeChunks(path, stream, {
      offset,
      limit,
      // Nothing else uses the chunks of a socket.
      ownsChunks: stream instanceof IncomingMessage,
      onBytes: progress.report,
    }).catch((error: unknown) => {
      throw toDiskFullError(error);
    });
    const refusal = offset < HEAD_BYTES && end > offset ? await findEarlyRefusal(path) : null;
    if (refusal) {
      await refuseUpload(this.deps, id, refusal);
      await rm(path, { force: true });
      throw new AppError('audio_refused', { message: refusal });
    }
    await progress.end(end);
    return end;
  }

  override async remove(id: string): Promise<void> {
    await cancelUpload(this.deps, id);
    await rm(uploadPath(this.deps.config, id), { force: true });
  }
}
