import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecure, type Config } from '../config.ts';
import { SESSION_MS } from './session-store.ts';

/** The `__Host-` prefix makes the browser itself refuse a cookie planted by a neighbouring domain. */
export const cookieName = (config: Config, name = 'session'): string =>
  isSecure(config) ? `__Host-${name}` : name;

export const cookieOptions = (config: Config): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: isSecure(config),
});

/** Only who needs a cookie looks for it: most requests of a page need none. */
export function readCookie(config: Config, request: FastifyRequest, name?: string): string | null {
  const { cookie } = request.headers;
  return (cookie && request.server.parseCookie(cookie)[cookieName(config, name)]) || null;
}

export const readSessionToken = (config: Config, request: FastifyRequest): string | null =>
  readCookie(config, request);

export function setSessionCookie(config: Config, reply: FastifyReply, token: string) {
  reply.setCookie(cookieName(config), token, {
    ...cookieOptions(config),
    maxAge: SESSION_MS / 1000,
  });
}

export function clearSessionCookie(config: Config, reply: FastifyReply) {
  reply.clearCookie(cookieName(config), cookieOptions(config));
}
