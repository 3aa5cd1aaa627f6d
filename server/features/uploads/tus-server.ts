import type { IncomingMessage } from 'node:http';
import { Server, type Upload } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/errors.ts';
import { ErrorBody } from '#contract/errors.ts';
import { MAX_UPLOAD_BYTES, UPLOAD_PATH } from '#contract/uploads.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import type { Viewer } from '../../http/guards.ts';
import { beginUpload, newUploadId, receiveUpload } from './receive.ts';
import { isUploadId } from './upload-folder.ts';
import { UploadStore } from './upload-store.ts';

/** What the protocol's own refusals are called here. */
const codes: Record<number, ErrorCode> = {
  404: 'not_found',
  409: 'upload_offset',
  410: 'upload_gone',
  412: 'tus_required',
  413: 'payload_too_large',
  // An extension that is not offered.
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

/** Nobody reads from another origin, and a connection that can be used again is not closed. */
const isOurs = (header: string) => !header.startsWith('access-control-') && header !== 'connection';

const hasBody = (method: string) => method === 'POST' || method === 'PATCH';

/**
 * The protocol's server knows requests of the web. The body it is given is the request itself: what
 * it is made of is for `writeToStore` alone, and a web stream around it costs more than the disk.
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

/** From the request to the disk, with nothing between. Whoever takes the file over ends this request. */
function writeRequestsTo(store: UploadStore): WriteToStore {
  return async (body, { id, offset }, length, { signal }) => {
    if (!body) return offset;
    const giveWay = () => void body.destroy();
    signal.addEventListener('abort', giveWay, { once: true });
    try {
      return await store.receive(body, id, { offset, length });
    } finally {
      signal.removeEventListener('abort', giveWay);
    }
  };
}

/** The tus protocol over our own table of uploads. */
export function createTusServer(deps: Deps) {
  const actors = new WeakMap<Request, Viewer>();
  const { log } = deps;

  const store = new UploadStore(deps);
  const tus = new Server({
    path: UPLOAD_PATH,
    datastore: store,
    maxSize: MAX_UPLOAD_BYTES,
    relativeLocation: true,
    // Whoever asks again has given the other line up, though nobody has noticed that yet.
    lockDrainTimeout: 500,
    allowedOrigins: () => false,
    namingFunction: () => newUploadId(deps),
    getFileIdFromRequest: (_request, id) => (id && isUploadId(id) ? id : undefined),
    onUploadCreate: async (request: Request, { id, size, metadata }: Upload) => {
      const viewer = actors.get(request);
      if (!viewer || size === undefined) throw new AppError('malformed_request');
      await beginUpload(deps, {
        id,
        userId: viewer.user.id,
        fileName: metadata?.filename ?? '',
        size,
        replacesId: metadata?.replaces || null,
      });
      return {};
    },
    onUploadFinish: async (_request, { id }) => {
      await receiveUpload(deps, id);
      return {};
    },
    onResponseError: (_request, error) => {
      if (error instanceof AppError)
        return { status_code: error.status, body: JSON.stringify(error.toBody()) };
      if (!('status_code' in error)) log.error({ err: error }, 'an upload failed');
      return undefined;
    },
  });

  const writeToStore = writeRequestsTo(store);
  for (const handler of [tus.handlers.PATCH, tus.handlers.POST])
    Object.assign(handler, { writeToStore });

  return async (request: FastifyRequest, reply: FastifyReply, viewer: Viewer) => {
    const web = toWebRequest(request, deps.site.origin);
    actors.set(web, viewer);
    const response = await tus.handleWeb(web);
    if (response.status >= 400) throw await toAppError(response);
    for (const [name, value] of response.headers) if (isOurs(name)) reply.header(name, value);
    return reply.code(response.status).send((await response.text()) || null);
  };
}
