import type { VersionRow } from '../db/catalogue-facts.ts';
import type { Db } from '../db/connect.ts';
import { prepareQuery } from '../db/prepare-query.ts';
import type { SessionsTable, UsersTable } from '../db/tables.ts';
import { hashToken, newToken } from './tokens.ts';
import { DAY, HOUR } from '#contract/rules/time.ts';
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecure, type Config } from '../config.ts';

export const SESSION_MS = 30 * DAY;
/** Updating the last visit on every request would cost more than it's worth. */
export const TOUCH_INTERVAL_MS = HOUR;

/** With everything that decides about access. */
export type SessionUser = Omit<UsersTable, 'password_hash'> & {
  grace_ms: number;
  early_ms?: number;
};
export type Session = {
  tokenHash: string;
  lastSeenAt: number;
  user: Omit<SessionUser, 'grace_ms' | 'early_ms'>;
  catalogue: VersionRow | undefined;
};

/** Runs on nearly every request, so it also reads the version that most requests need next. */
const selectSession = prepareQuery(
  (db, tokenHash: string, now: number) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .leftJoin('catalogue_version', (join) => join.on('catalogue_version.id', '=', 1))
      .select([
        'catalogue_version.version',
        'catalogue_version.plays',
        'sessions.last_seen_at',
        'users.id',
        'users.username',
        'users.username_key',
        'users.email',
        'users.email_key',
        'users.is_admin',
        'users.is_demo',
        'users.paid_through',
        'users.avatar_key',
        'users.created_at',
        'users.updated_at',
      ])
      .where('sessions.token_hash', '=', tokenHash)
      .where('sessions.expires_at', '>', now),
  2,
);

export async function findSession(db: Db, token: string, now: number): Promise<Session | null> {
  const tokenHash = hashToken(token);
  const [row] = await selectSession(db, tokenHash, now);
  if (!row) return null;
  const { last_seen_at: lastSeenAt, version, plays, ...user } = row;
  const catalogue = version === null || plays === null ? undefined : { version, plays };
  return { tokenHash, lastSeenAt, user, catalogue };
}

type NewSession = { userId: string; userAgent: string; ip: string; now: number };

/** Returns the token, which is stored nowhere else. */
export async function createSession(db: Db, session: NewSession): Promise<string> {
  const token = newToken();
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: session.userId,
      user_agent: session.userAgent,
      ip: session.ip,
      created_at: session.now,
      last_seen_at: session.now,
      expires_at: session.now + SESSION_MS,
    })
    .execute();
  return token;
}

export async function touchSession(db: Db, tokenHash: string, now: number) {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now, expires_at: now + SESSION_MS })
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function deleteSession(db: Db, token: string) {
  await db.deleteFrom('sessions').where('token_hash', '=', hashToken(token)).execute();
}

export async function deleteUserSessions(db: Db, userId: string) {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

const MAX_LISTED = 200;

/** The most recently used first. */
export const listSessions = (db: Db, userId: string, now: number): Promise<SessionsTable[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('token_hash')
    .limit(MAX_LISTED)
    .execute();

/** True if it existed. */
export async function deleteUserSession(
  db: Db,
  userId: string,
  tokenHash: string,
): Promise<boolean> {
  const row = await db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOtherSessions(db: Db, userId: string, keptTokenHash: string) {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('token_hash', '<>', keptTokenHash)
    .execute();
}

/** With the `__Host-` prefix, browsers reject a cookie set by a sibling domain. */
export const cookieName = (config: Config, name = 'session'): string =>
  isSecure(config) ? `__Host-${name}` : name;

export const cookieOptions = (config: Config): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax',
  secure: isSecure(config),
});

/** Parses cookies only when asked, because most requests of a page need none. */
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
