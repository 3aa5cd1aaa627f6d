import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Viewer } from '../../http/guards.ts';
import { cookieName, cookieOptions, readCookie } from '../../http/session-cookie.ts';
import { hashToken, newToken } from '../../http/tokens.ts';

const NAME = 'listener';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

const visitorOf = (token: string): string => `visitor:${hashToken(token).slice(0, 32)}`;

/** Everybody the request can speak for: who signs in while something plays was a visitor when it began. */
export function listKnownListeners(
  config: Config,
  viewer: Viewer | null,
  request: FastifyRequest,
): string[] {
  const token = readCookie(config, request, NAME);
  return [...(viewer ? [`user:${viewer.user.id}`] : []), ...(token ? [visitorOf(token)] : [])];
}

/**
 * Who is listening, for counting: the member, or a visitor known by a random cookie that says
 * nothing else. Only its hash is kept.
 */
export function identifyListener(
  config: Config,
  viewer: Viewer | null,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  if (viewer) return `user:${viewer.user.id}`;
  const name = cookieName(config, NAME);
  const known = readCookie(config, request, NAME);
  const token = known && known.length <= 64 ? known : newToken();
  if (token !== known)
    reply.setCookie(name, token, { ...cookieOptions(config), maxAge: YEAR_SECONDS });
  return visitorOf(token);
}
