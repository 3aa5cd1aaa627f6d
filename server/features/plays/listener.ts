import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Actor } from '../../http/guards.ts';
import { cookieName, cookieOptions, readCookie } from '../../http/session-cookie.ts';
import { hashToken, newToken } from '../../http/tokens.ts';

const NAME = 'listener';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Who is listening, for counting: the member, or a visitor known by a random cookie that says
 * nothing else. Only its hash is kept.
 */
export function identifyListener(
  config: Config,
  actor: Actor | null,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  if (actor) return `user:${actor.user.id}`;
  const name = cookieName(config, NAME);
  const known = readCookie(config, request, NAME);
  const token = known && known.length <= 64 ? known : newToken();
  if (token !== known)
    reply.setCookie(name, token, { ...cookieOptions(config), maxAge: YEAR_SECONDS });
  return `visitor:${hashToken(token).slice(0, 32)}`;
}
