import type { IncomingMessage, Server } from 'node:http';
import { HOUR } from '#contract/rules/time.ts';

/** How long a request may take to arrive. */
export type ArrivalLimits = {
  /** As a whole, where nothing else is said of it. */
  wholeMs: number;
  /** A large file takes as long as the line needs, while so many bytes come in so much time. */
  idleMs: number;
  leastBytes: number;
  longestMs: number;
};

const LIMITS: ArrivalLimits = {
  wholeMs: 120_000,
  idleMs: 60_000,
  leastBytes: 16 * 1024,
  longestMs: 24 * HOUR,
};

type Arrival = { isFile: boolean; bytes: number; sinceMs: number };

const arrivals = new WeakMap<IncomingMessage, Arrival>();

/** After the guard: whoever may send a file may take the time for it. */
export function expectFile(request: IncomingMessage): void {
  const arrival = arrivals.get(request);
  if (arrival) arrival.isFile = true;
}

type Look = Arrival & { bytesNow: number };

/** At the end of a stretch of time: is there a reason to go on waiting? */
export const isWaitingInVain = (
  { isFile, bytes, bytesNow, sinceMs }: Look,
  { wholeMs, leastBytes, longestMs }: ArrivalLimits,
): boolean => (isFile ? bytesNow - bytes < leastBytes || sinceMs >= longestMs : sinceMs >= wholeMs);

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Whoever sends a request drop by drop does not hold a connection, or a shutdown, for ever. Node's
 * own limit knows one time for all requests, and none that looks at whether anything still comes.
 */
export function limitArrivals(server: Server, limits: ArrivalLimits = LIMITS) {
  const files = new Set<IncomingMessage>();

  function watch(request: IncomingMessage) {
    const { socket } = request;
    const arrival: Arrival = { isFile: false, bytes: socket.bytesRead, sinceMs: 0 };
    arrivals.set(request, arrival);
    files.add(request);
    const stretchMs = Math.min(limits.wholeMs, limits.idleMs);
    const timer = setInterval(() => {
      if (request.complete) return stop();
      arrival.sinceMs += stretchMs;
      const bytesNow = socket.bytesRead;
      if (isWaitingInVain({ ...arrival, bytesNow }, limits)) {
        stop();
        const code = 'ERR_HTTP_REQUEST_TIMEOUT';
        server.emit('clientError', Object.assign(new Error(code), { code }), socket);
      }
      arrival.bytes = bytesNow;
    }, stretchMs);
    timer.unref();
    function stop() {
      clearInterval(timer);
      files.delete(request);
    }
    request.once('close', stop);
  }

  server.prependListener('request', (request: IncomingMessage) => {
    if (hasBody(request)) watch(request);
  });

  return {
    /** A server that stops does not wait for a file that needs another hour. What can go on later does. */
    endFiles: () => {
      for (const request of files) if (arrivals.get(request)?.isFile) request.destroy();
    },
  };
}
