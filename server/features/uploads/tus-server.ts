import type { IncomingMessage } from 'node:http';
import { Server, type Upload } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ErrorBody, type ErrorCode } from '#contract/errors.ts';
import { MAX_UPLOAD_BYTES, UPLOAD_PATH } from '#contract/admin/uploads.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/app-error.ts';
import { registerIsolatedPlugin } from '../../http/body-parsers.ts';
import { enforceGuard, type Viewer } from '../../http/guards.ts';
import { allowSlowUpload } from '../../http/slow-request-timeout.ts';
import { isUploadId } from './upload-folder.ts';
import { createUpload, markUploadReceived, newUploadId } from './upload-lifecycle.ts';
import { UploadStore } from './upload-store.ts';

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
function createTusServer(deps: Deps) {
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

/** Routes of the tus protocol. Its HEAD has no matching GET. */
export function registerTusRoutes(app: FastifyInstance, deps: Deps) {
  const serve = createTusServer(deps);
  registerIsolatedPlugin(app, (scope) => {
    // Only the upload store reads the body.
    scope.addContentTypeParser('*', (_request, _payload, ready) => ready(null));
    const handle = {
      onRequest: async (request, reply) => {
        request.viewer = await enforceGuard('admin', deps, request, reply);
        allowSlowUpload(request.raw);
      },
      handler: async (request, reply) => {
        if (!request.viewer) throw new AppError('unauthenticated');
        return serve(request, reply, request.viewer);
      },
    } satisfies Pick<Parameters<typeof scope.route>[0], 'onRequest' | 'handler'>;
    scope.route({ method: ['POST', 'OPTIONS'], url: UPLOAD_PATH, ...handle });
    scope.route({ method: ['HEAD', 'PATCH', 'DELETE'], url: `${UPLOAD_PATH}/:id`, ...handle });
  });
}
