import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { pino, type DestinationStream, type Logger } from 'pino';
import type pretty from 'pino-pretty';
import type { LogLevel } from '../env-settings.ts';
import { randomFillSync } from 'node:crypto';
import { isatty } from 'node:tty';
import { openStandardOutput, STDOUT } from './log-output.ts';

export type Log = Logger;

const secrets = [
  'cookie',
  'authorization',
  '["set-cookie"]',
  'password',
  'token',
  'password_hash',
  'token_hash',
];

/** At the top level and in objects up to two levels deep, where requests have them. */
const redactedPaths = secrets.flatMap((name) => {
  const property = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${property}`, `*.*${property}`];
});

/** Paths with a token under addresses that no route matches, such as pages of the web app. */
const WITH_TOKEN =
  /^(\/+(?:reset-password|setup|shared|gift|give|feed|confirm-email|undo-email-change|api\/+(?:shared-playlists|gifts|bought-gifts|unsubscribe))\/+).+/;
/** Longer than any word or id in our paths, so it may be a token. */
const LONG_PART = /[^/]{30,}/g;
/** Music apps send a password in the query, and some write the query wrongly. */
const QUERY = /[?#;&=]|%(?:3f|26|3d)/i;

/**
 * The path without its query and without the token of a link, which would work for anyone who reads
 * the log. Where a route matches, its parameters named `token` are left out; any other address may be
 * a mistyped one with a token. Long parts are left out in any case.
 */
export function redactUrl(url: string, route?: string): string {
  if (route?.includes(':token')) return route.replaceAll(':token', '[token]');
  const end = url.search(QUERY);
  const path = end < 0 ? url : url.slice(0, end);
  const shown = route === undefined ? path.replace(WITH_TOKEN, '$1[token]') : path;
  return shown.replace(LONG_PART, '[long]');
}

type LoggedRequest = {
  method: string;
  url: string;
  ip: string;
  routeOptions?: { url?: string | undefined };
};

/** Loaded only for a terminal. */
const loadPretty = () => createRequire(import.meta.url)('pino-pretty') as typeof pretty;

export function createLog(level: LogLevel, stream?: DestinationStream): Log {
  const options = {
    level,
    redact: { paths: redactedPaths, censor: '[secret]' },
    serializers: {
      req: (request: LoggedRequest) => ({
        method: request.method,
        url: redactUrl(request.url, request.routeOptions?.url),
        ip: request.ip,
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  };
  if (stream) return pino(options, stream);
  // Not `process.stdout.isTTY`, which a thread doesn't know.
  if (isatty(STDOUT)) return pino(options, loadPretty()({ sync: true }));
  // Writing every line on its own would take a tenth of the time of a small request.
  return pino(options, openStandardOutput());
}

const PRIVATE = /^\/api\/(?:admin|me)\b/;
const LISTENING = /^\/(?:api\/(?:tracks|plays|events)|rest)\b/;

/** What someone with a stolen session may have done. What listeners play and like is nobody's business. */
const isTraced = ({ method, url }: LoggedRequest): boolean =>
  PRIVATE.test(url) || (method !== 'GET' && method !== 'HEAD' && !LISTENING.test(url));

/** Logs one line per request, when it is done. */
export function logRequests(app: FastifyInstance) {
  // Method, path, address and status contain no secrets, and redacting takes longer than writing.
  const lines = (app.log as Log).child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    // There may be thousands of them; their number is logged instead.
    if (request.isShed) return done();
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    const account = isTraced(request) ? request.viewer?.user.id : undefined;
    const line = { reqId: request.id, req: request, res: reply, ms };
    lines.info(account === undefined ? line : { ...line, account }, 'request');
    done();
  });
}

const ID_LENGTH = 9;
const random = Buffer.alloc(256 * ID_LENGTH);
let used = random.length;

/** 72 random bits as text. They come in blocks, because asking for a few takes as long as for many. */
export function newRequestId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += ID_LENGTH;
  return random.toString('base64url', used - ID_LENGTH, used);
}
