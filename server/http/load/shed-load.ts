import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defineCounter } from './counters.ts';
import type { Deps } from '../../deps.ts';
import { sendPlainPage } from '../pages/plain-page.ts';
import { toRateLimitAddress } from '../route/address.ts';
import { AppError } from '../route/app-error.ts';
import { hasBody } from './slow-request-timeout.ts';
import { readCookie } from '../route/cookies.ts';
import { DEVICE_COOKIE, readSessionToken } from '../route/sessions.ts';
import { createLoopLag, type LoopLag } from './loop-lag.ts';
import { hashToken } from '../route/tokens.ts';
import { hashApp, wasVerified } from './verified.ts';
import { createWaitingRoom, type WaitingRoomClock } from './waiting-room.ts';

/**
 * Who goes first when there are too many requests:
 * - `urgent`: what must not be lost or stop: webhooks, what members play and report, administrators,
 *   and logins on a device that has logged in before, because an operator's session may have ended.
 * - `member`: members, also without a session, other logins, and the files of pages that were sent.
 * - `visitor`: everyone else, and everyone whose session, device, feed or app we haven't recognised
 *   before: anyone can send a cookie or a range.
 */
const RANKS = ['urgent', 'member', 'visitor'] as const;
export type Rank = (typeof RANKS)[number];

/** How long a request waits for its turn before it gets a 503, in milliseconds. */
const WAIT_LIMITS: Record<Rank, number> = { urgent: 6000, member: 3000, visitor: 1500 };

/**
 * How many others may be unanswered for a request to be started. Most are answered at once, so these
 * wait for something: a page that is rendered, or the database.
 */
const UNANSWERED_LIMITS: Record<Rank, number> = { urgent: 800, member: 200, visitor: 100 };

/** Requests are started as they come while the event loop is no later than this, in milliseconds. */
const SHORT_TURN_MS = 10;

/** So that one address can't keep out all others; nobody needs more: a whole page is 25 requests. */
const MAX_PER_ADDRESS = 50;

/** Cheap, and answered whatever happens: a balancer must not take a busy server for a dead one. */
const ALWAYS = new Set(['/healthz', '/api/health', '/metrics']);

/** What may take long without being late: audio, uploads, and pages that listen for changes. */
const LONG =
  /^\/(?:media\/|feed\/|rest\/(?:stream|download)(?:\.view)?(?:$|[/?])|api\/live|api\/admin\/(?:uploads|backup))/;

const LATER_MS = 5;
const REPORT_MS = 10_000;
const RETRY_SECONDS = { min: 2, max: 6 };

const countShed = defineCounter(
  'weekender_requests_shed_total',
  'Requests answered with 503 because there were too many.',
  ['rank'],
);

declare module 'fastify' {
  interface FastifyInstance {
    /** Some requests have arrived and wait until there is time for them. */
    hasWaitingRequests: () => boolean;
  }
  interface FastifyRequest {
    /** Answered with 503 before anything else was done. */
    isShed: boolean;
    /** Among those that have no answer yet. */
    isCounted: boolean;
  }
}

const isContinuing = ({ headers: { range } }: FastifyRequest): boolean =>
  range !== undefined && !range.startsWith('bytes=0-');

/** A feed or an app that was recognised before: they have no session, but an address or a password. */
function isKnownApp({ url, ip }: FastifyRequest, path: string): boolean {
  const [, feed] = /^\/feed\/([\w-]{43})(?:\/|$)/.exec(path) ?? [];
  if (feed !== undefined) return wasVerified('feed', hashToken(feed));
  if (!path.startsWith('/rest/')) return false;
  const query = new URLSearchParams(url.slice(path.length));
  const name = query.get('apiKey') ?? query.get('u');
  return name !== null && wasVerified('app', hashApp(name, toRateLimitAddress(ip)));
}

/** By the path and by what was recognised before. Null: always answered at once. */
export function findRank(
  request: FastifyRequest,
  { token, device }: { token: string | null; device: string | null },
): Rank | null {
  const path = request.url.split('?', 1)[0] ?? '';
  if (ALWAYS.has(path)) return null;
  if (path.startsWith('/api/webhooks/')) return 'urgent';
  // Those who play wait for what the CDN doesn't have yet.
  const [, address] = /^\/media\/cdn\/.+\/([\w-]{43})\/[^/]+$/.exec(path) ?? [];
  if (address !== undefined && wasVerified('cdn', address)) return 'urgent';
  const session = token === null ? '' : hashToken(token);
  const hasSession = wasVerified('session', session);
  const isMember = hasSession || isKnownApp(request, path);
  if (isMember && /^\/(?:media\/tracks|feed|rest)\//.test(path) && isContinuing(request))
    return 'urgent';
  if (hasSession && path.startsWith('/api/plays/')) return 'urgent';
  const isAdminPage = /^\/(?:api\/)?admin(?:\/|$)/.test(path);
  if (isAdminPage && wasVerified('admin', session)) return 'urgent';
  const isLogin = path.startsWith('/api/auth/');
  const hasDevice = device !== null && wasVerified('device', hashToken(device));
  if (hasDevice && isLogin) return 'urgent';
  if (isMember || hasDevice || isLogin || path.startsWith('/assets/')) return 'member';
  return 'visitor';
}

/** What a page asks for while it is rendered has no connection, and belongs to the page. */
const hasConnection = (request: FastifyRequest) => request.socket instanceof Socket;

/** A line each would fill the log. */
function createReport(log: Deps['log']) {
  let count = 0;
  let timer: NodeJS.Timeout | null = null;
  return () => {
    count += 1;
    timer ??= setTimeout(() => {
      log.warn({ count, seconds: REPORT_MS / 1000 }, 'Too many requests: answered some with 503.');
      count = 0;
      timer = null;
    }, REPORT_MS).unref();
  };
}

/** Returns the error to answer with, unless it has answered a browser that opens a page. */
function refuse(
  { siteName }: Deps['config'],
  request: FastifyRequest,
  reply: FastifyReply,
): AppError | undefined {
  const { min, max } = RETRY_SECONDS;
  // Not everyone at the same time.
  const seconds = min + Math.floor(Math.random() * (max - min + 1));
  const { accept = '', 'sec-fetch-mode': mode } = request.headers;
  const isPage = mode === 'navigate' || accept.includes('text/html');
  // A page that opens again by itself would lose what somebody sent with a form.
  if (!isPage || request.method !== 'GET')
    return new AppError('unavailable', {
      message: 'Too many people are here right now. Try again in a moment.',
      headers: { 'retry-after': String(seconds) },
    });
  void sendPlainPage(reply.code(503).header('retry-after', seconds), {
    siteName,
    title: 'One moment',
    body: '<p>Too many people are here right now. This page opens by itself in a few seconds.</p>',
    retryAfterSeconds: seconds,
  });
  return undefined;
}

export type LoadClock = WaitingRoomClock & { lag: LoopLag };

/**
 * Starts no more requests in one turn of the event loop than it can answer in a few milliseconds. The
 * others wait, in the order of their rank, and get a 503 when that takes too long. So turns stay
 * short: new connections and streams that play have their share of each. Register it before
 * everything that costs time.
 */
export function shedLoad(
  app: FastifyInstance,
  { config, log }: Pick<Deps, 'config' | 'log'>,
  clock: LoadClock = {
    lag: createLoopLag(),
    now: () => performance.now(),
    soon: (callback) => void setImmediate(callback),
    later: (callback) => void setTimeout(callback, LATER_MS),
  },
) {
  const report = createReport(log);
  let unanswered = 0;
  app.decorateRequest('isShed', false);
  app.decorateRequest('isCounted', false);

  function count(request: FastifyRequest) {
    if (request.isCounted || !hasConnection(request) || LONG.test(request.url)) return;
    request.isCounted = true;
    unanswered += 1;
  }
  function stopCounting(request: FastifyRequest) {
    if (request.isCounted) unanswered -= 1;
    request.isCounted = false;
  }
  function start(request: FastifyRequest, done: (error?: Error) => void) {
    count(request);
    done();
  }

  const room = createWaitingRoom<Rank>(clock, {
    ranks: RANKS,
    waitLimits: WAIT_LIMITS,
    maxPerAddress: MAX_PER_ADDRESS,
    canStart: (rank) => unanswered <= UNANSWERED_LIMITS[rank],
  });

  app.decorate('hasWaitingRequests', () => !room.isEmpty());

  app.addHook('onRequest', (request, reply, done) => {
    const lagMs = clock.lag.read();
    const isCalm =
      lagMs <= SHORT_TURN_MS && room.isEmpty() && unanswered <= UNANSWERED_LIMITS.visitor;
    if (isCalm || !hasConnection(request)) return start(request, done);
    const rank = findRank(request, {
      token: readSessionToken(config, request),
      // Its id; the rest are signatures, one for each account.
      device: readCookie(config, request, DEVICE_COOKIE)?.split('.', 1)[0] ?? null,
    });
    if (rank === null) return start(request, done);
    room.enter({
      rank,
      address: toRateLimitAddress(request.ip),
      isGone: () => request.socket.destroyed,
      start: () => start(request, done),
      refuse: () => {
        request.isShed = true;
        countShed(rank);
        report();
        const error = refuse(config, request, reply);
        if (error) done(error);
      },
    });
  });
  // While the body arrives, we wait for the sender, who may take minutes and must not keep out others.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (hasBody(request.raw)) stopCounting(request);
    done(null, payload);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (!request.isShed) count(request);
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    stopCounting(request);
    done();
  });
}
