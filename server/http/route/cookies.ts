import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecure, type Config } from '../../config.ts';

/** With the `__Host-` prefix, browsers reject a cookie set by a sibling domain. */
export const cookieName = (config: Config, name: string): string =>
  isSecure(config) ? `__Host-${name}` : name;

/** Parses cookies only when asked, because most requests of a page need none. */
export function readCookie(config: Config, request: FastifyRequest, name: string): string | null {
  const { cookie } = request.headers;
  return (cookie && parseCookie(cookie)[cookieName(config, name)]) || null;
}

type NewCookie = { name: string; value: string; maxAge: number };

/** Replaces a cookie of this name that the same answer has set before. */
export function setCookie(config: Config, reply: FastifyReply, { name, ...cookie }: NewCookie) {
  const fullName = cookieName(config, name);
  const line = stringifySetCookie({
    ...cookie,
    name: fullName,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(config),
  });
  const before = [reply.getHeader('set-cookie') ?? []].flat().map(String);
  const others = before.filter((other) => !other.startsWith(`${fullName}=`));
  reply.removeHeader('set-cookie').header('set-cookie', [...others, line]);
}

export const clearCookie = (config: Config, reply: FastifyReply, name: string): void =>
  setCookie(config, reply, { name, value: '', maxAge: 0 });
