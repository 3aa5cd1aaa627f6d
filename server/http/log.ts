import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { pino, type DestinationStream, type Logger } from 'pino';
import type pretty from 'pino-pretty';
import type { LogLevel } from '../config.ts';

export type Log = Logger;

/** Bytes that are written at once, and the milliseconds after which fewer are. */
const BATCH = { minLength: 8192, periodicFlush: 250 };

const secrets = [
  'cookie',
  'authorization',
  '["set-cookie"]',
  'password',
  'token',
  'password_hash',
  'token_hash',
];

/** Every secret at the top, one level down and two levels down, where request objects hold them. */
const redactedPaths = secrets.flatMap((name) => {
  const member = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${member}`, `*.*${member}`];
});

/** The path without query values and without the token of a link: whoever reads logs must not open it. */
export function describeUrl(url: string): string {
  const path = url.split(/[?#;]/, 1)[0] ?? '';
  return path
    .replace(/^\/+(reset-password|setup)\/.+/, '/$1/[token]')
    .replace(/^(\/+(?:shared|api\/+shared-playlists)\/).+/, '$1[token]')
    .replace(/^(\/+(?:gift|api\/+gifts)\/+)[^/]+/, '$1[token]');
}

/** Only a console in front of a person needs it, and then at once. */
const loadPretty = () => createRequire(import.meta.url)('pino-pretty') as typeof pretty;

export function createLog(level: LogLevel, stream?: DestinationStream): Log {
  const options = {
    level,
    redact: { paths: redactedPaths, censor: '[secret]' },
    serializers: {
      req: (request: { method: string; url: string; ip: string }) => ({
        method: request.method,
        url: describeUrl(request.url),
        ip: request.ip,
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  };
  if (stream) return pino(options, stream);
  if (process.stdout.isTTY) return pino(options, loadPretty()({ sync: true }));
  // A line for each request, written by itself, takes a tenth of the time of a small request.
  return pino(options, pino.destination({ sync: false, ...BATCH }));
}

/** One line for each request, once it is over. */
export function logRequests(app: FastifyInstance) {
  // A line of method, path, address and status holds no secrets, and looking for them takes longer
  // than writing it.
  const lines = (app.log as Log).child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    lines.info({ reqId: request.id, req: request, res: reply, ms }, 'request');
    done();
  });
}
