import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { defineCounter } from '../../counters.ts';
import { toRateLimitAddress } from '../address.ts';
import { AppError } from '../app-error.ts';
import { readSessionToken } from '../sessions.ts';
import { createLoopLag, type LoopLag } from './loop-lag.ts';

/**
 * Which requests go on longest when there are too many, the first ones longest:
 * - `urgent`: what must not be lost or stop: webhooks, mixes that are playing, administrators.
 * - `member`: members, logins, and the files of pages that have been sent.
 * - `visitor`: everyone else.
 */
export type Rank = 'urgent' | 'member' | 'visitor';

/** How late the event loop may be for a request of this rank to be answered, in milliseconds. */
export const LAG_LIMITS: Record<Rank, number> = { visitor: 200, member: 400, urgent: 1000 };

/**
 * How many others may be unanswered for a request of this rank to be taken. Most are answered within
 * their turn of the loop, so these wait for something: a page that is rendered, or the database.
 */
export const UNANSWERED_LIMITS: Record<Rank, number> = { visitor: 100, member: 200, urgent: 800 };

/**
 * Once the loop is this late, an address gets so many answers per turn of the loop, so that one
 * address can't use up what the machine can do. Nobody needs that many: a whole page is 25 requests.
 */
const CROWDED_MS = 50;
const MAX_PER_ADDRESS = 50;

/** Cheap, and answered whatever happens: a balancer must not take a busy server for a dead one. */
const ALWAYS = new Set(['/healthz', '/api/health', '/metrics']);

const REPORT_MS = 10_000;
const RETRY_SECONDS = { min: 2, max: 6 };

const countShed = defineCounter(
  'weekender_requests_shed_total',
  'Requests answered with 503 because there were too many.',
  ['rank'],
);

/** What may take long without being late: audio, uploads, and pages that listen for changes. */
const LONG = /^\/(?:media\/|api\/live|api\/admin\/(?:uploads|backup))/;

const isContinuing = ({ headers: { range } }: FastifyRequest): boolean =>
  range !== undefined && !range.startsWith('bytes=0-');

/** By the path, because nothing has been read from the database yet. */
export function findRank(request: FastifyRequest, hasSession: boolean): Rank | null {
  const { url } = request;
  const path = url.split('?', 1)[0] ?? '';
  if (ALWAYS.has(path)) return null;
  if (path.startsWith('/media/tracks/') && isContinuing(request)) return 'urgent';
  if (path.startsWith('/api/webhooks/') || path.startsWith('/api/plays/')) return 'urgent';
  if (hasSession) return /^\/(?:api\/)?admin(?:\/|$)/.test(path) ? 'urgent' : 'member';
  return path.startsWith('/assets/') || path.startsWith('/api/auth/') ? 'member' : 'visitor';
}

/** Counts the requests that have no answer yet. */
function countUnanswered(app: FastifyInstance): () => number {
  let count = 0;
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.isCounted) count -= 1;
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.isShed && hasConnection(request) && !LONG.test(request.url)) {
      request.isCounted = true;
      count += 1;
    }
    done();
  });
  return () => count;
}

/** What a page asks for while it is rendered has no connection, and belongs to the page. */
const hasConnection = (request: FastifyRequest) => request.socket instanceof Socket;

/** How many requests an address has made in this turn of the event loop. */
function createAddressCounter(lag: LoopLag) {
  let counts = new Map<string, number>();
  let turn = -1;
  return (address: string): number => {
    if (turn !== lag.turn()) {
      turn = lag.turn();
      counts = new Map();
    }
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    return count;
  };
}

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

const BUSY_PAGE =
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Too busy</title>' +
  '<h1>Too many people are here right now</h1><p>This page opens by itself in a few seconds.</p></html>';

/** Returns the error to answer with, unless it has answered a browser that opens a page. */
function refuse(request: FastifyRequest, reply: FastifyReply): AppError | undefined {
  const { min, max } = RETRY_SECONDS;
  // Not everyone at the same time.
  const seconds = String(min + Math.floor(Math.random() * (max - min + 1)));
  const { accept = '', 'sec-fetch-mode': mode } = request.headers;
  const isPage = mode === 'navigate' || (request.method === 'GET' && accept.includes('text/html'));
  if (!isPage)
    return new AppError('unavailable', {
      message: 'Too many people are here right now. Try again in a moment.',
      headers: { 'retry-after': seconds },
    });
  void reply
    .code(503)
    .headers({ 'retry-after': seconds, refresh: seconds, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(BUSY_PAGE);
  return undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Answered with 503 before anything else was done. */
    isShed: boolean;
    /** Among those that have no answer yet. */
    isCounted: boolean;
  }
}

/**
 * Answers 503 at once when the server is too busy to answer in time, so that the others get their
 * answers. Register it before everything that costs time.
 */
export function shedLoad(
  app: FastifyInstance,
  { config, log }: Pick<Deps, 'config' | 'log'>,
  lag: LoopLag = createLoopLag(),
) {
  const countAddress = createAddressCounter(lag);
  const report = createReport(log);
  app.decorateRequest('isShed', false);
  app.decorateRequest('isCounted', false);

  function isTooMuch(request: FastifyRequest, rank: Rank, lagMs: number): boolean {
    if (lagMs > LAG_LIMITS[rank] || unanswered() > UNANSWERED_LIMITS[rank]) return true;
    if (rank === 'urgent' || lagMs <= CROWDED_MS) return false;
    return countAddress(toRateLimitAddress(request.ip)) > MAX_PER_ADDRESS;
  }

  app.addHook('onRequest', (request, reply, done) => {
    const lagMs = lag.read();
    const isCalm = lagMs <= CROWDED_MS && unanswered() <= UNANSWERED_LIMITS.visitor;
    if (isCalm || !hasConnection(request)) return done();
    const rank = findRank(request, readSessionToken(config, request) !== null);
    if (rank === null || !isTooMuch(request, rank, lagMs)) return done();
    request.isShed = true;
    countShed(rank);
    report();
    const error = refuse(request, reply);
    if (error) done(error);
  });
  const unanswered = countUnanswered(app);
}
