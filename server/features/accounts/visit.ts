import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { isLocalRequest } from '../../http/address.ts';
import { readSessionToken } from '../../http/session-cookie.ts';

/** Where a sign-in comes from. */
export type Visit = {
  userAgent: string;
  ip: string;
  /** The session the browser brought along; it ends when another one begins. */
  oldToken: string | null;
  /** The request came from this very machine and not through a proxy. */
  isLocal: boolean;
};

export const describeVisit = (config: Config, request: FastifyRequest): Visit => ({
  userAgent: request.headers['user-agent'] ?? '',
  ip: request.ip,
  oldToken: readSessionToken(config, request),
  isLocal: isLocalRequest(request),
});
