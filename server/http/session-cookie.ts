import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecure, type Config } from '../config.ts';
import { SESSION_MS } from './session-store.ts';

/** The `__Host-` prefix makes the browser itself refuse a cookie planted by a neighbouring domain. */
export const cookieName = (config: Config, name = 'session'): string =>
  isSecure(config) ? `__Host-${name}` : name;

export const cookieOptions = (config: Config) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) }) as const;

export const readSessionToken = (config: Config, request: FastifyRequest): string | null =>
  request.cookies[cookieName(config)] || null;

export function setSessionCookie(config: Config, reply: FastifyReply, token: string) {
  reply.setCookie(cookieName(config), token, {
    ...cookieOptions(config),
    maxAge: SESSION_MS / 1000,
  });
}

export function clearSessionCookie(config: Config, reply: FastifyReply) {
  reply.clearCookie(cookieName(config), cookieOptions(config));
}
