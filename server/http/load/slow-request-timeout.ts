import type { IncomingMessage, Server } from 'node:http';
import { HOUR } from '#contract/rules/time.ts';

/** How long a request may take to arrive. */
export type SlowRequestLimits = {
  /** For an ordinary request. */
  totalMs: number;
  /** An upload may take up to `maxUploadMs`, as long as `minBytes` arrive in every `idleMs`. */
  idleMs: number;
  minBytes: number;
  maxUploadMs: number;
};

const LIMITS: SlowRequestLimits = {
  totalMs: 120_000,
  idleMs: 60_000,
  minBytes: 16 * 1024,
  maxUploadMs: 24 * HOUR,
};

type Progress = { isUpload: boolean; bytes: number; elapsedMs: number };

const progressOf = new WeakMap<IncomingMessage, Progress>();

/** Call it after the guard, so that only users who may upload get the time for it. */
export function allowSlowUpload(request: IncomingMessage): void {
  const progress = progressOf.get(request);
  if (progress) progress.isUpload = true;
}

type Check = Progress & { bytesNow: number };

/** Checked at the end of every interval. */
export const isTimedOut = (
  { isUpload, bytes, bytesNow, elapsedMs }: Check,
  { totalMs, minBytes, maxUploadMs }: SlowRequestLimits,
): boolean =>
  isUpload ? bytesNow - bytes < minBytes || elapsedMs >= maxUploadMs : elapsedMs >= totalMs;

/** Whether bytes follow the headers. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Ends requests that arrive too slowly, so that they can't occupy a connection or delay a shutdown.
 * Node's own `requestTimeout` is one limit for all requests, and would end large uploads.
 */
export function addSlowRequestTimeout(server: Server, limits: SlowRequestLimits = LIMITS) {
  const requests = new Set<IncomingMessage>();

  function watch(request: IncomingMessage) {
    const { socket } = request;
    const progress: Progress = { isUpload: false, bytes: socket.bytesRead, elapsedMs: 0 };
    progressOf.set(request, progress);
    requests.add(request);
    const intervalMs = Math.min(limits.totalMs, limits.idleMs);
    const timer = setInterval(() => {
      if (request.complete) return stop();
      progress.elapsedMs += intervalMs;
      const bytesNow = socket.bytesRead;
      if (isTimedOut({ ...progress, bytesNow }, limits)) {
        stop();
        const code = 'ERR_HTTP_REQUEST_TIMEOUT';
        server.emit('clientError', Object.assign(new Error(code), { code }), socket);
      }
      progress.bytes = bytesNow;
    }, intervalMs);
    timer.unref();
    function stop() {
      clearInterval(timer);
      requests.delete(request);
    }
    request.once('close', stop);
  }

  server.prependListener('request', (request: IncomingMessage) => {
    if (hasBody(request)) watch(request);
  });

  return {
    /** A server that stops doesn't wait for uploads: they resume later. */
    endUploads: () => {
      for (const request of requests) if (progressOf.get(request)?.isUpload) request.destroy();
    },
  };
}
