import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { DialectName, Tx } from '../../db/connect.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { readCookie, setCookie } from '../../http/route/cookies.ts';
import { hashToken, newToken } from '../../http/route/tokens.ts';
import { deleteVisits } from '../rollups/service.ts';

const COOKIE = 'listener';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

export const toUserKey = (userId: string): string => `user:${userId}`;
const toVisitorKey = (token: string): string => `visitor:${hashToken(token).slice(0, 32)}`;

/** A visitor who logs in while a mix plays has two keys: the play started under the first. */
export function listListenerKeys(
  config: Config,
  viewer: Viewer | null,
  request: FastifyRequest,
): string[] {
  const token = readCookie(config, request, COOKIE);
  return [...(viewer ? [toUserKey(viewer.user.id)] : []), ...(token ? [toVisitorKey(token)] : [])];
}

/**
 * Who counts as one listener: the user, or a visitor recognised by a random cookie. The database
 * stores only a hash of the cookie.
 */
export function identifyListener(
  config: Config,
  viewer: Viewer | null,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  if (viewer) return toUserKey(viewer.user.id);
  const known = readCookie(config, request, COOKIE);
  const token = known && known.length <= 64 ? known : newToken();
  if (token !== known)
    setCookie(config, reply, { name: COOKIE, value: token, maxAge: YEAR_SECONDS });
  return toVisitorKey(token);
}

/** A different key in every row, so that no one can link the plays of a deleted account. */
const anonymousKey = (dialect: DialectName) =>
  dialect === 'sqlite'
    ? sql<string>`'gone:' || lower(hex(randomblob(16)))`
    : sql<string>`'gone:' || gen_random_uuid()`;

export const anonymisePlays = (tx: Tx, dialect: DialectName, userId: string) =>
  tx
    .updateTable('plays')
    .set({ user_id: null, listener_key: anonymousKey(dialect) })
    .where('user_id', '=', userId)
    .execute();

/** The counts stay, without the listener. */
export async function anonymiseListener(tx: Tx, dialect: DialectName, userId: string) {
  const listenerKey = toUserKey(userId);
  await tx
    .updateTable('listener_days')
    .set({ listener_key: anonymousKey(dialect) })
    .where('listener_key', '=', listenerKey)
    .execute();
  // This row only says when the listener's next play counts, and there won't be one.
  await tx.deleteFrom('counted_plays').where('listener_key', '=', listenerKey).execute();
  await deleteVisits(tx, listenerKey);
}
